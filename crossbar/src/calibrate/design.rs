//! What a simulated sweep is like, whatever is true in it: its size, how its tasks hang together, how
//! often each is run, and how rollouts follow from rates.

use crate::analysis::CorrelationPadding;

/// How rollouts follow from true rates.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Rolling {
    /// Each passes at its task's rate.
    Plain,
    /// So too, and then some could not be measured: other shares of those that failed and of those
    /// that passed.
    Losing { failed: f64, passed: f64 },
    /// Each repeat has a day of its own that moves all rates (a shift of the logit with this
    /// standard deviation), the same for every cell.
    SharedDays(f64),
    /// Each cell has one day to itself.
    CellDays(f64),
}

/// Which families of tasks are declared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Families {
    /// None.
    None,
    /// So many tasks in each.
    Even(usize),
    /// Ten families of 1, 1, 1, 2, 2, 3, 4, 6, 10 and 20 tasks, again and again.
    Uneven,
}

/// The sizes of ten uneven families.
const UNEVEN: [usize; 10] = [1, 1, 1, 2, 2, 3, 4, 6, 10, 20];

impl Families {
    /// The family of a task, by number.
    pub(super) fn of(self, task: usize) -> Option<usize> {
        match self {
            Self::None => None,
            Self::Even(size) => Some(task / size),
            Self::Uneven => {
                let (round, mut place) = (task / 50, task % 50);
                let within = UNEVEN.iter().position(|size| {
                    let inside = place < *size;
                    place = place.saturating_sub(*size);
                    inside
                });
                Some(round * UNEVEN.len() + within.unwrap_or(0))
            }
        }
    }
}

/// How much a task counts.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Weights {
    /// All alike.
    Even,
    /// Every so manieth task counts so many times as much as the others.
    Heavy { every: usize, weight: f64 },
    /// Tasks come from these parts of the work, one after the other.
    Strata(&'static [Stratum]),
}

/// A part of the work.
#[derive(Debug, PartialEq)]
pub(super) struct Stratum {
    /// The tasks that were drawn from it.
    pub(super) tasks: usize,
    /// Its share of the work.
    pub(super) share: f64,
}

impl Weights {
    /// The part that a task belongs to: those that count for more are 1, strata have their places.
    pub(super) fn part(self, task: usize) -> usize {
        match self {
            Self::Even => 0,
            Self::Heavy { every, .. } => usize::from(task.is_multiple_of(every)),
            Self::Strata(strata) => {
                let mut before = 0;
                let within = strata.iter().position(|stratum| {
                    before += stratum.tasks;
                    task < before
                });
                within.unwrap_or(0)
            }
        }
    }

    /// The weight of a task (F1): of a stratum, its share over the tasks that it has.
    pub(super) fn of(self, task: usize) -> f64 {
        match self {
            Self::Heavy { weight, .. } if self.part(task) == 1 => weight,
            Self::Even | Self::Heavy { .. } => 1.0,
            Self::Strata(strata) => {
                let stratum = &strata[self.part(task)];
                stratum.share / stratum.tasks as f64
            }
        }
    }
}

/// How often each task is run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Uneven {
    /// All repeats, each task and each cell.
    None,
    /// From one repeat to all of them, from task to task.
    Tasks,
    /// Two on every other task, all of them on the rest.
    Halves,
    /// The baseline has all of them, challengers three.
    Arms,
}

impl Uneven {
    /// The repeats of a case whose design has `most`.
    pub(super) fn repeats(self, (cell, task): (usize, usize), most: u32) -> u32 {
        match self {
            Self::Tasks => 1 + (task as u32 * 7) % most,
            Self::Halves if task % 2 == 1 => most.min(2),
            Self::Arms if cell > 0 => most.min(3),
            Self::None | Self::Halves | Self::Arms => most,
        }
    }
}

/// What a sweep is like, whatever is true in it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Design {
    pub(super) tasks: usize,
    pub(super) repeats: u32,
    pub(super) challengers: usize,
    pub(super) margin: f64,
    pub(super) padding: CorrelationPadding,
    pub(super) k: Option<u32>,
    pub(super) families: Families,
    pub(super) rolling: Rolling,
    pub(super) weights: Weights,
    pub(super) uneven: Uneven,
    /// What a challenger's rollout costs, as a share of the baseline's.
    pub(super) price: f64,
    /// The two-sided error of every interval and of every family of claims.
    pub(super) alpha: f64,
}

impl Design {
    /// Margin 10 points, normal padding, challengers at a tenth of the price, nothing special.
    pub(super) fn new(tasks: usize, repeats: u32, challengers: usize) -> Self {
        Self {
            tasks,
            repeats,
            challengers,
            margin: 0.1,
            padding: CorrelationPadding::Normal,
            k: None,
            families: Families::None,
            rolling: Rolling::Plain,
            weights: Weights::Even,
            uneven: Uneven::None,
            price: 0.1,
            alpha: 0.05,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn uneven_families_have_their_sizes() {
        let size = |family| {
            let tasks = (0..100).filter(|task| Families::Uneven.of(*task) == Some(family));
            tasks.count()
        };
        assert_eq!([size(0), size(3), size(9), size(19)], [1, 2, 20, 20]);
        assert_eq!(Families::Even(5).of(9), Some(1));
    }

    #[test]
    fn uneven_repeats_are_those_of_their_kind() {
        let of = |kind: Uneven, case| kind.repeats(case, 10);
        let tasks: Vec<u32> = (0..4).map(|task| of(Uneven::Tasks, (1, task))).collect();
        assert_eq!(tasks, [1, 8, 5, 2]);
        assert_eq!(
            [of(Uneven::Arms, (0, 5)), of(Uneven::Arms, (1, 5))],
            [10, 3]
        );
        assert_eq!(
            [of(Uneven::Halves, (0, 5)), of(Uneven::Halves, (0, 4))],
            [2, 10]
        );
        let heavy = Weights::Heavy {
            every: 4,
            weight: 3.0,
        };
        assert_eq!(
            [heavy.of(4), heavy.of(5), Weights::Even.of(4)],
            [3.0, 1.0, 1.0]
        );
    }
    #[test]
    fn a_task_weighs_the_share_of_its_stratum_over_its_tasks() {
        const STRATA: &[Stratum] = &[
            Stratum {
                tasks: 1,
                share: 0.6,
            },
            Stratum {
                tasks: 4,
                share: 0.4,
            },
        ];
        let strata = Weights::Strata(STRATA);
        assert_eq!([0, 1, 4].map(|task| strata.part(task)), [0, 1, 1]);
        assert_eq!([0, 1, 4].map(|task| strata.of(task)), [0.6, 0.1, 0.1]);
    }
}
