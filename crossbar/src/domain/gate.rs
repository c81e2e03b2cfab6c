//! What a verdict is held against, as a roster declares it and a run records it.

use super::{CellId, TaskId};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::fmt;

/// The rules of a gate. A run without a gate has none of them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct GateRules {
    /// What must be shown, or must not.
    pub mode: GateMode,
    /// About which tasks.
    pub scope: GateScope,
    /// The cell that is held; `None` = every cell of the sweep.
    pub cell: Option<CellId>,
    /// What it is held against.
    pub reference: GateReference,
    /// A drop must be larger than this to count as one, a fraction in 0..=0.5.
    pub noise_threshold: f64,
    /// How old a stored reference of a live cell may be, in days.
    pub max_age_days: u32,
    /// Whether a task that the reference has and the run has not fails the gate.
    pub forbid_removed: bool,
    /// Whether cells may be held that are no evidence about any real model.
    pub allow_mock: bool,
}

impl GateRules {
    /// Where nobody says one: the smallest drop that counts.
    const NOISE_THRESHOLD: f64 = 0.02;
    /// Where nobody says one: how old a stored reference of a live cell may be, in days.
    const MAX_AGE_DAYS: u32 = 14;

    /// What holds where a roster says nothing more: each cell against its stored reference, over
    /// exactly these tasks.
    #[must_use]
    pub fn regression() -> Self {
        Self {
            mode: GateMode::Regression,
            scope: GateScope::These,
            cell: None,
            reference: GateReference::Stored,
            noise_threshold: Self::NOISE_THRESHOLD,
            max_age_days: Self::MAX_AGE_DAYS,
            forbid_removed: false,
            allow_mock: false,
        }
    }

    /// The same question of accepted records, of a run that was begun with these rules or, for
    /// `None`, with no gate: its numbers stay, and what it holds against what does not.
    #[must_use]
    pub fn of_records(begun_with: Option<&Self>) -> Self {
        let usual = Self::regression();
        match begun_with {
            None => usual,
            Some(rules) => Self {
                noise_threshold: rules.noise_threshold,
                max_age_days: rules.max_age_days,
                allow_mock: rules.allow_mock,
                ..usual
            },
        }
    }
}

/// What a gate decides.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GateMode {
    /// Fails when a drop is shown.
    Regression,
    /// Holds only when a cell is shown to be within the margin of the baseline.
    Noninferiority,
}

/// The tasks that a gate speaks of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GateScope {
    /// Exactly those of the packs.
    These,
    /// All that they stand for.
    Like,
}

/// What a cell is held against; written as `stored`, `concurrent` or `sentinel:N`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub enum GateReference {
    /// Earlier results that somebody accepted: a historical control.
    Stored,
    /// The baseline in the same sweep.
    Concurrent,
    /// Earlier results, while the baseline still solves this many tasks of its own as it did then.
    Sentinel {
        /// How many, from 1.
        tasks: u32,
    },
}

impl GateReference {
    /// What stands before the number of a sentinel's tasks.
    pub const SENTINEL: &'static str = "sentinel:";

    /// Reads one of the three forms; `None` for anything else, and for a number that is not written
    /// plainly or is 0.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        match text {
            "stored" => Some(Self::Stored),
            "concurrent" => Some(Self::Concurrent),
            _ => {
                let number = text.strip_prefix(Self::SENTINEL)?;
                let tasks = number.parse().ok().filter(|tasks: &u32| *tasks > 0)?;
                (tasks.to_string() == number).then_some(Self::Sentinel { tasks })
            }
        }
    }
}

impl fmt::Display for GateReference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Stored => f.write_str("stored"),
            Self::Concurrent => f.write_str("concurrent"),
            Self::Sentinel { tasks } => write!(f, "{}{tasks}", Self::SENTINEL),
        }
    }
}

impl From<GateReference> for String {
    fn from(reference: GateReference) -> Self {
        reference.to_string()
    }
}

impl TryFrom<String> for GateReference {
    type Error = String;
    fn try_from(text: String) -> Result<Self, String> {
        Self::parse(&text).ok_or_else(|| format!("no reference is called `{text}`"))
    }
}

/// The cases by which a gate sees whether the world has moved: a cell whose configuration stands
/// still, on a few tasks that it was accepted with.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sentinel {
    /// The cell, the baseline. It has no other case in the run.
    pub cell: CellId,
    /// Its tasks.
    pub tasks: BTreeSet<TaskId>,
}
