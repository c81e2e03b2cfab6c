//! What counts as one independent unit: the task, the weighted task, or the declared family (F1).

use super::table::Counts;
use super::{AnalysisError, Notice, Question, Unit};
use crate::stats::{
    Arm, CostArm, FamilyWeight, SignFlip, StatsError, Units, sign_flip, sign_flip_families,
};
use std::collections::BTreeMap;

/// How tasks become units in \[tasks like these\].
pub(super) enum Grouping {
    /// Each task once.
    Tasks,
    /// Each task with its weight.
    Weighted(Vec<f64>),
    /// Each family with its number of tasks; the family number of every task.
    Families(Vec<usize>),
}

impl Grouping {
    /// Families once every task declares one, else weights where they differ, else tasks.
    pub(super) fn of(question: &Question) -> Self {
        let declared: Option<Vec<&String>> =
            question.tasks.iter().map(|t| t.family.as_ref()).collect();
        if let Some(names) = declared {
            return Self::numbered(names.into_iter());
        }
        let weights: Vec<f64> = question.tasks.iter().map(|t| t.weight).collect();
        if weights.iter().any(|w| *w != weights[0]) {
            Self::Weighted(weights)
        } else {
            Self::Tasks
        }
    }

    /// The grouping of some of the tasks alone, in their order.
    pub(super) fn only(&self, tasks: &[usize]) -> Self {
        match self {
            Self::Tasks => Self::Tasks,
            Self::Weighted(weights) => {
                Self::Weighted(tasks.iter().map(|task| weights[*task]).collect())
            }
            Self::Families(numbers) => Self::numbered(tasks.iter().map(|task| numbers[*task])),
        }
    }

    /// Families numbered from 0 in the order in which they come.
    fn numbered<T: Ord>(names: impl Iterator<Item = T>) -> Self {
        let mut numbers = BTreeMap::new();
        let number = |name| {
            let next = numbers.len();
            *numbers.entry(name).or_insert(next)
        };
        Self::Families(names.map(number).collect())
    }

    /// The units of an arm.
    pub(super) fn units(&self, arm: Arm<'_>) -> Result<Units, StatsError> {
        match self {
            Self::Tasks => Ok(Units::tasks(arm)),
            Self::Weighted(weights) => Units::weighted(arm, weights),
            Self::Families(numbers) => Units::families(arm, numbers, FamilyWeight::ByTasks),
        }
    }

    /// The units of one score a task, within 0..=1.
    pub(super) fn graded(&self, scores: &[f64]) -> Result<Units, StatsError> {
        match self {
            Self::Tasks => Units::graded(scores),
            Self::Weighted(weights) => Units::graded_weighted(scores, weights),
            Self::Families(numbers) => {
                Units::graded_families(scores, numbers, FamilyWeight::ByTasks)
            }
        }
    }

    /// The units of an arm with what each task cost, summed over its rollouts.
    pub(super) fn costed(&self, arm: Arm<'_>, costs: &[f64]) -> Result<CostArm, StatsError> {
        match self {
            Self::Tasks => CostArm::new(arm, costs),
            Self::Weighted(weights) => CostArm::weighted(arm, costs, weights),
            Self::Families(numbers) => CostArm::families(arm, costs, numbers),
        }
    }

    /// How many units there are.
    pub(super) fn count(&self, tasks: usize) -> usize {
        match self {
            Self::Tasks | Self::Weighted(_) => tasks,
            Self::Families(numbers) => numbers.iter().max().map_or(0, |last| last + 1),
        }
    }

    /// Whether tasks weigh differently.
    pub(super) fn is_weighted(&self) -> bool {
        matches!(self, Self::Weighted(_))
    }

    /// The weight of a task in a mean over tasks.
    pub(super) fn task_weight(&self, task: usize) -> f64 {
        match self {
            Self::Weighted(weights) => weights[task],
            Self::Tasks | Self::Families(_) => 1.0,
        }
    }

    /// The unit that a task belongs to, from 0.
    pub(super) fn unit_of(&self, task: usize) -> usize {
        match self {
            Self::Tasks | Self::Weighted(_) => task,
            Self::Families(numbers) => numbers[task],
        }
    }

    /// The exact sign-flip test: do the patterns differ?
    pub(super) fn pattern(&self, a: &Counts, b: &Counts) -> Result<SignFlip, StatsError> {
        let (a, b) = (a.arm()?, b.arm()?);
        match self {
            Self::Families(numbers) => sign_flip_families(a, b, numbers),
            Self::Tasks | Self::Weighted(_) => sign_flip(a, b),
        }
    }

    /// The same for the reader.
    pub(super) fn unit(&self, counts: &Counts) -> Result<Unit, AnalysisError> {
        let units = self.units(counts.arm()?)?;
        let worth = units.n_weight();
        Ok(match self {
            Self::Families(_) => Unit::Families {
                families: units.len() as u32,
                worth,
            },
            Self::Tasks | Self::Weighted(_) => Unit::Tasks { worth },
        })
    }

    /// What a reader must be told about weights and families.
    pub(super) fn notices(&self, question: &Question) -> Vec<Notice> {
        let tasks = &question.tasks;
        let uneven = tasks.iter().any(|t| t.weight != tasks[0].weight);
        let without = tasks.iter().filter(|t| t.family.is_none()).count();
        let mut notices = Vec::new();
        if without > 0 && without < tasks.len() {
            notices.push(Notice::FamiliesIncomplete {
                without: without as u32,
            });
        }
        if uneven {
            if matches!(self, Self::Families(_)) {
                notices.push(Notice::WeightsUnusedWithFamilies);
            }
            notices.push(Notice::WeightsUnusedInTheseTasks);
        }
        notices
    }
}
