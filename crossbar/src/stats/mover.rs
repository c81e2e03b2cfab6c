//! The interval of a difference between two cells on the same units: MOVER (square and add, Zou
//! and Donner 2008) on the two Korn-Graubard intervals, with a correlation that is padded by two
//! pseudo-tasks and shrunk (formulas 3.4 and F2b).

use super::error::StatsError;
use super::korn_graubard::Shape;
use super::limits::check_alpha;
use super::normal::two_sided_z;
use super::units::Units;

/// How strongly the correlation between two cells is pulled down.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Padding {
    /// each pseudo-task weighs z^2/16
    #[default]
    Normal,
    /// each pseudo-task weighs z^2/8: fewer false claims where cells share dead tasks, less power
    Strict,
    /// no pseudo-tasks: the plain correlation, for comparison only (one-sided 6.3% at 2.5% and
    /// 24% family-wise error over 39 cells where cells share dead tasks)
    Unpadded,
}

/// A challenger and its baseline on the same units.
#[derive(Clone, Copy, Debug)]
pub struct Pair<'a> {
    /// the challenger
    pub a: &'a Units,
    /// the baseline
    pub b: &'a Units,
}

/// Mean of a minus mean of b, with its interval; all fractions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Difference {
    /// the difference, in [-1, 1]
    pub diff: f64,
    /// lower limit
    pub lower: f64,
    /// upper limit
    pub upper: f64,
    /// the padded, shrunk correlation that was used
    pub phi: f64,
    /// weight of each of the two pseudo-tasks at this level
    pub pad_weight: f64,
}

/// The MOVER interval of a - b at two-sided error `alpha`.
/// Errors: other units or weights in the two arms, fewer than 2 units, alpha outside (0, 1].
pub fn mover(pair: Pair<'_>, alpha: f64, padding: Padding) -> Result<Difference, StatsError> {
    check_alpha(alpha)?;
    Ok(Paired::new(pair, padding)?.at(alpha))
}

/// A pair with everything that doesn't depend on the level.
pub(crate) struct Paired {
    a: Shape,
    b: Shape,
    diff: f64,
    n: f64,
    aa: f64,
    bb: f64,
    ab: f64,
    padding: Padding,
}

impl Paired {
    pub(crate) fn new(pair: Pair<'_>, padding: Padding) -> Result<Self, StatsError> {
        let Pair { a, b } = pair;
        a.check_pairs_with(b)?;
        if a.len() < 2 {
            return Err(StatsError::TooFewTasks {
                tasks: a.len(),
                needed: 2,
            });
        }
        let (shape_a, shape_b) = (Shape::of(a), Shape::of(b));
        Ok(Self {
            a: shape_a,
            b: shape_b,
            diff: shape_a.mean - shape_b.mean,
            n: a.n_weight(),
            aa: a.average(|x| x * x),
            bb: b.average(|x| x * x),
            ab: a.average_product(b),
            padding,
        })
    }

    pub(crate) fn diff(&self) -> f64 {
        self.diff
    }

    pub(crate) fn at(&self, alpha: f64) -> Difference {
        let (phi, pad_weight) = self.phi(alpha);
        Difference {
            diff: self.diff,
            lower: self.diff - self.reach_down(alpha, phi),
            upper: self.diff + self.reach_up(alpha, phi),
            phi,
            pad_weight,
        }
    }

    pub(crate) fn lower(&self, alpha: f64) -> f64 {
        self.diff - self.reach_down(alpha, self.phi(alpha).0)
    }

    pub(crate) fn upper(&self, alpha: f64) -> f64 {
        self.diff + self.reach_up(alpha, self.phi(alpha).0)
    }

    fn reach_down(&self, alpha: f64, phi: f64) -> f64 {
        square_and_add(
            self.a.mean - self.a.lower(alpha),
            self.b.upper(alpha) - self.b.mean,
            phi,
        )
    }

    fn reach_up(&self, alpha: f64, phi: f64) -> f64 {
        square_and_add(
            self.a.upper(alpha) - self.a.mean,
            self.b.mean - self.b.lower(alpha),
            phi,
        )
    }

    /// Padded correlation and the weight of a pseudo-task. The pseudo-tasks are (1, 0) and (0, 1).
    fn phi(&self, alpha: f64) -> (f64, f64) {
        let divisor = match self.padding {
            Padding::Normal => 16.0,
            Padding::Strict => 8.0,
            Padding::Unpadded => f64::INFINITY,
        };
        let n = self.n;
        if self.padding == Padding::Unpadded && n < 3.0 {
            return (0.0, 0.0);
        }
        let weight = two_sided_z(alpha).powi(2) / divisor;
        let total = n + 2.0 * weight;
        let mean_a = (n * self.a.mean + weight) / total;
        let mean_b = (n * self.b.mean + weight) / total;
        let var_a = (n * self.aa + weight) / total - mean_a * mean_a;
        let var_b = (n * self.bb + weight) / total - mean_b * mean_b;
        // only without a weight (at level 1, or unpadded) can a variance vanish
        if var_a * total < 1e-12 || var_b * total < 1e-12 {
            return (0.0, weight);
        }
        let phi = (n * self.ab / total - mean_a * mean_b) / (var_a * var_b).sqrt();
        (
            if phi > 0.0 {
                phi * ((n - 2.0) / n).max(0.0)
            } else {
                phi
            },
            weight,
        )
    }
}

