//! What one cell did: passes and rollouts per task. Every comparison starts from two of these.

use super::error::StatsError;

/// One cell's counts, task by task, in the same task order as every arm it is compared with.
#[derive(Clone, Copy, Debug)]
pub struct Arm<'a> {
    passes: &'a [u32],
    runs: &'a [u32],
}

impl<'a> Arm<'a> {
    /// Takes passes and rollouts per task (same length, at least one task, each task at least one
    /// rollout, passes at most rollouts); anything else is an error that names the task.
    pub fn new(passes: &'a [u32], runs: &'a [u32]) -> Result<Self, StatsError> {
        if passes.len() != runs.len() {
            return Err(StatsError::LengthMismatch {
                left: passes.len(),
                right: runs.len(),
            });
        }
        if passes.is_empty() {
            return Err(StatsError::NoTasks);
        }
        for (task, (&passes, &runs)) in passes.iter().zip(runs).enumerate() {
            if runs == 0 {
                return Err(StatsError::TooFewRuns {
                    task,
                    runs,
                    needed: 1,
                });
            }
            if passes > runs {
                return Err(StatsError::PassesExceedRuns { task, passes, runs });
            }
        }
        Ok(Self { passes, runs })
    }

    /// Number of tasks, at least 1.
    pub fn tasks(&self) -> usize {
        self.passes.len()
    }

    /// Passes per task.
    pub fn passes(&self) -> &'a [u32] {
        self.passes
    }

    /// Rollouts per task.
    pub fn runs(&self) -> &'a [u32] {
        self.runs
    }

    /// Pass rate of each task, in [0, 1].
    pub fn rates(&self) -> Vec<f64> {
        self.counts()
            .map(|(k, r)| f64::from(k) / f64::from(r))
            .collect()
    }

    /// Mean of the task pass rates, in [0, 1]; every task counts once, whatever its repeats.
    pub fn mean(&self) -> f64 {
        let tasks = self.tasks() as f64;
        match self.equal_runs() {
            Some(runs) => self.total_passes() as f64 / (f64::from(runs) * tasks),
            None => self.rates().iter().sum::<f64>() / tasks,
        }
    }

    pub(crate) fn counts(&self) -> impl Iterator<Item = (u32, u32)> + 'a {
        self.passes.iter().copied().zip(self.runs.iter().copied())
    }

    pub(crate) fn total_passes(&self) -> u64 {
        self.passes.iter().map(|&k| u64::from(k)).sum()
    }

    pub(crate) fn equal_runs(&self) -> Option<u32> {
        let first = *self.runs.first()?;
        self.runs.iter().all(|&r| r == first).then_some(first)
    }

    pub(crate) fn max_runs(&self) -> u32 {
        self.runs.iter().copied().max().unwrap_or(1)
    }

    pub(crate) fn all_pass(&self) -> bool {
        self.passes == self.runs
    }

    pub(crate) fn all_fail(&self) -> bool {
        self.passes.iter().all(|&k| k == 0)
    }

    /// Rejects a partner over another number of tasks.
    pub(crate) fn check_same_tasks(&self, other: &Arm<'_>) -> Result<(), StatsError> {
        if self.tasks() == other.tasks() {
            Ok(())
        } else {
            Err(StatsError::LengthMismatch {
                left: self.tasks(),
                right: other.tasks(),
            })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bad_counts_are_refused_by_name() {
        assert_eq!(Arm::new(&[], &[]).unwrap_err(), StatsError::NoTasks);
        assert_eq!(
            Arm::new(&[1], &[1, 2]).unwrap_err(),
            StatsError::LengthMismatch { left: 1, right: 2 }
        );
        assert_eq!(
            Arm::new(&[1, 3], &[2, 2]).unwrap_err(),
            StatsError::PassesExceedRuns {
                task: 1,
                passes: 3,
                runs: 2
            }
        );
        assert_eq!(
            Arm::new(&[0], &[0]).unwrap_err(),
            StatsError::TooFewRuns {
                task: 0,
                runs: 0,
                needed: 1
            }
        );
    }

    #[test]
    fn a_task_with_many_repeats_counts_once() {
        assert_eq!(Arm::new(&[10, 0], &[10, 1]).unwrap().mean(), 0.5);
    }
}
