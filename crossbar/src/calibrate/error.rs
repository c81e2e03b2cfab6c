//! Why a world can't be simulated: a fault of the world's own setting.

use crate::analysis::AnalysisError;
use crate::domain::{IdError, LookPlanError};
use crate::stats::StatsError;

/// Why a sweep of a world has no answer.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum CalibrateError {
    /// The verdict refused the sweep.
    #[error(transparent)]
    Analysis(#[from] AnalysisError),
    /// A statistic refused the sweep.
    #[error(transparent)]
    Stats(#[from] StatsError),
    /// A name that the world gives is no id.
    #[error(transparent)]
    Id(#[from] IdError),
    /// Looks that the world gives are none.
    #[error(transparent)]
    Looks(#[from] LookPlanError),
}
