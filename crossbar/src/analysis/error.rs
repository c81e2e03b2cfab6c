//! Why a record can't be analysed at all.

use crate::domain::{CaseId, CellId, EstimateError, RolloutKey, TaskId};
use crate::stats::StatsError;

/// Why there is no analysis. Missing rollouts are no error: they make an analysis incomplete.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum AnalysisError {
    /// There is nothing to analyse.
    #[error("the matrix is empty: it needs at least one cell and one task")]
    EmptyMatrix,
    /// The baseline is not one of the cells.
    #[error("baseline `{0}` is not in the matrix: name one of its cells, or none")]
    BaselineAbsent(CellId),
    /// Nothing to hold challengers against.
    #[error(
        "an adaptive run holds challengers against a baseline: name one of its cells as `run.baseline`"
    )]
    NoBaseline,
    /// The same cell twice.
    #[error("cell `{0}` is in the matrix twice")]
    DuplicateCell(CellId),
    /// The same task twice.
    #[error("task `{0}` is in the matrix twice")]
    DuplicateTask(TaskId),
    /// The same rollout twice.
    #[error("rollout `{0}` is recorded twice: keep one terminal record per rollout")]
    DuplicateRollout(RolloutKey),
    /// The same place was planned twice.
    #[error("rollout `{0}` is planned twice")]
    DuplicatePlanned(RolloutKey),
    /// A record of something that the plan does not hold.
    #[error("rollout `{0}` is not in the plan: it belongs to another sweep")]
    Unplanned(RolloutKey),
    /// The plan names a cell or a task outside the matrix.
    #[error("planned rollout `{0}` is outside the matrix of cells and tasks")]
    OutsideMatrix(RolloutKey),
    /// A case of the matrix was never planned.
    #[error("case `{0}` has no planned rollout: plan every cell on every task")]
    CaseNotPlanned(CaseId),
    /// A setting is outside its range.
    #[error("{name} is {value}: it must be {range}")]
    OutOfRange {
        /// The setting's name in the roster.
        name: &'static str,
        /// What was given.
        value: f64,
        /// What is allowed.
        range: &'static str,
    },
    /// More draws than repeats.
    #[error("k is {k} with {repeats} repeats: lower k, or raise the repeats to at least {k}")]
    KAboveRepeats {
        /// The k that was asked for.
        k: u32,
        /// The planned repeats.
        repeats: u32,
    },
    /// A statistic refused its input.
    #[error(transparent)]
    Stats(#[from] StatsError),
    /// A figure could not be made printable.
    #[error(transparent)]
    Estimate(#[from] EstimateError),
}
