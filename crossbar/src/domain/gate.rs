//! What a verdict is held against, as a roster declares it and a run records it.

use super::CellId;
use serde::{Deserialize, Serialize};

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

/// What a cell is held against.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GateReference {
    /// Earlier results that somebody accepted: a historical control.
    Stored,
    /// The baseline in the same sweep.
    Concurrent,
}
