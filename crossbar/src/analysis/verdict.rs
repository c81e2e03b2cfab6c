//! The conclusion, as a value: a refusal is a case of its own, never a flag.

use crate::domain::{CellId, Estimate, Usd};
use serde::Serialize;

/// The conclusion within one scope.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "word", rename_all = "snake_case")]
#[must_use]
#[non_exhaustive]
pub enum Verdict {
    /// Use this cell instead of the baseline.
    Switch {
        /// The cell of least cost per success among those that qualify.
        cell: CellId,
        /// All cells that qualify, in plan order.
        qualified: Vec<CellId>,
    },
    /// Keep the baseline: no cheaper challenger is left open.
    Stay {
        /// Why each challenger is out, in plan order.
        closed: Vec<ClosedCell>,
    },
    /// The evidence does not decide; keep the baseline meanwhile.
    CannotTell {
        /// What stands in the way, above the single cells.
        why: Undecided,
        /// The cells that could still turn out to be the answer, in plan order, each with what
        /// would settle it.
        open: Vec<OpenCell>,
        /// Why the others are out, in plan order.
        closed: Vec<ClosedCell>,
    },
    /// No baseline was named: the cheapest cell whose lower limit clears the quality bar.
    Pick {
        /// The cell.
        cell: CellId,
        /// All cells that clear the bar, in plan order.
        qualified: Vec<CellId>,
    },
    /// One cell only, and no quality bar: there is nothing to choose between.
    NothingToCompare,
}

impl Verdict {
    /// The word that the card prints.
    #[must_use]
    pub fn word(&self) -> &'static str {
        match self {
            Self::Switch { .. } => "SWITCH",
            Self::Stay { .. } => "STAY",
            Self::CannotTell { .. } => "CAN'T TELL",
            Self::Pick { .. } => "PICK",
            Self::NothingToCompare => "NOTHING TO COMPARE",
        }
    }

    /// The cell of SWITCH or PICK.
    #[must_use]
    pub fn winner(&self) -> Option<&CellId> {
        match self {
            Self::Switch { cell, .. } | Self::Pick { cell, .. } => Some(cell),
            _ => None,
        }
    }

    /// Whether it concludes anything.
    #[must_use]
    pub fn claims(&self) -> bool {
        matches!(
            self,
            Self::Switch { .. } | Self::Stay { .. } | Self::Pick { .. }
        )
    }
}

/// Why a verdict is CAN'T TELL.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Undecided {
    /// The answers are those of a recording: they say nothing about the models.
    Replayed,
    /// Challengers are left open.
    OpenCells,
    /// Planned rollouts are missing: nothing is claimed from an unfinished sweep.
    MissingRollouts,
    /// Everything ended, and rollouts that could not be measured (infrastructure) decide: with
    /// all of them failed and with all of them passed the answers differ.
    UnmeasuredRollouts,
    /// Neither a baseline nor a quality bar was given.
    NoBaselineNoBar,
    /// No cell's lower limit clears the quality bar.
    NoneClearsBar,
}

/// A challenger that is out, and why.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ClosedCell {
    /// The challenger.
    pub cell: CellId,
    /// The first reason that applies, in the order of the enum.
    pub why: ClosedBy,
}

/// Why a challenger is out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ClosedBy {
    /// A forbidden call reached its tool: whatever its rate, it is not proposed.
    ExecutedViolation,
    /// Shown worse than the baseline (Holm over the challengers).
    Worse,
    /// Its upper limit is below the quality bar.
    UnderBar,
    /// Shown not to be cheaper (Holm over the challengers), or known to cost no less.
    NotCheaper,
}

/// A challenger that is left open, and what would settle it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct OpenCell {
    /// The challenger (or, without a baseline, the cell).
    pub cell: CellId,
    /// What has not been shown, in the order of the enum; never empty.
    pub lacks: Vec<Lack>,
    /// What would probably settle it, tasks before repeats; empty when missing rollouts, those that
    /// were not measured, or a price would.
    pub needs: Vec<Need>,
    /// Where it leans (F7); only in \[tasks like these\], against a baseline, with two or more units
    /// and every rollout measured.
    pub leaning: Option<LeaningLine>,
}

/// What a challenger has not shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Lack {
    /// Rollouts are missing.
    Rollouts,
    /// Rollouts that ended as infrastructure failure decide, or there is nothing else.
    Unmeasured,
    /// Not shown to be within the margin.
    WithinMargin,
    /// Its lower limit is not above the quality bar.
    AboveBar,
    /// Its cost is not known: it can't win on price.
    Cost,
    /// Not shown to be cheaper.
    Cheaper,
}

/// How much more of what would probably settle a cell (90% power, observed rates and spread).
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Need {
    /// More of what.
    pub what: NeedKind,
    /// How many in all: tasks in the pack, or repeats of every task. `None`: no number of them
    /// would, at the rates observed.
    pub total: Option<u32>,
    /// How many more than there are now; `None` as above.
    pub more: Option<u32>,
    /// What the additional rollouts of this cell and the baseline would cost at the mean cost so
    /// far; `None` when a cost is unknown, or `more` is.
    pub cost: Option<Usd>,
}

/// More of what.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum NeedKind {
    /// Tasks, each with the same repeats.
    Tasks,
    /// Repeats of the same tasks.
    Repeats,
}

/// Where an undecided comparison leans (F7): secondary, never a verdict.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct LeaningLine {
    /// The odds, 0..=1, that the true difference is above -margin.
    pub within_margin: f64,
    /// The expected loss of pass rate if one switched, 0 or more, as a fraction.
    pub expected_drop: f64,
}

/// An estimate together with whether it is a claim.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Claim {
    /// The figure and its interval.
    pub estimate: Estimate,
    /// The p-value of the claim, unadjusted, 0..=1.
    pub p: f64,
    /// The p-value adjusted by Holm over the challengers, 0..=1.
    pub adjusted_p: f64,
    /// Whether the adjusted p is at most alpha.
    pub shown: bool,
}
