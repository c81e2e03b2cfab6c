//! Cost per success of one cell: mean cost of a rollout over pass rate, with an interval by MOVER
//! on the log scale (section 2g, rules A3 and A4), and the bound that a hard cap per rollout gives
//! (section 3k). Without a cap the upper limit assumes that no unseen task is very dear.

use super::arm::Arm;
use super::error::StatsError;
use super::korn_graubard::{CellEstimate, Shape, korn_graubard};
use super::limits::{OpenLimits, check_alpha, in_range};
use super::mover::square_and_add;
use super::student::t_quantile;
use super::units::Units;

/// One cell's counts with what each task cost, summed over its rollouts, in any one currency.
#[derive(Clone, Copy, Debug)]
pub struct CostArm<'a> {
    arm: Arm<'a>,
    cost_sums: &'a [f64],
}

impl<'a> CostArm<'a> {
    /// Takes the counts and each task's summed cost. Errors: another number of tasks, a cost that
    /// is negative or not finite. Unknown costs must be kept out: they are not 0.
    pub fn new(arm: Arm<'a>, cost_sums: &'a [f64]) -> Result<Self, StatsError> {
        if cost_sums.len() != arm.tasks() {
            return Err(StatsError::LengthMismatch {
                left: arm.tasks(),
                right: cost_sums.len(),
            });
        }
        for &cost in cost_sums {
            in_range("cost", cost, cost >= 0.0 && cost.is_finite())?;
        }
        Ok(Self { arm, cost_sums })
    }

    /// The counts.
    pub fn arm(&self) -> Arm<'a> {
        self.arm
    }

    /// Mean cost of one rollout of each task.
    pub(crate) fn task_costs(&self) -> Vec<f64> {
        self.cost_sums
            .iter()
            .zip(self.arm.runs())
            .map(|(sum, &runs)| sum / f64::from(runs))
            .collect()
    }

    /// Mean over tasks of the cost of one rollout.
    pub fn mean_cost(&self) -> f64 {
        self.task_costs().iter().sum::<f64>() / self.arm.tasks() as f64
    }
}

/// Limits of the mean cost of a rollout.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CostLimits {
    /// lower limit, by t on the log scale
    pub lower: f64,
    /// upper limit: the larger of the next two; `None` where it overflows
    pub upper: Option<f64>,
    /// upper limit by t on the log scale
    pub log_t_upper: Option<f64>,
    /// cap times the Korn-Graubard upper limit of cost/cap, where a cap was given
    pub capped_upper: Option<f64>,
}

/// Cost per success with its interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CostPerSuccess {
    /// mean over tasks of the cost of a rollout
    pub mean_cost: f64,
    /// its limits; `None` with one task or where everything is free
    pub cost: Option<CostLimits>,
    /// pass rate with its interval
    pub pass: CellEstimate,
    /// cost per success; `None` if nothing passed
    pub ratio: Option<f64>,
    /// correlation of cost and pass rate over tasks, shrunk
    pub rho: f64,
    /// limits of the ratio; `None` where `cost` is
    pub limits: Option<OpenLimits>,
}

/// Cost per success at two-sided error `alpha`. `cap` is a hard cap on the cost of one rollout; it
/// enters the upper limit only. If any rollout cost more than the cap it is no hard cap: pass
/// `None` (a task whose mean exceeds it is an error). Errors: cap or alpha out of range.
pub fn cost_per_success(
    arm: CostArm<'_>,
    alpha: f64,
    cap: Option<f64>,
) -> Result<CostPerSuccess, StatsError> {
    check_alpha(alpha)?;
    let shape = CostShape::new(arm, cap)?;
    Ok(CostPerSuccess {
        mean_cost: shape.mean,
        cost: shape.has_limits().then(|| shape.cost_limits(alpha)),
        pass: korn_graubard(&Units::tasks(arm.arm), alpha)?,
        ratio: shape.ratio(),
        rho: shape.rho,
        limits: shape.has_limits().then(|| shape.limits(alpha)),
    })
}

/// Everything that doesn't depend on the level.
pub(crate) struct CostShape {
    pub(crate) mean: f64,
    relative_se: f64,
    tasks: usize,
    pass: Shape,
    rho: f64,
    cap: Option<(f64, Shape)>,
}

impl CostShape {
    pub(crate) fn new(arm: CostArm<'_>, cap: Option<f64>) -> Result<Self, StatsError> {
        let costs = arm.task_costs();
        let n = costs.len() as f64;
        let mean = costs.iter().sum::<f64>() / n;
        let squares: f64 = costs.iter().map(|c| (c - mean).powi(2)).sum();
        let cap = match cap {
            None => None,
            Some(cap) => Some((cap, capped_shape(&costs, cap)?)),
        };
        let nothing_passed = arm.arm.all_fail();
        Ok(Self {
            mean,
            relative_se: if mean > 0.0 && n > 1.0 {
                (squares / (n - 1.0) / n).sqrt() / mean
            } else {
                0.0
            },
            tasks: costs.len(),
            pass: Shape::of(&Units::tasks(arm.arm)),
            rho: if nothing_passed {
                0.0
            } else {
                shrunk_correlation(&costs, &arm.arm.rates())
            },
            cap,
        })
    }

