//! NOISE: how often a cell disagrees with itself on the same task.

use super::AnalysisError;
use super::rates::estimate;
use super::table::{Counts, Row, View};
use crate::domain::Estimate;
use crate::stats::{NoiseShare, Resampling, noise_share_interval, variance_split};
use serde::Serialize;

/// The resamples of the interval, with a seed of their own: the figure depends on nothing else.
const RESAMPLING: Resampling = Resampling {
    resamples: 400,
    seed: 0x6e6f_6973_6500_0001,
};

/// Run-to-run noise of one cell.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct NoiseLine {
    /// Tasks with both passes and failures.
    pub disagreed: u32,
    /// Tasks with two or more finished rollouts: only they can disagree.
    pub of: u32,
    /// The share of a single rollout's variance that is noise, 0..=1, with its bootstrap
    /// interval; `None` unless it can be estimated (10 mixed tasks, 3 hard ones, 50 tasks).
    pub share: Option<Estimate>,
}

impl NoiseLine {
    /// Whether the card warns: the share is shown, and above one half.
    #[must_use]
    pub fn warns(&self) -> bool {
        self.share.is_some_and(|share| share.value() > 0.5)
    }
}

/// The noise of a cell over its measured rollouts.
pub(super) fn line(row: &Row<'_>, alpha: f64) -> Result<NoiseLine, AnalysisError> {
    let counts = row.counts(View::Measured);
    let pairs = counts.passes.into_iter().zip(counts.runs);
    let (passes, runs): (Vec<u32>, Vec<u32>) = pairs.filter(|(_, runs)| *runs >= 2).unzip();
    if runs.is_empty() {
        return Ok(NoiseLine {
            disagreed: 0,
            of: 0,
            share: None,
        });
    }
    let counts = Counts { passes, runs };
    let arm = counts.arm()?;
    let split = variance_split(arm);
    let limits = noise_share_interval(arm, RESAMPLING, alpha)?;
    let share = match (split.share_of_rollout, limits) {
        (NoiseShare::Share(value), Some(limits)) => Some(estimate(
            value,
            limits.lower,
            Some(limits.upper),
            split.tasks,
        )?),
        _ => None,
    };
    Ok(NoiseLine {
        disagreed: split.disagreeing as u32,
        of: split.tasks as u32,
        share,
    })
}

#[cfg(test)]
mod tests {
    use super::super::fixture::Sweep;

    #[test]
    fn the_share_is_shown_only_under_its_gate() {
        let few = Sweep::new(4, 5).cell("a+x", 10, &[5, 3, 1, 0]).analyze();
        let line = few.cells[0].noise;
        assert_eq!((line.disagreed, line.of, line.share), (2, 4, None));
        assert!(!line.warns());
        let passes: Vec<u32> = (0..60).map(|i| [5, 3, 2, 1, 4, 3][i % 6]).collect();
        let many = Sweep::new(60, 5).cell("a+x", 10, &passes).analyze();
        let line = many.cells[0].noise;
        assert_eq!((line.disagreed, line.of), (50, 60));
        assert!(line.warns(), "{line:?}");
        let once = Sweep::new(3, 1).cell("a+x", 10, &[1, 0, 1]).analyze();
        assert_eq!(once.cells[0].noise.of, 0);
    }
}
