//! What a forbidden call counts as when it was stopped before it ran.

use serde::{Deserialize, Serialize};

/// What a forbidden call counts as when it was stopped before it ran. One that ran always breaks
/// the rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OnBlocked {
    /// A violation like one that ran, since it was asked for: the score is 0.
    #[default]
    Zero,
    /// It is recorded and counted, and the score stands.
    Record,
}
