//! What the challenger costs against the baseline on the same tasks: the ratio of mean costs, the
//! ratio of costs per success, and the saving that follows (section 7 of the corrections).

use super::cost::{CostArm, CostShape, finite, shrunk_correlation, t_reach};
use super::error::StatsError;
use super::level::smallest_level;
use super::limits::{Limits, OpenLimits, check_alpha};
use super::mover::square_and_add;
use super::student::t_cdf;

/// A ratio of two costs per success, either of which may lack a success.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Ratio {
    /// both cells have successes (or only the challenger has: then 0)
    Finite(f64),
    /// only the baseline has successes
    Infinite,
    /// neither has
    Undefined,
}

/// Cost of a against b.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CostRatio {
    /// mean cost of a over mean cost of b
    pub mean_ratio: f64,
    /// its limits, from the paired terms on the log scale
    pub mean_limits: Limits,
    /// one-sided p of "a rollout of a is cheaper"; of light cost tails only
    pub mean_p_cheaper: f64,
    /// cost per success of a over that of b
    pub ratio: Ratio,
    /// its limits; "distinguishable" is when they exclude 1
    pub limits: OpenLimits,
    /// correlation of the cells' (cost - pass) terms, shrunk
    pub phi: f64,
}

impl CostRatio {
    /// The share of the cost per success that a saves, where the ratio is finite.
    pub fn saving(&self) -> Option<f64> {
        match self.ratio {
            Ratio::Finite(ratio) => Some(1.0 - ratio),
            Ratio::Infinite | Ratio::Undefined => None,
        }
    }

    /// Limits of the saving; the lower one is `None` where nothing bounds the loss.
    pub fn saving_limits(&self) -> (Option<f64>, f64) {
        (
            self.limits.upper.map(|upper| 1.0 - upper),
            1.0 - self.limits.lower,
        )
    }

    /// Whether the interval of the ratio of costs per success excludes 1.
    pub fn distinguishable(&self) -> bool {
        self.limits.lower > 1.0 || self.limits.upper.is_some_and(|upper| upper < 1.0)
    }
}

/// The ratio at two-sided error `alpha` (for J comparisons pass alpha/J); `cap` as in
/// [`cost_per_success`](super::cost_per_success()). `None` if a cell cost nothing at all.
/// Errors: other units or weights in the two arms, fewer than 2 units, cap or alpha out of range.
pub fn cost_ratio(
    a: &CostArm,
    b: &CostArm,
    alpha: f64,
    cap: Option<f64>,
) -> Result<Option<CostRatio>, StatsError> {
    check_alpha(alpha)?;
    let Some(pair) = CostPair::new(a, b, cap)? else {
        return Ok(None);
    };
    let mean = MeanRatio::new(a, b);
    let (ratio, limits) = pair.ratio_at(alpha);
    Ok(Some(CostRatio {
        mean_ratio: mean.ratio,
        mean_limits: mean.limits(alpha),
        mean_p_cheaper: mean.p_cheaper(),
        ratio,
        limits,
        phi: pair.phi,
    }))
}

/// One-sided p-values of the two directions of the ratio of costs per success, for Holm.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CostRatioP {
    /// half the smallest two-sided level at which the upper limit is below 1; 1 if none
    pub cheaper: f64,
    /// half the smallest two-sided level at which the lower limit is above 1; 1 if none
    pub dearer: f64,
}

/// The p-values that belong to [`cost_ratio`], with its errors; `None` if a cell cost nothing.
pub fn cost_ratio_p(
    a: &CostArm,
    b: &CostArm,
    cap: Option<f64>,
) -> Result<Option<CostRatioP>, StatsError> {
    let Some(pair) = CostPair::new(a, b, cap)? else {
        return Ok(None);
    };
    let one_sided = |level: Option<f64>| level.map_or(1.0, |level| level / 2.0);
    // logs keep the searched curve nearly straight; no finite limit is far on the wrong side
    let below = |alpha: f64| {
        pair.ratio_at(alpha)
            .1
            .upper
            .map_or(-700.0, |upper| -upper.max(1e-300).ln())
    };
    let above = |alpha: f64| pair.ratio_at(alpha).1.lower.max(1e-300).ln();
    Ok(Some(CostRatioP {
        cheaper: one_sided(smallest_level(below)),
        dearer: one_sided(smallest_level(above)),
    }))
}

