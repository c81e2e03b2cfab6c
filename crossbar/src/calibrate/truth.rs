//! What is true in one simulated sweep, and the draws that worlds are made of.

use crate::stats::{Draws, beta_quantile};

/// What is true of the cells of one sweep, the baseline first.
pub(super) struct Truth {
    /// The true pass rate of every cell on every task that was drawn.
    pub(super) rates: Vec<Vec<f64>>,
    /// The true pass rate of every cell over all tasks of the world.
    pub(super) means: Vec<f64>,
}

impl Truth {
    /// Challenger minus baseline over all tasks of the world.
    pub(super) fn gap(&self, challenger: usize) -> f64 {
        self.means[challenger + 1] - self.means[0]
    }

    /// Challenger minus baseline over the tasks that were drawn.
    pub(super) fn gap_here(&self, challenger: usize) -> f64 {
        average(&self.rates[challenger + 1]) - average(&self.rates[0])
    }
}

pub(super) fn average(list: &[f64]) -> f64 {
    list.iter().sum::<f64>() / list.len() as f64
}

/// Whether something of this chance happens.
pub(super) fn chance(draws: &mut Draws, chance: f64) -> bool {
    draws.fraction() < chance
}

/// One of a list.
pub(super) fn pick(draws: &mut Draws, list: &[f64]) -> f64 {
    list[draws.index(list.len())]
}

/// How many difficulties a beta world is made of.
const STEPS: usize = 400;

/// The difficulties of a beta world: the middles of 400 equal parts of Beta(mean s, (1 - mean) s).
/// The smaller `s`, the more tasks differ; s = 1 makes half of a rollout's variance noise.
pub(super) fn beta(mean: f64, s: f64) -> Vec<f64> {
    let middle = |step: usize| (step as f64 + 0.5) / STEPS as f64;
    (0..STEPS)
        .map(|step| beta_quantile(middle(step), mean * s, (1.0 - mean) * s))
        .collect()
}

/// Difficulties of tasks that cells share: with chance `shared` a cell finds a task as hard as all
/// do, else as hard as another task. The correlation of two cells is `shared` to the baseline.
pub(super) struct Shared<'w> {
    pub(super) difficulties: &'w [f64],
    pub(super) shared: f64,
}

impl Shared<'_> {
    /// True rates of the baseline and of `challengers` cells on `tasks` tasks; a challenger's are
    /// multiplied by its factor.
    pub(super) fn draw(&self, draws: &mut Draws, tasks: usize, factors: &[f64]) -> Truth {
        let base: Vec<f64> = (0..tasks).map(|_| pick(draws, self.difficulties)).collect();
        let mut rates = vec![base];
        for factor in factors {
            let mut own = Vec::with_capacity(tasks);
            for shared in &rates[0] {
                let same = chance(draws, self.shared);
                let other = pick(draws, self.difficulties);
                own.push(factor * if same { *shared } else { other });
            }
            rates.push(own);
        }
        let mean = average(self.difficulties);
        let means = std::iter::once(mean).chain(factors.iter().map(|f| f * mean));
        Truth {
            means: means.collect(),
            rates,
        }
    }
}

/// A baseline that passes each task with chance 1 - `dead`, and cells that always pass but for that
/// share of tasks, which they can never do.
pub(super) fn specialists(draws: &mut Draws, (tasks, cells): (usize, usize), dead: f64) -> Truth {
    let mut rates = vec![vec![1.0 - dead; tasks]];
    for _ in 0..cells {
        let able = |_| f64::from(u8::from(!chance(draws, dead)));
        rates.push((0..tasks).map(able).collect());
    }
    Truth {
        means: vec![1.0 - dead; cells + 1],
        rates,
    }
}

/// How cells lose what they lack.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Loss {
    /// A little on every task.
    Even,
    /// All of it on tasks that they can never do.
    Dead,
}

/// A baseline over these difficulties, and cells that are worse by `lost` on average.
pub(super) fn losers(
    draws: &mut Draws,
    difficulties: &[f64],
    ((tasks, cells), lost, loss): ((usize, usize), f64, Loss),
) -> Truth {
    let base: Vec<f64> = (0..tasks).map(|_| pick(draws, difficulties)).collect();
    let mean = average(difficulties);
    let kept = 1.0 - lost / mean;
    let mut rates = vec![base.clone()];
    for _ in 0..cells {
        let rate = |base: &f64| match loss {
            Loss::Even => base * kept,
            Loss::Dead => base * f64::from(u8::from(chance(draws, kept))),
        };
        rates.push(base.iter().map(rate).collect());
    }
    let means = std::iter::once(mean).chain((0..cells).map(|_| mean - lost));
    Truth {
        means: means.collect(),
        rates,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_beta_world_has_its_mean_and_its_spread() {
        let world = beta(0.8, 1.0);
        let mean = average(&world);
        assert!((mean - 0.8).abs() < 2e-3, "{mean}");
        let variance = average(&world.iter().map(|p| (p - mean).powi(2)).collect::<Vec<_>>());
        // m (1 - m) / (s + 1)
        assert!((variance - 0.08).abs() < 2e-3, "{variance}");
    }

    #[test]
    fn a_cell_that_shares_all_difficulties_is_the_baseline_times_its_factor() {
        let world = Shared {
            difficulties: &[0.2, 0.8],
            shared: 1.0,
        };
        let truth = world.draw(&mut Draws::new(1), 6, &[0.5]);
        assert!(
            truth.rates[0]
                .iter()
                .zip(&truth.rates[1])
                .all(|(a, b)| *b == a / 2.0)
        );
        assert!((truth.gap(0) + 0.25).abs() < 1e-12);
        assert!((truth.gap_here(0) + average(&truth.rates[1])).abs() < 1e-12);
    }
}
