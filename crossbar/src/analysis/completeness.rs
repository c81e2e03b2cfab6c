//! What was planned, what is there, and what is missing.

use super::Record;
use super::table::{Case, Table};
use crate::domain::{RolloutKey, SkipReason, Usd};
use serde::Serialize;

/// What was planned and what is there.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Completeness {
    /// Whether every planned rollout ended with a usable record.
    pub status: Status,
    /// Planned rollouts.
    pub planned: u32,
    /// Rollouts with a terminal record that is neither skipped nor an invalid fixture.
    pub finished: u32,
    /// Finished rollouts that ended as infrastructure failure (they count as failures in the
    /// operational rate, and as undetermined in every comparison).
    pub infrastructure: u32,
    /// What is missing, ordered by key.
    pub missing: Vec<MissingRollout>,
    /// Attempts that may have been paid for and whose end nobody knows.
    pub unknown_attempts: u32,
    /// Money held for those; `None` when one of them has no known worst case.
    pub unknown_held: Option<Usd>,
}

/// Whether the sweep is whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// Nothing is missing.
    Complete,
    /// Something is missing: no verdict claims anything.
    Incomplete,
}

/// A planned rollout without a usable record.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct MissingRollout {
    /// Its place in the matrix.
    pub key: RolloutKey,
    /// Why it is missing.
    pub why: MissingReason,
}

/// Why a rollout is missing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[non_exhaustive]
pub enum MissingReason {
    /// There is no record of it.
    NotFinished,
    /// A paid attempt's end is unknown.
    AttemptUnknown,
    /// It was skipped.
    Skipped {
        /// Why.
        why: SkipReason,
    },
    /// The task's own arrangement broke.
    InvalidFixture {
        /// What broke.
        message: String,
    },
}

/// What was planned and what is there. An attempt whose end nobody knows leaves a sweep
/// incomplete even where another record of its rollout exists: its money is not accounted for.
pub(super) fn of(table: &Table<'_>, record: &Record<'_>) -> Completeness {
    let sum = |part: fn(&Case<'_>) -> u32| -> u32 {
        let cases = table.rows.iter().flat_map(|row| &row.cases);
        cases.map(part).sum()
    };
    let whole = table.missing.is_empty() && record.unknown.is_empty();
    Completeness {
        status: if whole {
            Status::Complete
        } else {
            Status::Incomplete
        },
        planned: sum(|case| case.scheduled),
        finished: sum(|case| case.finished()),
        infrastructure: sum(|case| case.infrastructure()),
        missing: table.missing.clone(),
        unknown_attempts: record.unknown.len() as u32,
        unknown_held: record.unknown.iter().map(|attempt| attempt.held).sum(),
    }
}
