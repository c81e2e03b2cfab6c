//! Cost per success of one cell: mean cost of a rollout over pass rate, with an interval by MOVER
//! on the log scale (section 2g, rules A3 and A4), and the bound that a hard cap per rollout gives
//! (section 3k). Without a cap the upper limit assumes that no unseen task is very dear.

use super::arm::Arm;
use super::error::StatsError;
use super::korn_graubard::{CellEstimate, Shape, korn_graubard};
use super::limits::{OpenLimits, check_alpha, in_range};
use super::mover::square_and_add;
use super::student::t_quantile;
use super::units::{FamilyWeight, Units, family_means};

/// One cell's pass rates with what a rollout cost, unit by unit, in any one currency.
#[derive(Clone, Debug)]
pub struct CostArm {
    pub(crate) pass: Units,
    /// mean cost of a rollout of each unit
    pub(crate) costs: Vec<f64>,
}

impl CostArm {
    /// Takes the counts and each task's summed cost, every task once. Errors: another number of
    /// tasks, a cost that is negative or not finite. Unknown costs must be kept out: they are not 0.
    pub fn new(arm: Arm<'_>, cost_sums: &[f64]) -> Result<Self, StatsError> {
        Self::of(Units::tasks(arm), task_costs(arm, cost_sums)?)
    }

    /// The same with weights as in [`Units::weighted`]. Errors: those of `new` and of the weights.
    pub fn weighted(arm: Arm<'_>, cost_sums: &[f64], weights: &[f64]) -> Result<Self, StatsError> {
        let costs = task_costs(arm, cost_sums)?;
        Self::of(Units::weighted(arm, weights)?, costs)
    }

    /// The same with families as units, each as often as it has tasks, as in [`Units::families`].
    /// Errors: those of `new` and of the families.
    pub fn families(arm: Arm<'_>, cost_sums: &[f64], family: &[usize]) -> Result<Self, StatsError> {
        let costs = family_means(&task_costs(arm, cost_sums)?, family)?.0;
        Self::of(Units::families(arm, family, FamilyWeight::ByTasks)?, costs)
    }

    fn of(pass: Units, costs: Vec<f64>) -> Result<Self, StatsError> {
        for &cost in &costs {
            in_range("cost", cost, cost >= 0.0 && cost.is_finite())?;
        }
        Ok(Self { pass, costs })
    }

    /// Mean over units of the cost of one rollout.
    pub fn mean_cost(&self) -> f64 {
        self.pass.mean_of(&self.costs)
    }
}

/// Mean cost of one rollout of each task.
fn task_costs(arm: Arm<'_>, cost_sums: &[f64]) -> Result<Vec<f64>, StatsError> {
    if cost_sums.len() != arm.tasks() {
        return Err(StatsError::LengthMismatch {
            left: cost_sums.len(),
            right: arm.tasks(),
        });
    }
    let sums = cost_sums.iter().zip(arm.runs());
    Ok(sums.map(|(sum, &runs)| sum / f64::from(runs)).collect())
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
    arm: &CostArm,
    alpha: f64,
    cap: Option<f64>,
) -> Result<CostPerSuccess, StatsError> {
    check_alpha(alpha)?;
    let shape = CostShape::new(arm, cap)?;
    Ok(CostPerSuccess {
        mean_cost: shape.mean,
        cost: shape.has_limits().then(|| shape.cost_limits(alpha)),
        pass: korn_graubard(&arm.pass, alpha)?,
        ratio: shape.ratio(),
        rho: shape.rho,
        limits: shape.has_limits().then(|| shape.limits(alpha)),
    })
}

/// Everything that doesn't depend on the level.
pub(crate) struct CostShape {
    pub(crate) mean: f64,
    relative_se: f64,
    units: usize,
    df: f64,
    pass: Shape,
    rho: f64,
    cap: Option<(f64, Shape)>,
}

impl CostShape {
    pub(crate) fn new(arm: &CostArm, cap: Option<f64>) -> Result<Self, StatsError> {
        let (mean, worth) = (arm.mean_cost(), arm.pass.n_weight());
        let cap = match cap {
            None => None,
            Some(cap) => Some((cap, capped_shape(arm, cap)?)),
        };
        let nothing_passed = arm.pass.mean() <= 0.0;
        Ok(Self {
            mean,
            relative_se: if mean > 0.0 {
                (arm.pass.variance_of(&arm.costs) / worth).sqrt() / mean
            } else {
                0.0
            },
            units: arm.costs.len(),
            df: worth - 1.0,
            pass: Shape::of(&arm.pass),
            rho: if nothing_passed {
                0.0
            } else {
                shrunk_correlation(&arm.pass, &arm.costs, arm.pass.values())
            },
            cap,
        })
    }

    pub(crate) fn ratio(&self) -> Option<f64> {
        (self.pass.mean > 0.0).then(|| self.mean / self.pass.mean)
    }

    pub(crate) fn has_limits(&self) -> bool {
        self.units > 1 && self.mean > 0.0
    }

