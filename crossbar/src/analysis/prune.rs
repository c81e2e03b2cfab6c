//! PRUNE: tasks that separate nothing. Advice for the next version of the pack, never a change
//! to this analysis.

use super::Question;
use super::table::Table;
use crate::domain::TaskId;
use serde::Serialize;

/// A task that every cell passed or failed in every rollout. Anchors are never listed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PrunedTask {
    /// The task.
    pub task: TaskId,
    /// How it was alike.
    pub why: PruneReason,
}

/// How a task was alike for all cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum PruneReason {
    /// Every rollout of every cell was accepted.
    AllPassed,
    /// No rollout of any cell was accepted.
    AllFailed,
}

/// The tasks that every cell passed or failed throughout. With one cell there is nothing to
/// separate, and a task with a rollout that says nothing is left alone; a replay asks no cell.
pub(super) fn advise(question: &Question, table: &Table<'_>) -> Vec<PrunedTask> {
    if table.rows.len() < 2 || question.replay_of.is_some() {
        return Vec::new();
    }
    let tasks = question
        .tasks
        .iter()
        .enumerate()
        .filter(|(_, task)| !task.anchor);
    tasks
        .filter_map(|(at, task)| {
            let task = task.id.clone();
            alike(table, at).map(|why| PrunedTask { task, why })
        })
        .collect()
}

fn alike(table: &Table<'_>, task: usize) -> Option<PruneReason> {
    let cases = || table.rows.iter().map(|row| &row.cases[task]);
    if cases().any(|case| case.measured() < case.scheduled) {
        None
    } else if cases().all(|case| case.accepted() == case.scheduled) {
        Some(PruneReason::AllPassed)
    } else if cases().all(|case| case.accepted() == 0) {
        Some(PruneReason::AllFailed)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{Sweep, infrastructure};
    use super::*;

    fn sweep() -> Sweep {
        Sweep::new(5, 3)
            .cell("a+x", 10, &[3, 0, 2, 3, 0])
            .cell("b+x", 10, &[3, 0, 3, 1, 0])
    }

    #[test]
    fn only_tasks_that_separate_nothing_are_listed_and_anchors_never() {
        let mut sweep = sweep();
        sweep.question.tasks[4].anchor = true;
        let analysis = sweep.analyze();
        let list: Vec<_> = analysis
            .prune
            .iter()
            .map(|p| (p.task.task(), p.why))
            .collect();
        assert_eq!(
            list,
            [
                ("t000", PruneReason::AllPassed),
                ("t001", PruneReason::AllFailed)
            ]
        );
        assert_eq!(analysis.task_table.len(), 5);
    }

    #[test]
    fn a_task_that_the_machine_spoiled_is_left_alone() {
        let spoiled = sweep().edit("a+x", |i, r| {
            if i == 3 {
                r.outcome = infrastructure();
            }
        });
        assert!(
            spoiled
                .analyze()
                .prune
                .iter()
                .all(|p| p.task.task() != "t001")
        );
    }
}
