//! Tasks that are only assumed: what a plan is made of before there are any results (formula 3.8).

use super::beta::beta_quantile;
use super::error::StatsError;
use super::limits::in_range;
use super::sample_size::PairDesign;

/// What is assumed of two cells and the tasks that they meet; all fractions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TaskWorld {
    /// mean pass rate of the baseline, in (0, 1)
    pub pass_rate: f64,
    /// share of a single rollout's variance that is a task disagreeing with itself, in \[0, 1\]
    pub noise_share: f64,
    /// correlation over tasks of the two cells' true rates, in \[0, 1\]
    pub correlation: f64,
}

impl Default for TaskWorld {
    /// Four rollouts of five pass, half of the variance is noise, and mostly the same tasks are
    /// hard for both cells.
    fn default() -> Self {
        Self {
            pass_rate: 0.8,
            noise_share: 0.5,
            correlation: 0.8,
        }
    }
}

/// How many equally likely rates stand for the distribution of tasks.
const RATES: usize = 200;

impl TaskWorld {
    /// The variances behind a task's difference where the challenger passes `drop` less on average
    /// (a fraction from 0 up to the pass rate), having lost the same share of every task's passes.
    /// Rates are beta distributed, so the variance between tasks is v = p(1-p)(1-noise), and the
    /// true differences have 2v(1-correlation) + v(drop/p)^2.
    /// Errors: a figure out of range.
    pub fn design(&self, drop: f64, repeats: u32) -> Result<PairDesign, StatsError> {
        self.check(drop)?;
        let p = self.pass_rate;
        let total = p * (1.0 - p);
        let between = total * (1.0 - self.noise_share);
        let kept = 1.0 - drop / p;
        Ok(PairDesign {
            task_variance: 2.0 * between * (1.0 - self.correlation)
                + between * (1.0 - kept).powi(2),
            rollout_variance_a: kept * p - kept * kept * (p * p + between),
            rollout_variance_b: total - between,
            repeats,
        })
    }

    pub(crate) fn check(&self, drop: f64) -> Result<(), StatsError> {
        let share = |value: f64| (0.0..=1.0).contains(&value);
        let p = self.pass_rate;
        in_range("pass rate", p, p > 0.0 && p < 1.0)?;
        in_range("noise share", self.noise_share, share(self.noise_share))?;
        in_range("correlation", self.correlation, share(self.correlation))?;
        in_range("drop", drop, (0.0..=p).contains(&drop))
    }

    /// Equally likely true rates of a task.
    pub(crate) fn rates(&self) -> Vec<f64> {
        let (p, noise) = (self.pass_rate, self.noise_share);
        let middle = |at: usize| (at as f64 + 0.5) / RATES as f64;
        let rate = |at: usize| {
            if noise > 1.0 - 1e-9 {
                p
            } else if noise < 1e-3 {
                f64::from(u8::from(middle(at) > 1.0 - p))
            } else {
                let size = noise / (1.0 - noise);
                beta_quantile(middle(at), p * size, (1.0 - p) * size)
            }
        };
        (0..RATES).map(rate).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Power, tasks_for_design};
    use super::*;

    #[test]
    fn the_tasks_needed_are_those_of_the_recipes_table() {
        let tasks = |drop, repeats| {
            let design = TaskWorld::default().design(drop, repeats).unwrap();
            tasks_for_design(design, drop, Power::default())
                .unwrap()
                .ceil()
        };
        for (drop, expected) in [
            (0.03, [1876.0, 812.0, 600.0, 440.0]),
            (0.05, [721.0, 308.0, 226.0, 164.0]),
            (0.1, [206.0, 86.0, 63.0, 45.0]),
            (0.2, [62.0, 26.0, 19.0, 13.0]),
        ] {
            assert_eq!([1, 3, 5, 10].map(|repeats| tasks(drop, repeats)), expected);
        }
        // with the same difficulty for both cells
        let alike = TaskWorld {
            correlation: 1.0,
            ..TaskWorld::default()
        };
        let design = alike.design(0.03, 10).unwrap();
        let tasks = tasks_for_design(design, 0.03, Power::default()).unwrap();
        assert!((159.0..=162.0).contains(&tasks), "{tasks}");
    }

    #[test]
    fn the_rates_have_the_mean_and_the_spread_that_are_assumed() {
        for (pass_rate, noise_share) in [(0.8, 0.5), (0.95, 0.3), (0.5, 0.0), (0.7, 1.0)] {
            let world = TaskWorld {
                pass_rate,
                noise_share,
                correlation: 0.5,
            };
            let rates = world.rates();
            let n = rates.len() as f64;
            let mean = rates.iter().sum::<f64>() / n;
            let spread = rates.iter().map(|r| (r - mean).powi(2)).sum::<f64>() / n;
            let expected = pass_rate * (1.0 - pass_rate) * (1.0 - noise_share);
            assert!((mean - pass_rate).abs() < 2e-3, "{world:?}: {mean}");
            assert!((spread - expected).abs() < 3e-3, "{world:?}: {spread}");
        }
    }

    #[test]
    fn what_cannot_be_is_refused() {
        let world = TaskWorld::default();
        assert!(world.design(0.81, 5).is_err() && world.design(f64::NAN, 5).is_err());
        let certain = TaskWorld {
            pass_rate: 1.0,
            ..world
        };
        assert!(certain.design(0.1, 5).is_err());
    }
}
