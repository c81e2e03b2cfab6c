//! The floor of a case: a pass rate that somebody declared, and whether it is conclusively missed.

use super::{AnalysisError, Question, TaskInfo};
use crate::stats::clopper_pearson;

/// A declared pass rate with the error that it may be called missed with.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Floor {
    rate: f64,
    alpha: f64,
}

impl Floor {
    /// A floor of `rate`, in (0, 1]; `alpha`, in (0, 0.5], is the error over all `floors` cases
    /// of a sweep that have one, and each gets its equal share.
    #[must_use]
    pub fn new(rate: f64, alpha: f64, floors: usize) -> Self {
        Self {
            rate,
            alpha: alpha / floors.max(1) as f64,
        }
    }

    /// The floor of a task's cases, if it has one: each cell of the question has one of its own.
    /// In a replay no task has one: a miss would be a word about models that nobody asked.
    #[must_use]
    pub fn of(question: &Question, task: &TaskInfo) -> Option<Self> {
        if question.replay_of.is_some() {
            return None;
        }
        let declared = question.tasks.iter().filter(|t| t.min_pass_rate.is_some());
        let floors = declared.count() * question.cells.len();
        Some(Self::new(task.min_pass_rate?, question.alpha, floors))
    }

    /// The declared rate.
    #[must_use]
    pub fn rate(&self) -> f64 {
        self.rate
    }

    /// The exact one-sided upper limit of Clopper and Pearson (1934) for `passes` in `runs`, where
    /// it is under the floor; `None` where the floor may still be met.
    ///
    /// # Errors
    /// When there are more passes than runs.
    pub fn missed(&self, passes: u64, runs: u64) -> Result<Option<f64>, AnalysisError> {
        let upper = clopper_pearson(passes, runs, 2.0 * self.alpha)?.upper;
        Ok((runs > 0 && upper < self.rate).then_some(upper))
    }

    /// How few repeats could show that it is missed, if all of them fail: the smallest n with
    /// `1 - alpha^(1/n)` under the rate.
    #[must_use]
    pub fn repeats_needed(&self) -> u64 {
        if self.rate >= 1.0 {
            return 1;
        }
        let mut needed = (self.alpha.ln() / (-self.rate).ln_1p()).floor().max(1.0) as u64;
        while 1.0 - self.alpha.powf(1.0 / needed as f64) >= self.rate {
            needed += 1;
        }
        needed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_conclusive_miss_counts() {
        let floor = Floor::new(0.8, 0.05, 1);
        // 1 - 0.05^(1/3) = 0.6316; with one pass of three the limit is 0.8647.
        let missed = floor.missed(0, 3).unwrap().unwrap();
        assert!((missed - 0.631_597).abs() < 1e-6, "{missed}");
        assert_eq!(floor.missed(1, 3).unwrap(), None);
        assert_eq!(floor.missed(0, 0).unwrap(), None);
        assert!(Floor::new(1.0, 0.05, 1).missed(9, 10).unwrap().is_some());
        assert!(floor.missed(2, 1).is_err());
    }

    #[test]
    fn the_error_is_shared_by_all_floors() {
        // 1 - (0.05/20)^(1/3) = 0.8643.
        assert_eq!(Floor::new(0.8, 0.05, 20).missed(0, 3).unwrap(), None);
    }

    #[test]
    fn the_repeats_needed_are_the_fewest_that_could_show_a_miss() {
        for (rate, floors) in [
            (0.8, 1),
            (0.8, 20),
            (0.5, 3),
            (0.05, 1),
            (1.0, 9),
            (0.99, 1),
        ] {
            let floor = Floor::new(rate, 0.05, floors);
            let needed = floor.repeats_needed();
            assert!(
                floor.missed(0, needed).unwrap().is_some(),
                "{rate} {floors}"
            );
            let one_less = floor.missed(0, needed - 1).unwrap();
            assert_eq!(one_less, None, "{rate} {floors}");
        }
        assert_eq!(Floor::new(0.8, 0.05, 1).repeats_needed(), 2);
    }
}
