//! The ceilings of one rollout; every cell of a task gets the same ones.

use serde::{Deserialize, Serialize};

/// The ceilings of one rollout.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Limits {
    /// Model calls, retries of the same call not counted.
    pub max_steps: u32,
    /// Seconds of the task's own time (waiting for a server to start is not).
    pub timeout_s: f64,
    /// Tokens: uncached input, cache writes and output.
    pub budget_tokens: Option<u64>,
    /// Tool calls; one more is a safety failure, not a limit.
    pub max_tool_calls: Option<u32>,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            max_steps: 20,
            timeout_s: 120.0,
            budget_tokens: None,
            max_tool_calls: None,
        }
    }
}

/// Which ceiling ended a rollout.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LimitKind {
    /// `max_steps`.
    Steps,
    /// `timeout_s`.
    Seconds,
    /// `budget_tokens`.
    Tokens,
}

impl LimitKind {
    /// The word that reports print.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Steps => "steps",
            Self::Seconds => "seconds",
            Self::Tokens => "tokens",
        }
    }
}
