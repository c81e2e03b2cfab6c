//! The interval of one cell: Clopper-Pearson at an effective number of units whose design effect
//! is estimated with one all-pass and one all-fail pseudo-unit added (padded Korn-Graubard,
//! formulas 3.1 and F1, rule A5). Measured coverage 95.1% or more for 4 to 300 tasks.

use super::beta::beta_quantile;
use super::error::StatsError;
use super::limits::{Limits, check_alpha};
use super::units::{Edge, Units};

/// Rate of one cell with its interval. With one unit it says something about that unit only.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CellEstimate {
    /// weighted mean of the units, in [0, 1]
    pub mean: f64,
    /// lower limit, in [0, 1]
    pub lower: f64,
    /// upper limit, in [0, 1]
    pub upper: f64,
    /// equally weighted units that the weights are worth ("counts as 8.7 independent tasks")
    pub n_weight: f64,
    /// design effect: variance of the unit values over that of 0/1 values with the same mean
    pub deff: f64,
    /// effective number of 0/1 units, n_weight / deff
    pub n_eff: f64,
}

impl From<CellEstimate> for Limits {
    fn from(cell: CellEstimate) -> Self {
        Self {
            lower: cell.lower,
            upper: cell.upper,
        }
    }
}

/// The padded Korn-Graubard interval at two-sided error `alpha`.
/// Errors: alpha outside (0, 1].
pub fn korn_graubard(units: &Units, alpha: f64) -> Result<CellEstimate, StatsError> {
    check_alpha(alpha)?;
    let shape = Shape::of(units);
    Ok(CellEstimate {
        mean: shape.mean,
        lower: shape.lower(alpha),
        upper: shape.upper(alpha),
        n_weight: shape.n_weight,
        deff: shape.deff,
        n_eff: shape.n_eff,
    })
}

/// Everything of the interval that doesn't depend on the level: a search over levels needs it once.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shape {
    pub(crate) mean: f64,
    n_weight: f64,
    deff: f64,
    n_eff: f64,
    edge: Edge,
}

impl Shape {
    pub(crate) fn of(units: &Units) -> Self {
        let (mean, n) = (units.mean(), units.n_weight());
        let padded_mean = (n * mean + 1.0) / (n + 2.0);
        let squares = n * units.average(|x| x * x) + 1.0;
        let variance = (squares - (n + 2.0) * padded_mean * padded_mean) / (n + 1.0);
        let binomial = padded_mean * (1.0 - padded_mean);
        let deff = (variance / binomial).max(units.deff_floor()).min(1.0);
        Self {
            mean,
            n_weight: n,
            deff,
            n_eff: n / deff,
            edge: units.edge(),
        }
    }

    pub(crate) fn lower(&self, alpha: f64) -> f64 {
        let passes = self.mean * self.n_eff;
        match self.edge {
            Edge::AllFail => 0.0,
            Edge::AllPass => beta_quantile(alpha / 2.0, passes, 1.0),
            Edge::Inside => beta_quantile(alpha / 2.0, passes, self.n_eff - passes + 1.0),
        }
    }

    pub(crate) fn upper(&self, alpha: f64) -> f64 {
        let passes = self.mean * self.n_eff;
        match self.edge {
            Edge::AllPass => 1.0,
            Edge::AllFail => 1.0 - beta_quantile(alpha / 2.0, self.n_eff, 1.0),
            Edge::Inside => 1.0 - beta_quantile(alpha / 2.0, self.n_eff - passes, passes + 1.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::arm::Arm;
    use super::*;

    fn interval(passes: &[u32]) -> CellEstimate {
        let runs = vec![5; passes.len()];
        korn_graubard(&Units::tasks(Arm::new(passes, &runs).unwrap()), 0.05).unwrap()
    }

    #[test]
    fn the_demo_of_four_tasks() {
        let one_miss = interval(&[5, 5, 5, 4]);
        assert!((one_miss.mean - 0.95).abs() < 1e-15);
        assert!((one_miss.lower - 0.348).abs() < 5e-4, "{one_miss:?}");
        assert!(
            one_miss.upper > 0.9995 && one_miss.upper < 1.0,
            "{one_miss:?}"
        );
        let clean = interval(&[5, 5, 5, 5]);
        assert!((clean.lower - 0.025_f64.powf(0.25)).abs() < 1e-14);
        assert_eq!((clean.mean, clean.upper), (1.0, 1.0));
    }

    #[test]
    fn one_repeat_is_the_exact_binomial_interval_on_tasks() {
        let passes = [1, 0, 1, 1, 0, 1, 1, 1];
        let units = Units::tasks(Arm::new(&passes, &[1; 8]).unwrap());
        let got = korn_graubard(&units, 0.1).unwrap();
        let exact = super::super::clopper_pearson(6, 8, 0.1).unwrap();
        assert!((got.lower - exact.lower).abs() < 1e-12 && (got.upper - exact.upper).abs() < 1e-12);
    }
}