    pub(crate) fn ratio(&self) -> Option<f64> {
        (self.pass.mean > 0.0).then(|| self.mean / self.pass.mean)
    }

    pub(crate) fn has_limits(&self) -> bool {
        self.tasks > 1 && self.mean > 0.0
    }

    fn cost_limits(&self, alpha: f64) -> CostLimits {
        let reach = t_reach(alpha, (self.tasks - 1) as f64, self.relative_se);
        let log_t = self.mean * reach.exp();
        let capped = self.cap.map(|(cap, shape)| cap * shape.upper(alpha));
        let upper = log_t.max(capped.unwrap_or(0.0));
        CostLimits {
            lower: self.mean * (-reach).exp(),
            upper: finite(upper),
            log_t_upper: finite(log_t),
            capped_upper: capped,
        }
    }

    /// Limits of cost per success. Nothing passed: from the pass rate's upper limit alone.
    pub(crate) fn limits(&self, alpha: f64) -> OpenLimits {
        let cost = self.cost_limits(alpha);
        let (pass_low, pass_high) = (self.pass.lower(alpha), self.pass.upper(alpha));
        if self.pass.mean <= 0.0 {
            return OpenLimits {
                lower: cost.lower / pass_high,
                upper: None,
            };
        }
        let ratio = self.mean / self.pass.mean;
        let down = square_and_add(
            (self.mean / cost.lower).ln(),
            (pass_high / self.pass.mean).ln(),
            self.rho,
        );
        let upper = cost.upper.filter(|_| pass_low > 0.0).and_then(|upper| {
            let up = square_and_add(
                (upper / self.mean).ln(),
                (self.pass.mean / pass_low).ln(),
                self.rho,
            );
            finite(ratio * up.exp())
        });
        OpenLimits {
            lower: ratio * (-down).exp(),
            upper,
        }
    }
}

/// How far the t interval at two-sided error `alpha` reaches: nowhere without a spread, however
/// extreme the level (its quantile may be infinite then).
pub(crate) fn t_reach(alpha: f64, df: f64, se: f64) -> f64 {
    if se > 0.0 {
        -t_quantile(alpha / 2.0, df) * se
    } else {
        0.0
    }
}

fn capped_shape(costs: &[f64], cap: f64) -> Result<Shape, StatsError> {
    in_range("cap", cap, cap > 0.0 && cap.is_finite())?;
    let mut shares = Vec::with_capacity(costs.len());
    for &cost in costs {
        in_range("cost over the cap", cost, cost <= cap * (1.0 + 1e-9))?;
        shares.push((cost / cap).min(1.0));
    }
    Ok(Shape::of(&Units::graded(&shares)?))
}

/// `None` where a limit overflowed: nothing bounds the value.
pub(crate) fn finite(value: f64) -> Option<f64> {
    value.is_finite().then_some(value)
}

/// Pearson correlation times (n-2)/n where positive; 0 for fewer than 3 tasks or no spread (A9).
pub(crate) fn shrunk_correlation(x: &[f64], y: &[f64]) -> f64 {
    let n = x.len() as f64;
    let (mean_x, mean_y) = (x.iter().sum::<f64>() / n, y.iter().sum::<f64>() / n);
    let (mut xx, mut yy, mut xy) = (0.0, 0.0, 0.0);
    for (x, y) in x.iter().zip(y) {
        xx += (x - mean_x).powi(2);
        yy += (y - mean_y).powi(2);
        xy += (x - mean_x) * (y - mean_y);
    }
    if n < 3.0 || xx < 1e-12 || yy < 1e-12 {
        return 0.0;
    }
    let r = xy / (xx * yy).sqrt();
    if r > 0.0 { r * (n - 2.0) / n } else { r }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn free_cells_and_single_tasks_have_no_interval() {
        let arm = Arm::new(&[3, 5], &[5, 5]).unwrap();
        let free = cost_per_success(CostArm::new(arm, &[0.0, 0.0]).unwrap(), 0.05, None).unwrap();
        assert_eq!(
            (free.ratio, free.cost, free.limits),
            (Some(0.0), None, None)
        );
        let arm = Arm::new(&[3], &[5]).unwrap();
        let one = cost_per_success(CostArm::new(arm, &[1.0]).unwrap(), 0.05, None).unwrap();
        assert!(one.limits.is_none() && (one.ratio.unwrap() - 1.0 / 3.0).abs() < 1e-15);
        assert!(CostArm::new(arm, &[f64::NAN]).is_err());
    }

    #[test]
    fn no_success_has_a_lower_limit_only() {
        let arm = Arm::new(&[0, 0, 0], &[2, 2, 2]).unwrap();
        let got =
            cost_per_success(CostArm::new(arm, &[0.2, 0.4, 0.3]).unwrap(), 0.05, None).unwrap();
        let limits = got.limits.unwrap();
        assert!(got.ratio.is_none() && limits.upper.is_none() && limits.lower > 0.0);
    }

    #[test]
    fn a_broken_cap_is_refused() {
        let arm = Arm::new(&[1, 1], &[1, 1]).unwrap();
        assert!(
            cost_per_success(CostArm::new(arm, &[0.2, 0.4]).unwrap(), 0.05, Some(0.3)).is_err()
        );
    }
}
