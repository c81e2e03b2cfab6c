//! The error of a verdict that is one of several, asked while a pack grows in declared batches.

use super::{AnalysisError, Question};
use crate::domain::TaskLooks;
use crate::stats::errors_at_tasks;
use serde::{Deserialize, Serialize};

/// Which of the declared looks a verdict is.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TaskLook {
    /// The numbers of tasks that were declared.
    pub looks: TaskLooks,
    /// Which of them this is, from 1; `None` at a number of tasks that is none of them.
    pub look: Option<u32>,
    /// The tasks that there are.
    pub tasks: u32,
    /// The two-sided error of all looks together.
    pub whole: f64,
}

/// Errors are cut to hundredths of a point, so that a level is a short number.
const STEPS: f64 = 1e4;

impl Question {
    /// The same question as one of several looks at a growing number of tasks: `alpha` becomes the
    /// error of this look, so that all declared ones together err in at most what it was (alpha
    /// spending by Lan and DeMets 1983 in Pocock's shape; see `stats::errors_at_tasks`). At a number
    /// of tasks between two looks it is that of a look there; beyond the last, that of the last.
    ///
    /// # Errors
    /// `AnalysisError` for an alpha that is none.
    pub fn at_task_looks(mut self, looks: TaskLooks) -> Result<Self, AnalysisError> {
        let (tasks, last) = (self.tasks.len() as u32, looks.most());
        let now = tasks.clamp(1, last);
        let before = looks.tasks().iter().filter(|look| **look < now);
        let mut amounts: Vec<u64> = before.map(|look| u64::from(*look)).collect();
        let place = amounts.len();
        amounts.push(now.into());
        amounts.extend((now < last).then_some(u64::from(last)));
        let challengers = self.cells.iter();
        let challengers = challengers.filter(|cell| self.baseline.as_ref() != Some(&cell.id));
        let errors = errors_at_tasks(self.alpha, challengers.count() as u32, &amounts)?;
        let error = errors.get(place).copied().unwrap_or(self.alpha);
        // what a root was searched for is exact to ten places
        let cut = (error * STEPS + 1e-6).floor() / STEPS;
        let found = looks.tasks().iter().position(|look| *look == tasks);
        self.task_look = Some(TaskLook {
            look: found.map(|at| at as u32 + 1),
            looks,
            tasks,
            whole: self.alpha,
        });
        self.alpha = if cut > 0.0 { cut } else { error };
        Ok(self)
    }
}

#[cfg(test)]
mod tests {
    use super::super::fixture::Sweep;
    use super::*;

    fn at(tasks: usize, looks: &[u32]) -> Question {
        let sweep = Sweep::new(tasks, 2)
            .flat("base+x", 1, 1)
            .flat("new+x", 1, 1)
            .baseline("base+x");
        let looks = TaskLooks::try_from(looks.to_vec()).unwrap();
        sweep.question.at_task_looks(looks).unwrap()
    }

    #[test]
    fn each_look_has_less_than_the_whole_error_and_a_single_one_has_all_of_it() {
        // two equal batches: 3.10% and 2.77%
        assert_eq!(
            (at(20, &[20, 40]).alpha, at(40, &[20, 40]).alpha),
            (0.031, 0.0277)
        );
        assert_eq!(at(40, &[40]).alpha, 0.05);
        let look = at(40, &[20, 40]).task_look.unwrap();
        assert_eq!((look.look, look.tasks, look.whole), (Some(2), 40, 0.05));
    }

    #[test]
    fn a_number_of_tasks_that_nobody_declared_is_a_look_of_its_own() {
        let between = at(30, &[20, 40]);
        assert_eq!(between.task_look.as_ref().unwrap().look, None);
        assert!(between.alpha < at(20, &[20, 40]).alpha && between.alpha > 0.01);
        assert_eq!(at(50, &[20, 40]).alpha, at(40, &[20, 40]).alpha);
        assert!(at(5, &[20, 40]).alpha < 0.02);
    }
}