/// Ratio of the mean costs over the same tasks, by t on its log.
struct MeanRatio {
    ratio: f64,
    se: f64,
    df: f64,
}

impl MeanRatio {
    fn new(a: &CostArm, b: &CostArm) -> Self {
        let (mean_a, mean_b, n) = (a.mean_cost(), b.mean_cost(), a.pass.n_weight());
        let terms = a.costs.iter().zip(&b.costs);
        let terms: Vec<f64> = terms.map(|(a, b)| a / mean_a - b / mean_b).collect();
        Self {
            ratio: mean_a / mean_b,
            se: (a.pass.variance_of(&terms) / n).sqrt(),
            df: n - 1.0,
        }
    }

    fn limits(&self, alpha: f64) -> Limits {
        let reach = t_reach(alpha, self.df, self.se);
        Limits {
            lower: self.ratio * (-reach).exp(),
            upper: self.ratio * reach.exp(),
        }
    }

    fn p_cheaper(&self) -> f64 {
        if self.se > 1e-12 {
            t_cdf(self.ratio.ln() / self.se, self.df)
        } else if self.ratio < 1.0 {
            0.0
        } else {
            1.0
        }
    }
}

/// Two cells' costs per success with everything that doesn't depend on the level.
struct CostPair {
    a: CostShape,
    b: CostShape,
    phi: f64,
}

impl CostPair {
    fn new(a: &CostArm, b: &CostArm, cap: Option<f64>) -> Result<Option<Self>, StatsError> {
        a.pass.check_pairs_with(&b.pass)?;
        let tasks = a.pass.len();
        if tasks < 2 {
            return Err(StatsError::TooFewTasks { tasks, needed: 2 });
        }
        let (shape_a, shape_b) = (CostShape::new(a, cap)?, CostShape::new(b, cap)?);
        if !shape_a.has_limits() || !shape_b.has_limits() {
            return Ok(None);
        }
        let phi = match (shape_a.ratio(), shape_b.ratio()) {
            (Some(_), Some(_)) => {
                shrunk_correlation(&a.pass, &cost_less_pass(a), &cost_less_pass(b))
            }
            _ => 0.0,
        };
        Ok(Some(Self {
            a: shape_a,
            b: shape_b,
            phi,
        }))
    }

    fn ratio_at(&self, alpha: f64) -> (Ratio, OpenLimits) {
        let (a, b) = (self.a.limits(alpha), self.b.limits(alpha));
        let (ratio, lower, upper) = match (self.a.ratio(), self.b.ratio()) {
            (None, None) => (Ratio::Undefined, None, None),
            (None, Some(_)) => (Ratio::Infinite, b.upper.map(|upper| a.lower / upper), None),
            (Some(_), None) => {
                let upper = a.upper.map(|upper| upper / b.lower);
                (Ratio::Finite(0.0), None, upper)
            }
            (Some(mid_a), Some(mid_b)) => {
                let ratio = mid_a / mid_b;
                let down = |upper_b: f64| {
                    square_and_add((mid_a / a.lower).ln(), (upper_b / mid_b).ln(), self.phi)
                };
                let up = |upper_a: f64| {
                    square_and_add((upper_a / mid_a).ln(), (mid_b / b.lower).ln(), self.phi)
                };
                let lower = b.upper.map(|upper| ratio * (-down(upper)).exp());
                let upper = a.upper.map(|upper| ratio * up(upper).exp());
                (Ratio::Finite(ratio), lower, upper)
            }
        };
        let limits = OpenLimits {
            lower: lower.unwrap_or(0.0),
            upper: upper.and_then(finite),
        };
        (ratio, limits)
    }
}

