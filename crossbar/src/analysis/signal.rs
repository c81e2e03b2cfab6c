//! Which tasks decide: what each task tells about the cells, and the task that a difference owes
//! most to.

use super::compare_like::Arms;
use super::grouping::Grouping;
use super::rates::estimate;
use super::table::{Counts, Row, View};
use super::{AnalysisError, Question};
use crate::domain::Estimate;
use crate::stats::{self, Arm, NoiseShare, Pair, mover, task_signals};
use serde::Serialize;

/// What one task told about the cells, over its measured rollouts.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum TaskSignal {
    /// Every rollout of every cell passed: nothing about differences.
    AllPassed,
    /// No rollout of any cell passed: nothing either, and it widens every interval.
    AllFailed,
    /// Something differed.
    Mixed {
        /// The variance between the cells' true rates on it, 0 or more (analysis of variance);
        /// `None` with one repeat.
        between: Option<f64>,
        /// The share of a single rollout's variance that is noise, 0..=1; `None` with one repeat.
        noise: Option<f64>,
    },
}

/// The unit (task or family) that a difference owes most to.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Influence {
    /// The task, or the family.
    pub unit: String,
    /// The difference of pass rates without it, with the interval at the plain level; `n` counts
    /// the units that are left.
    pub without: Estimate,
    /// Whether more than half of the difference, or its sign, hangs on that one unit.
    pub carries: bool,
}

/// What a task told; `None` with one cell, or where a cell has no measured rollout of it.
pub(super) fn of_task(rows: &[Row<'_>], task: usize) -> Result<Option<TaskSignal>, AnalysisError> {
    let cases = rows.iter().map(|row| &row.cases[task]);
    let counts: Vec<Counts> = cases
        .map(|case| Counts::of(vec![(case.accepted(), case.measured())]))
        .collect();
    if counts.len() < 2 || counts.iter().any(|counts| counts.runs[0] == 0) {
        return Ok(None);
    }
    let arms = counts.iter().map(Counts::arm);
    let arms: Vec<Arm<'_>> = arms.collect::<Result<_, _>>()?;
    Ok(task_signals(&arms)?.first().map(|signal| match *signal {
        stats::TaskSignal::AllPass => TaskSignal::AllPassed,
        stats::TaskSignal::AllFail => TaskSignal::AllFailed,
        stats::TaskSignal::Mixed { between, noise, .. } => TaskSignal::Mixed {
            between,
            noise: match noise {
                NoiseShare::Share(share) => Some(share),
                NoiseShare::NoVariance | NoiseShare::NotEstimable => None,
            },
        },
    }))
}

/// The unit that each challenger's difference owes most to; `None` with fewer than three units,
/// where nothing differs, or where rollouts say nothing.
pub(super) fn influences(
    question: &Question,
    grouping: &Grouping,
    arms: &Arms<'_, '_>,
) -> Result<Vec<Option<Influence>>, AnalysisError> {
    let baseline = arms.baseline.counts(View::Worst);
    let rows = arms.challengers.iter();
    rows.map(|row| {
        if row.undetermined() + arms.baseline.undetermined() > 0 {
            return Ok(None);
        }
        influence(question, grouping, (&row.counts(View::Worst), &baseline))
    })
    .collect()
}

fn influence(
    question: &Question,
    grouping: &Grouping,
    (a, b): (&Counts, &Counts),
) -> Result<Option<Influence>, AnalysisError> {
    let tasks = a.runs.len();
    if grouping.count(tasks) < 3 {
        return Ok(None);
    }
    let (whole_a, whole_b) = (grouping.units(a.arm()?)?, grouping.units(b.arm()?)?);
    let Some(most) = stats::influence(&whole_a, &whole_b)? else {
        return Ok(None);
    };
    let kept: Vec<usize> = (0..tasks)
        .filter(|task| grouping.unit_of(*task) != most.unit)
        .collect();
    let rest = grouping.only(&kept);
    let of = |counts: &Counts| {
        Counts::of(
            kept.iter()
                .map(|t| (counts.passes[*t], counts.runs[*t]))
                .collect(),
        )
    };
    let (a, b) = (of(a), of(b));
    let (a, b) = (rest.units(a.arm()?)?, rest.units(b.arm()?)?);
    let without = mover(
        Pair { a: &a, b: &b },
        question.alpha,
        question.padding.into(),
    )?;
    let limits = (without.lower, Some(without.upper));
    let first = (0..tasks).find(|task| grouping.unit_of(*task) == most.unit);
    let named = first.map(|task| &question.tasks[task]);
    Ok(Some(Influence {
        unit: named.map_or_else(String::new, |task| match (grouping, &task.family) {
            (Grouping::Families(_), Some(family)) => family.clone(),
            _ => task.id.to_string(),
        }),
        without: estimate(without.diff, limits.0, limits.1, a.len())?,
        carries: most.carries(),
    }))
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{Sweep, infrastructure};
    use super::*;

    fn sweep() -> Sweep {
        Sweep::new(5, 5)
            .cell("a+x", 10, &[5, 0, 5, 0, 4])
            .cell("b+x", 10, &[5, 0, 5, 5, 5])
            .baseline("b+x")
    }

    #[test]
    fn each_task_says_what_it_tells() {
        let table = sweep().analyze().task_table;
        assert_eq!(table[0].signal, Some(TaskSignal::AllPassed));
        assert_eq!(table[1].signal, Some(TaskSignal::AllFailed));
        let between = |at: usize| match table[at].signal {
            Some(TaskSignal::Mixed { between, .. }) => between.unwrap(),
            other => panic!("{other:?}"),
        };
        assert!(between(3) > 0.4 && between(4) < 0.05);
        let spoiled = sweep().edit("a+x", |i, r| {
            if i < 5 {
                r.outcome = infrastructure();
            }
        });
        assert_eq!(spoiled.analyze().task_table[0].signal, None);
        let alone = Sweep::new(2, 5).flat("a+x", 10, 3).analyze();
        assert_eq!(alone.task_table[0].signal, None);
    }

    #[test]
    fn a_difference_that_one_task_makes_is_said_to_be_its() {
        let analysis = sweep().analyze();
        let found = analysis.comparisons[0].influence.clone().unwrap();
        assert_eq!(found.unit, "pack::t003");
        assert!(found.carries && found.without.n() == 4);
        assert!((found.without.value() + 0.05).abs() < 1e-12, "{found:?}");
        let mut families = sweep();
        for (at, task) in families.question.tasks.iter_mut().enumerate() {
            task.family = Some(["odd", "even", "third"][at % 3].to_owned());
        }
        let found = families.analyze().comparisons[0].influence.clone().unwrap();
        assert_eq!((found.unit.as_str(), found.without.n()), ("odd", 2));
        let alike = Sweep::new(4, 5)
            .flat("a+x", 10, 3)
            .flat("b+x", 10, 3)
            .baseline("b+x");
        assert_eq!(alike.analyze().comparisons[0].influence, None);
    }
}
