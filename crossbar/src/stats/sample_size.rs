//! How many tasks settle a question, before and after money is spent (formula 3.8). Below 20
//! tasks the real power is 3-10 points under these formulas.

use super::error::StatsError;
use super::limits::in_range;
use super::normal::{normal_quantile, two_sided_z};

/// The error and power that a plan aims at.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Power {
    /// two-sided error, in (0, 1)
    pub alpha: f64,
    /// probability of seeing a difference that is there, in (0, 1)
    pub power: f64,
}

impl Default for Power {
    /// 5% error, 80% power.
    fn default() -> Self {
        Self {
            alpha: 0.05,
            power: 0.8,
        }
    }
}

impl Power {
    /// z of the error plus z of the power.
    fn reach(&self) -> Result<f64, StatsError> {
        in_range("alpha", self.alpha, self.alpha > 0.0 && self.alpha < 1.0)?;
        in_range("power", self.power, self.power > 0.0 && self.power < 1.0)?;
        Ok(two_sided_z(self.alpha) + normal_quantile(self.power))
    }
}

/// Variances behind one task's difference between two arms.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PairDesign {
    /// variance over tasks of the true difference
    pub task_variance: f64,
    /// variance of one rollout given the task, first arm
    pub rollout_variance_a: f64,
    /// the same, second arm
    pub rollout_variance_b: f64,
    /// repeats per task and arm
    pub repeats: u32,
}

/// Tasks needed to see a true difference of `delta` (a fraction, above 0), not rounded:
/// reach^2 (task variance + rollout variances / repeats) / delta^2.
/// Errors: a setting out of range.
pub fn tasks_for_design(design: PairDesign, delta: f64, power: Power) -> Result<f64, StatsError> {
    in_range("repeats", f64::from(design.repeats), design.repeats > 0)?;
    let rollouts = design.rollout_variance_a + design.rollout_variance_b;
    let variance = design.task_variance + rollouts / f64::from(design.repeats);
    tasks(variance, delta, power)
}

/// Tasks needed to settle a margin (a fraction, above 0) at the observed standard deviation of
/// the task differences, rounded up, at least 2: reach^2 sd^2 / margin^2.
/// Errors: a setting out of range.
pub fn tasks_for_margin(sd: f64, margin: f64, power: Power) -> Result<u64, StatsError> {
    in_range("standard deviation", sd, sd >= 0.0 && sd.is_finite())?;
    Ok((tasks(sd * sd, margin, power)?.ceil() as u64).max(2))
}

fn tasks(variance: f64, delta: f64, power: Power) -> Result<f64, StatsError> {
    in_range("difference", delta, delta > 0.0 && delta.is_finite())?;
    in_range(
        "variance",
        variance,
        variance >= 0.0 && variance.is_finite(),
    )?;
    Ok(power.reach()?.powi(2) * variance / (delta * delta))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_points_take_more_tasks_than_anyone_hopes() {
        assert_eq!(tasks_for_margin(0.3, 0.03, Power::default()).unwrap(), 785);
        assert_eq!(tasks_for_margin(0.5, 0.03, Power::default()).unwrap(), 2181);
        assert_eq!(tasks_for_margin(0.0, 0.03, Power::default()).unwrap(), 2);
        assert!(tasks_for_margin(0.3, 0.0, Power::default()).is_err());
    }
}
