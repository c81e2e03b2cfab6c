//! The ceiling of a whole sweep, and how much of it is used.

use super::Usd;
use serde::{Deserialize, Serialize};

/// The ceiling of a whole sweep.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BudgetLimit {
    /// At most this much.
    Usd(Usd),
    /// The word `unlimited`, written by a person.
    Unlimited,
}

/// How much of a budget is used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct BudgetStatus {
    /// The ceiling.
    pub limit: BudgetLimit,
    /// Reserved for calls that are under way, or whose end is unknown.
    pub held: Usd,
    /// Spent for certain.
    pub spent: Usd,
}
