//! Pairs of limits, and the range that an error level must be in.

use super::error::StatsError;

/// A closed interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limits {
    /// lower limit
    pub lower: f64,
    /// upper limit
    pub upper: f64,
}

/// An interval that may have no finite upper limit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OpenLimits {
    /// lower limit
    pub lower: f64,
    /// upper limit; `None` where the data exclude no large value
    pub upper: Option<f64>,
}

/// Rejects an error level outside (0, 1].
pub(crate) fn check_alpha(alpha: f64) -> Result<(), StatsError> {
    in_range("alpha", alpha, alpha > 0.0 && alpha <= 1.0)
}

/// `Ok` where `holds`, else the out-of-range error that names the value.
pub(crate) fn in_range(name: &'static str, value: f64, holds: bool) -> Result<(), StatsError> {
    if holds {
        Ok(())
    } else {
        Err(StatsError::OutOfRange { name, value })
    }
}