/// cost_i / mean cost - pass_i / pass rate of each unit: how the log of cost per success moves.
fn cost_less_pass(arm: &CostArm) -> Vec<f64> {
    let (mean_cost, mean_pass) = (arm.mean_cost(), arm.pass.mean());
    let terms = arm.costs.iter().zip(arm.pass.values());
    terms
        .map(|(cost, pass)| cost / mean_cost - pass / mean_pass)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::Arm;

    #[test]
    fn the_p_is_where_the_limit_meets_one() {
        let runs = [5; 8];
        let cheap = Arm::new(&[5, 4, 5, 3, 5, 5, 4, 5], &runs).unwrap();
        let dear = Arm::new(&[5, 5, 5, 4, 5, 5, 3, 5], &runs).unwrap();
        let a = CostArm::new(cheap, &[0.1, 0.2, 0.1, 0.15, 0.12, 0.1, 0.2, 0.11]).unwrap();
        let b = CostArm::new(dear, &[0.3, 0.5, 0.25, 0.4, 0.3, 0.28, 0.6, 0.31]).unwrap();
        let p = cost_ratio_p(&a, &b, None).unwrap().unwrap();
        assert!(p.cheaper < 0.05 && p.dearer == 1.0, "{p:?}");
        let upper = cost_ratio(&a, &b, 2.0 * p.cheaper, None)
            .unwrap()
            .unwrap()
            .limits
            .upper
            .unwrap();
        assert!((upper - 1.0).abs() < 1e-6, "{upper}");
        let back = cost_ratio_p(&b, &a, None).unwrap().unwrap();
        assert!((back.dearer - p.cheaper).abs() < 1e-9);
    }

    #[test]
    fn two_tasks_at_an_extreme_level_exclude_nothing() {
        let arm = Arm::new(&[5, 4], &[5, 5]).unwrap();
        let dear = CostArm::new(arm, &[9.0, 4.0]).unwrap();
        let cheap = CostArm::new(arm, &[0.2, 0.2]).unwrap();
        let got = cost_ratio(&dear, &cheap, 1e-15, None).unwrap().unwrap();
        assert_eq!((got.limits.lower, got.limits.upper), (0.0, None));
        let p = cost_ratio_p(&dear, &cheap, None).unwrap().unwrap();
        assert!(p.dearer > 1e-3 && p.cheaper == 1.0, "{p:?}");
        // without a success nothing bounds the ratio from above
        let never = CostArm::new(Arm::new(&[0, 0], &[5, 5]).unwrap(), &[0.1, 0.2]).unwrap();
        let p = cost_ratio_p(&never, &dear, None).unwrap().unwrap();
        assert_eq!(p.cheaper, 1.0);
        let with = |lower, upper| CostRatio {
            limits: OpenLimits { lower, upper },
            ..got
        };
        assert!(with(1.1, None).distinguishable() && with(0.2, Some(0.9)).distinguishable());
        assert!(!with(1.0, None).distinguishable() && !with(0.2, Some(1.0)).distinguishable());
    }

    #[test]
    fn no_level_makes_a_limit_that_is_no_number() {
        let passes = [[5, 4], [0, 0], [5, 5], [0, 3]];
        let costs = [[9.0, 4.0], [0.2, 0.2], [1e-9, 5.0], [1e6, 1e-6]];
        let arms: Vec<_> = (0..16).map(|at| (passes[at / 4], costs[at % 4])).collect();
        fn arm(of: &([u32; 2], [f64; 2])) -> CostArm {
            CostArm::new(Arm::new(&of.0, &[5, 5]).unwrap(), &of.1).unwrap()
        }
        for (a, b) in arms.iter().flat_map(|a| arms.iter().map(move |b| (a, b))) {
            for (alpha, cap) in [0.05, 1e-8, 1e-16, 1e-100, 1e-300]
                .into_iter()
                .flat_map(|alpha| [(alpha, None), (alpha, Some(1e7))])
            {
                let got = cost_ratio(&arm(a), &arm(b), alpha, cap).unwrap().unwrap();
                let (low, high) = (got.limits.lower, got.limits.upper);
                assert!(low >= 0.0 && low.is_finite(), "{alpha} {a:?} {b:?} {got:?}");
                assert!(
                    high.is_none_or(|high| high >= low),
                    "{alpha} {a:?} {b:?} {got:?}"
                );
                let mean = got.mean_limits;
                assert!(mean.lower <= mean.upper, "{alpha} {a:?} {b:?} {got:?}");
            }
        }
    }

    #[test]
    fn a_free_cell_has_no_ratio() {
        let arm = Arm::new(&[1, 1], &[1, 1]).unwrap();
        let (free, paid) = (
            CostArm::new(arm, &[0.0, 0.0]).unwrap(),
            CostArm::new(arm, &[0.1, 0.2]).unwrap(),
        );
        assert_eq!(cost_ratio(&free, &paid, 0.05, None).unwrap(), None);
        assert_eq!(cost_ratio_p(&paid, &free, None).unwrap(), None);
    }
}