/// sqrt(x^2 - 2 phi x y + y^2), 0 where rounding makes the radicand negative, infinite where a
/// distance is.
pub(crate) fn square_and_add(x: f64, y: f64, phi: f64) -> f64 {
    if x.is_infinite() || y.is_infinite() {
        return f64::INFINITY;
    }
    (x * x - 2.0 * phi * x * y + y * y).max(0.0).sqrt()
}

#[cfg(test)]
mod tests {
    use super::super::arm::Arm;
    use super::*;

    fn compare(a: &[u32], b: &[u32]) -> Difference {
        let runs = vec![5; a.len()];
        let (a, b) = (
            Units::tasks(Arm::new(a, &runs).unwrap()),
            Units::tasks(Arm::new(b, &runs).unwrap()),
        );
        mover(Pair { a: &a, b: &b }, 0.05, Padding::Normal).unwrap()
    }

    #[test]
    fn swapping_the_arms_flips_the_sign() {
        let (there, back) = (
            compare(&[5, 4, 0, 3], &[5, 1, 2, 2]),
            compare(&[5, 1, 2, 2], &[5, 4, 0, 3]),
        );
        assert!((there.diff + back.diff).abs() < 1e-15);
        assert!(
            (there.lower + back.upper).abs() < 1e-12 && (there.upper + back.lower).abs() < 1e-12
        );
    }

    fn plain_phi(a: &[f64], b: &[f64]) -> f64 {
        let (a, b) = (Units::graded(a).unwrap(), Units::graded(b).unwrap());
        let pair = Pair { a: &a, b: &b };
        mover(pair, 0.05, Padding::Unpadded).unwrap().phi
    }

    /// Rule A9.
    #[test]
    fn a_plain_correlation_needs_three_units_and_spread_in_both_cells() {
        assert_eq!(plain_phi(&[0.2, 0.8], &[0.8, 0.2]), 0.0);
        let three = [0.25, 0.5, 0.75];
        assert!((plain_phi(&three, &three) - 1.0 / 3.0).abs() < 1e-12);
        // equal values whose variance is rounding and not 0 to the last bit, too
        for (value, units) in [0.1, 0.3, 0.5, 0.7]
            .into_iter()
            .flat_map(|v| [(v, 3), (v, 7), (v, 12)])
        {
            let flat = vec![value; units];
            let mut other = vec![0.9; units];
            other[1] = 0.2;
            assert_eq!(plain_phi(&flat, &other), 0.0, "{value} {units}");
            assert_eq!(plain_phi(&other, &flat), 0.0, "{value} {units}");
        }
        // little, and more than rounding
        let close = [0.5 - 1e-6, 0.5 + 1e-6, 0.5 - 1e-6, 0.5 + 1e-6];
        let wide = [0.2, 0.4, 0.2, 0.4];
        for phi in [plain_phi(&close, &wide), plain_phi(&wide, &close)] {
            assert!((phi - 0.5).abs() < 1e-3, "{phi}");
        }
    }

    #[test]
    fn two_clean_cells_still_have_a_wide_interval() {
        let clean = compare(&[5; 4], &[5; 4]);
        assert!(
            clean.diff == 0.0 && clean.lower < -0.6 && clean.upper > 0.6,
            "{clean:?}"
        );
    }

    #[test]
    fn one_task_has_no_interval_and_other_weights_do_not_pair() {
        let arm = Arm::new(&[5], &[5]).unwrap();
        let one = Units::tasks(arm);
        let err = mover(Pair { a: &one, b: &one }, 0.05, Padding::Normal).unwrap_err();
        assert_eq!(
            err,
            StatsError::TooFewTasks {
                tasks: 1,
                needed: 2
            }
        );
        let arm = Arm::new(&[5, 3], &[5, 5]).unwrap();
        let (plain, heavy) = (
            Units::tasks(arm),
            Units::weighted(arm, &[1.0, 2.0]).unwrap(),
        );
        let err = mover(
            Pair {
                a: &plain,
                b: &heavy,
            },
            0.05,
            Padding::Normal,
        )
        .unwrap_err();
        assert_eq!(err, StatsError::WeightsDiffer);
    }
}
