//! What one check said about one rollout.

use serde::{Deserialize, Serialize};

/// What one check said about one rollout.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CheckOutcome {
    /// The check's name: its description, or one made from its kind and place.
    pub name: String,
    /// Its kind: `mcp_state`, `tool_called`, .. or `expect`, `check` for Rust tasks.
    pub kind: String,
    /// Whether it holds.
    pub passed: bool,
    /// Where it does not hold: path, expected and actual, for a person.
    pub message: Option<String>,
    /// A guard can zero the score and never adds to it.
    pub guard: bool,
    /// Its share of the completion, above 0.
    pub weight: f64,
    /// Whether acceptance needs it.
    pub required: bool,
    /// Whether it looks at the state that the agent left, rather than at what it said or did.
    pub about_state: bool,
}
