//! How much of the error may have been spent when a part of the information is in: Lan and DeMets
//! (1983). The looks are fixed beforehand; between them nothing is decided.

use super::error::StatsError;
use super::limits::{check_alpha, in_range};
use super::normal::{normal_cdf, two_sided_z};

/// The shape of the spending.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Spending {
    /// alpha ln(1 + (e - 1) t): much early, so that clear cells stop soon
    #[default]
    Pocock,
    /// 2 - 2 Phi(z / sqrt t): little early, so that the last look is nearly that of a fixed design
    OBrienFleming,
}

impl Spending {
    /// The two-sided error spent up to `information`, a fraction in (0, 1]; all of `alpha` at 1.
    /// Errors: alpha or information out of range.
    pub fn spent(self, alpha: f64, information: f64) -> Result<f64, StatsError> {
        check_alpha(alpha)?;
        in_range(
            "information",
            information,
            information > 0.0 && information <= 1.0,
        )?;
        Ok(match self {
            Self::Pocock => alpha * libm::log1p((std::f64::consts::E - 1.0) * information),
            Self::OBrienFleming => 2.0 * normal_cdf(-two_sided_z(alpha) / information.sqrt()),
        })
    }
}

/// The looks of a group-sequential design: information grows up to 1 at the last.
#[derive(Clone, Debug, PartialEq)]
pub struct Looks {
    information: Vec<f64>,
    spent: Vec<f64>,
}

/// What grows from look to look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Growth {
    /// More repeats of the same tasks: looks share the tasks and so their luck.
    Repeats,
    /// More tasks: what is new at a look is independent of what was there.
    Tasks,
}

impl Looks {
    /// `amounts` is what has been gathered at each look (repeats, or tasks times repeats), growing;
    /// information is its share of the last. `alpha` is the two-sided error of the whole design:
    /// the family's over J where J challengers are tested.
    /// Errors: no look, amounts that don't grow, alpha outside (0, 1].
    pub fn new(spending: Spending, alpha: f64, amounts: &[u64]) -> Result<Self, StatsError> {
        let last = amounts.last().copied().ok_or(StatsError::NoTasks)?;
        let mut before = 0;
        let (mut information, mut spent) = (Vec::new(), Vec::new());
        for &amount in amounts {
            in_range("amount at a look", amount as f64, amount > before)?;
            let share = amount as f64 / last as f64;
            spent.push(spending.spent(alpha, share)?);
            information.push(share);
            before = amount;
        }
        Ok(Self { information, spent })
    }

    /// The two-sided error spent up to each look, at least one. One minus it is the level of the interval that is
    /// printed at that look ("repeated interval").
    pub fn spent(&self) -> &[f64] {
        &self.spent
    }

    /// The one-sided error at which a limit may be held against a margin at each look, where
    /// `alpha` is one-sided. More repeats: the error spent so far, since looks share their tasks
    /// (measured size with the looks 3, 5, 7, 10: 4.6%, with shared dead tasks 7.0%). More tasks:
    /// the level whose crossings of a Brownian path add up to it (Armitage, McPherson and Rowe
    /// 1969); the spent error itself would err in up to 6.7% there.
    pub fn limit_levels(&self, growth: Growth) -> Vec<f64> {
        match growth {
            Growth::Repeats => self.spent.clone(),
            Growth::Tasks => brownian_levels(&self.information, &self.spent),
        }
    }
}

/// The two-sided error to which each look at a growing number of tasks holds all its intervals and
/// every family of claims, so that over all looks the family errs in at most `alpha`: the level whose
/// crossings of a Brownian path add up to what is spent (Pocock's shape), for one side of one of
/// `family` challengers, times 2 and their number. Each later step of Holm's has a little less than it
/// might. `amounts` is the number of tasks at each look, growing.
/// Errors: as [`Looks::new`].
pub fn errors_at_tasks(alpha: f64, family: u32, amounts: &[u64]) -> Result<Vec<f64>, StatsError> {
    let parts = 2.0 * f64::from(family.max(1));
    let looks = Looks::new(Spending::Pocock, alpha / parts, amounts)?;
    let sides = looks.limit_levels(Growth::Tasks);
    Ok(sides.into_iter().map(|level| level * parts).collect())
}

/// Grid points of the path's density at a look.
const GRID: usize = 400;

/// Standard deviations below which the path is cut off.
const DEPTH: f64 = 8.0;

/// One-sided nominal levels: the path at information t is normal with variance t, and the chance
/// that look k is the first to cross its boundary is what is spent there.
fn brownian_levels(information: &[f64], spent: &[f64]) -> Vec<f64> {
    // the path before the first look stands at 0
    let mut path = vec![(0.0, 1.0)];
    let (mut before, mut used) = (0.0, 0.0);
    let mut levels = Vec::with_capacity(spent.len());
    for (&t, &total) in information.iter().zip(spent) {
        let spread = (t - before).sqrt();
        let cross = |z: f64| -> f64 {
            path.iter()
                .map(|(s, mass)| mass * normal_cdf((s - z * t.sqrt()) / spread))
                .sum()
        };
        let z = falling_root(cross, total - used);
        levels.push(normal_cdf(-z));
        path = carried(&path, (z * t.sqrt(), t), spread);
        (before, used) = (t, total);
    }
    levels
}

