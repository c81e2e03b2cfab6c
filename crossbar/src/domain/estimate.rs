//! A number that can be printed: it always carries its interval and its count.

use serde::{Deserialize, Serialize};

/// A closed interval; `hi` may be absent where no upper limit exists.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Interval {
    /// Lower limit.
    pub lo: f64,
    /// Upper limit; `None` says unbounded.
    pub hi: Option<f64>,
}

/// A value with its interval and the number of units (tasks, unless said) behind it.
///
/// Reports can print only this type, so no rate can be written without its interval.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Estimate {
    value: f64,
    interval: Interval,
    n: u32,
}

/// Why a value and an interval do not make an estimate.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum EstimateError {
    /// A part is not a finite number.
    #[error("an estimate needs finite numbers, got {value} [{lo}, {hi:?}]")]
    NotFinite {
        /// The value given.
        value: f64,
        /// The lower limit given.
        lo: f64,
        /// The upper limit given.
        hi: Option<f64>,
    },
    /// The limits are in the wrong order.
    #[error("an interval's lower limit {lo} is above its upper limit {hi}")]
    Reversed {
        /// The lower limit given.
        lo: f64,
        /// The upper limit given.
        hi: f64,
    },
}

impl Estimate {
    /// A value, its limits (`hi` `None` = unbounded), and the number of units.
    ///
    /// # Errors
    /// `EstimateError` when a part is not finite or the limits are reversed.
    pub fn new(value: f64, lo: f64, hi: Option<f64>, n: u32) -> Result<Self, EstimateError> {
        if !value.is_finite() || !lo.is_finite() || hi.is_some_and(|h| !h.is_finite()) {
            return Err(EstimateError::NotFinite { value, lo, hi });
        }
        if let Some(hi) = hi
            && lo > hi
        {
            return Err(EstimateError::Reversed { lo, hi });
        }
        Ok(Self {
            value,
            interval: Interval { lo, hi },
            n,
        })
    }

    /// The point value.
    #[must_use]
    pub fn value(&self) -> f64 {
        self.value
    }

    /// The interval.
    #[must_use]
    pub fn interval(&self) -> Interval {
        self.interval
    }

    /// The number of units behind it.
    #[must_use]
    pub fn n(&self) -> u32 {
        self.n
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_unfinite_becomes_an_estimate() {
        assert!(Estimate::new(f64::NAN, 0.0, Some(1.0), 3).is_err());
        assert!(Estimate::new(0.5, f64::NAN, Some(1.0), 3).is_err());
        assert!(Estimate::new(0.5, 0.1, Some(f64::INFINITY), 3).is_err());
        assert!(Estimate::new(0.5, 0.9, Some(0.1), 3).is_err());
        let open = Estimate::new(0.5, 0.1, None, 3).unwrap();
        assert_eq!(open.interval().hi, None);
    }
}