    fn cost_limits(&self, alpha: f64) -> CostLimits {
        let reach = t_reach(alpha, self.df, self.relative_se);
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

fn capped_shape(arm: &CostArm, cap: f64) -> Result<Shape, StatsError> {
    in_range("cap", cap, cap > 0.0 && cap.is_finite())?;
    let mut shares = Vec::with_capacity(arm.costs.len());
    for &cost in &arm.costs {
        in_range("cost over the cap", cost, cost <= cap * (1.0 + 1e-9))?;
        shares.push((cost / cap).min(1.0));
    }
    Ok(Shape::of(&arm.pass.revalued(&shares)?))
}

/// `None` where a limit overflowed: nothing bounds the value.
pub(crate) fn finite(value: f64) -> Option<f64> {
    value.is_finite().then_some(value)
}

/// Pearson correlation over units times (n-2)/n where positive, n what their weights are worth;
/// 0 for fewer than 3 or no spread (A9).
pub(crate) fn shrunk_correlation(units: &Units, x: &[f64], y: &[f64]) -> f64 {
    let n = units.n_weight();
    let (mean_x, mean_y) = (units.mean_of(x), units.mean_of(y));
    let (mut xx, mut yy, mut xy) = (0.0, 0.0, 0.0);
    for ((x, y), share) in x.iter().zip(y).zip(units.shares()) {
        xx += share * (x - mean_x).powi(2);
        yy += share * (y - mean_y).powi(2);
        xy += share * (x - mean_x) * (y - mean_y);
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
        let free = cost_per_success(&CostArm::new(arm, &[0.0, 0.0]).unwrap(), 0.05, None).unwrap();
        assert_eq!(
            (free.ratio, free.cost, free.limits),
            (Some(0.0), None, None)
        );
        let arm = Arm::new(&[3], &[5]).unwrap();
        let one = cost_per_success(&CostArm::new(arm, &[1.0]).unwrap(), 0.05, None).unwrap();
        assert!(one.limits.is_none() && (one.ratio.unwrap() - 1.0 / 3.0).abs() < 1e-15);
        assert!(CostArm::new(arm, &[f64::NAN]).is_err());
    }

    #[test]
    fn no_success_has_a_lower_limit_only() {
        let arm = Arm::new(&[0, 0, 0], &[2, 2, 2]).unwrap();
        let got =
            cost_per_success(&CostArm::new(arm, &[0.2, 0.4, 0.3]).unwrap(), 0.05, None).unwrap();
        let limits = got.limits.unwrap();
        assert!(got.ratio.is_none() && limits.upper.is_none() && limits.lower > 0.0);
    }

    #[test]
    fn weights_are_those_of_the_pass_rates() {
        let arm = Arm::new(&[5, 0, 2], &[5; 3]).unwrap();
        let even = CostArm::new(arm, &[5.0, 10.0, 5.0]).unwrap();
        let of = |weights: &[f64]| {
            let costs = CostArm::weighted(arm, &[5.0, 10.0, 5.0], weights).unwrap();
            cost_per_success(&costs, 0.05, None).unwrap()
        };
        let plain = cost_per_success(&even, 0.05, None).unwrap();
        let scaled = of(&[2.0; 3]);
        assert_eq!(scaled.cost, plain.cost);
        assert!((scaled.ratio.unwrap() - plain.ratio.unwrap()).abs() < 1e-12);
        let heavy = of(&[3.0, 1.0, 1.0]);
        assert!((heavy.mean_cost - 1.2).abs() < 1e-12);
        assert!(
            (heavy.ratio.unwrap() - 1.2 / 0.68).abs() < 1e-12,
            "{heavy:?}"
        );
        let families = CostArm::families(arm, &[5.0, 10.0, 5.0], &[7, 2, 7]).unwrap();
        assert_eq!(families.costs, [2.0, 1.0]);
        assert!((families.mean_cost() - 4.0 / 3.0).abs() < 1e-12);
        assert!(CostArm::families(arm, &[1.0], &[7, 2, 7]).is_err());
    }

    /// Rule A9.
    #[test]
    fn costs_and_passes_correlate_over_three_units_that_both_differ() {
        let of = |x: &[f64], y: &[f64]| {
            let units = Units::graded(&vec![0.5; x.len()]).unwrap();
            shrunk_correlation(&units, x, y)
        };
        assert_eq!(of(&[1.0, 2.0], &[1.0, 2.0]), 0.0);
        assert_eq!(of(&[1.0, 2.0], &[2.0, 1.0]), 0.0);
        let three = [1.0, 2.0, 3.0];
        assert!((of(&three, &three) - 1.0 / 3.0).abs() < 1e-12);
        assert!((of(&three, &[3.0, 2.0, 1.0]) + 1.0).abs() < 1e-12);
        for flat in [[0.5; 3], [0.1; 3]] {
            assert_eq!((of(&flat, &three), of(&three, &flat)), (0.0, 0.0));
        }
        // little, and more than rounding
        let close = [1.0 - 1e-5, 1.0, 1.0 + 1e-5];
        assert!((of(&close, &three) - 1.0 / 3.0).abs() < 1e-3);
        assert!((of(&three, &close) - 1.0 / 3.0).abs() < 1e-3);
    }

    #[test]
    fn a_broken_cap_is_refused() {
        let arm = Arm::new(&[1, 1], &[1, 1]).unwrap();
        assert!(
            cost_per_success(&CostArm::new(arm, &[0.2, 0.4]).unwrap(), 0.05, Some(0.3)).is_err()
        );
    }
}