/// The path that stayed below `boundary`, as masses on a grid at information `t`.
fn carried(path: &[(f64, f64)], (boundary, t): (f64, f64), spread: f64) -> Vec<(f64, f64)> {
    let low = -DEPTH * t.sqrt();
    let step = (boundary - low) / GRID as f64;
    let density = |x: f64| -> f64 {
        let at = |(s, mass): &(f64, f64)| mass * (-0.5 * ((x - s) / spread).powi(2)).exp();
        path.iter().map(at).sum::<f64>() / (spread * (2.0 * std::f64::consts::PI).sqrt())
    };
    // Simpson's rule: weights 1, 4, 2, .., 4, 1
    let weight = |i: usize| match i {
        0 | GRID => 1.0,
        i if i % 2 == 1 => 4.0,
        _ => 2.0,
    };
    let point = |i: usize| low + step * i as f64;
    (0..=GRID)
        .map(|i| (point(i), weight(i) * step / 3.0 * density(point(i))))
        .collect()
}

/// Where a falling function of z takes the value `target`.
fn falling_root(f: impl Fn(f64) -> f64, target: f64) -> f64 {
    let (mut low, mut high) = (-DEPTH, DEPTH);
    for _ in 0..50 {
        let middle = 0.5 * (low + high);
        if f(middle) > target {
            low = middle;
        } else {
            high = middle;
        }
    }
    0.5 * (low + high)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_looks_have_the_published_boundaries() {
        // Pocock-type spending at one-sided 2.5%, two equal steps: z = 2.157 and 2.201
        let looks = Looks::new(Spending::Pocock, 0.025, &[1, 2]).unwrap();
        let levels = looks.limit_levels(Growth::Tasks);
        let z: Vec<f64> = levels.iter().map(|p| two_sided_z(2.0 * p)).collect();
        assert!(
            (z[0] - 2.157).abs() < 5e-4 && (z[1] - 2.201).abs() < 5e-4,
            "{z:?}"
        );
        assert_eq!(looks.limit_levels(Growth::Repeats), looks.spent());
    }

    /// Five equal steps at one-sided 2.5%, as programs for Lan-DeMets bounds print them.
    #[test]
    fn five_looks_have_the_published_boundaries() {
        let pocock = [2.4380, 2.4268, 2.4101, 2.3966, 2.3859];
        let brien_fleming = [4.8769, 3.3569, 2.6803, 2.2898, 2.0310];
        for (spending, published) in [
            (Spending::Pocock, pocock),
            (Spending::OBrienFleming, brien_fleming),
        ] {
            let looks = Looks::new(spending, 0.025, &[1, 2, 3, 4, 5]).unwrap();
            let levels = looks.limit_levels(Growth::Tasks);
            for (level, z) in levels.iter().zip(published) {
                let got = two_sided_z(2.0 * level);
                assert!((got - z).abs() < 2e-4, "{spending:?} {got} {z}");
            }
        }
    }

    #[test]
    fn what_is_no_share_of_the_information_is_refused() {
        for (information, holds) in [(0.0, false), (1e-9, true), (1.0, true), (1.1, false)] {
            let spent = Spending::Pocock.spent(0.05, information);
            assert_eq!(spent.is_ok(), holds, "{information}");
        }
    }

    #[test]
    fn a_look_at_tasks_has_its_part_of_the_error_whatever_the_family() {
        // z = 2.157 and 2.201 at one-sided 2.5%: two-sided 3.10% and 2.77%
        let one = errors_at_tasks(0.05, 1, &[20, 40]).unwrap();
        assert!(
            (one[0] - 0.0310).abs() < 1e-4 && (one[1] - 0.0277).abs() < 1e-4,
            "{one:?}"
        );
        let many = errors_at_tasks(0.05, 15, &[20, 40]).unwrap();
        assert!(many[1] < one[1] && many[1] > 0.02, "{many:?}");
        assert!((errors_at_tasks(0.05, 3, &[40]).unwrap()[0] - 0.05).abs() < 1e-6);
        assert!(errors_at_tasks(0.05, 1, &[40, 40]).is_err());
    }

    #[test]
    fn a_single_look_spends_everything_at_once() {
        let looks = Looks::new(Spending::OBrienFleming, 0.05, &[40]).unwrap();
        let level = looks.limit_levels(Growth::Tasks)[0];
        assert!((level - 0.05).abs() < 1e-9, "{level}");
    }

    #[test]
    fn the_last_look_spends_the_rest() {
        for spending in [Spending::Pocock, Spending::OBrienFleming] {
            let looks = Looks::new(spending, 0.05, &[3, 5, 7, 10]).unwrap();
            assert!((looks.spent()[3] - 0.05).abs() < 1e-15);
            assert!(looks.spent().windows(2).all(|w| w[0] < w[1]), "{looks:?}");
        }
        assert!(Looks::new(Spending::Pocock, 0.05, &[]).is_err());
        assert!(Looks::new(Spending::Pocock, 0.05, &[5, 5]).is_err());
        assert!(Looks::new(Spending::Pocock, 0.0, &[5]).is_err());
    }
}
