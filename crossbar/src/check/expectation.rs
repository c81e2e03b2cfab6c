//! An expectation as a value: what `cx.expect` is given by `subset!`, `exact!`, `contains!` and
//! `regex!`.

use super::{MatchMode, Mismatch, matches};
use serde_json::Value;

/// What a value is expected to be.
#[derive(Debug, Clone, PartialEq)]
pub struct Expectation {
    /// How it is compared.
    pub mode: MatchMode,
    /// With what.
    pub value: Value,
    /// Whether it is a guard: it holds while nothing is done, so it can only zero a score.
    pub guard: bool,
}

impl Expectation {
    /// Makes it a guard: something that must stay as it is, and earns nothing.
    #[must_use]
    pub fn guard(mut self) -> Self {
        self.guard = true;
        self
    }

    /// At least this is there; more may be.
    #[must_use]
    pub fn subset(value: Value) -> Self {
        Self {
            mode: MatchMode::Subset,
            value,
            guard: false,
        }
    }

    /// Exactly this and nothing else.
    #[must_use]
    pub fn exact(value: Value) -> Self {
        Self {
            mode: MatchMode::Exact,
            value,
            guard: false,
        }
    }

    /// This is contained, whatever the case of its letters.
    #[must_use]
    pub fn contains(value: impl Into<Value>) -> Self {
        Self {
            mode: MatchMode::Contains,
            value: value.into(),
            guard: false,
        }
    }

    /// The value as text is matched somewhere by this regular expression.
    #[must_use]
    pub fn regex(pattern: &str) -> Self {
        Self {
            mode: MatchMode::Regex,
            value: Value::String(pattern.to_owned()),
            guard: false,
        }
    }

    /// Compares an actual value.
    ///
    /// # Errors
    /// `Mismatch` with path, expected and actual; also for a pattern that is none.
    pub fn test(&self, actual: &Value) -> Result<(), Mismatch> {
        matches(self.mode, &self.value, actual)
    }
}
