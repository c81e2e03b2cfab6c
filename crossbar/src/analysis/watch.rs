//! WATCH OUT: what a reader should know before acting on a verdict.

use super::blocks::moved;
use super::rates::share;
use super::table::{Case, Row, Table};
use super::{AnalysisError, CellSummary, Question, apart};
use crate::domain::{CellId, Estimate, FailureMode, TaskId};
use crate::stats::fisher_exact;
use serde::Serialize;

/// One line of WATCH OUT, in the order of the enum.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[non_exhaustive]
pub enum WatchOut {
    /// No rollout passed anywhere: look at the checks and the controls first.
    EveryCellFailed,
    /// Forbidden calls of a cell reached their tool.
    ExecutedViolations {
        /// The cell.
        cell: CellId,
        /// How many calls.
        calls: u64,
    },
    /// A cell was answered by another model than it asked for, as the provider names them. A name
    /// that only says more (a date) or less (a vendor) is the same one.
    AnsweredByAnother {
        /// The cell.
        cell: CellId,
        /// What it asked for.
        asked: String,
        /// Who answered, sorted.
        answered: Vec<String>,
    },
    /// Replies of a cell were refused: the provider, or the model, would not go on.
    Refusals {
        /// The cell.
        cell: CellId,
        /// The share of its measured rollouts with a refused reply (Wilson; `n` counts rollouts).
        share: Estimate,
    },
    /// A failure mode is at least twice as frequent in the winner (or contender) as in the baseline.
    FailureModeOver {
        /// The winner or contender.
        cell: CellId,
        /// The mode; `FailureMode::typical_fix` says what helps.
        mode: FailureMode,
        /// Its share of the cell's measured rollouts (Wilson; `n` counts rollouts).
        share: Estimate,
        /// Its share of the baseline's measured rollouts.
        baseline_share: Estimate,
        /// share / `baseline_share`; `None` when the baseline had none.
        ratio: Option<f64>,
    },
    /// Infrastructure failures hit one arm more than the other (Fisher, two-sided).
    InfrastructureAsymmetry {
        /// The challenger.
        cell: CellId,
        /// Its share of finished rollouts (Wilson; `n` counts rollouts).
        share: Estimate,
        /// The baseline's share.
        baseline_share: Estimate,
        /// Fisher's exact p.
        p: f64,
    },
    /// One task carries more than a fifth of a cell's cost (and more than 1.5 equal shares).
    TaskCarriesCost {
        /// The cell.
        cell: CellId,
        /// The task.
        task: TaskId,
        /// Its part of the cell's known cost, 0..=1: an exact sum, not an estimate.
        part: f64,
    },
    /// Two cells did not run side by side: one had begun all its rollouts before the other began
    /// its first, so whatever changed in between is part of their difference.
    RanApart {
        /// The challenger; without a baseline, the later one.
        cell: CellId,
        /// The baseline; without one, the earlier one.
        other: CellId,
    },
    /// At temperature 0 all repeats of all tasks were word for word the same: they are not
    /// independent, and \[these tasks\] is too narrow for this cell.
    IdenticalRepeats {
        /// The cell.
        cell: CellId,
    },
    /// A cell's results moved between repeats (two-way F test, p below 0.01 over the cells).
    ResultsMoved {
        /// The cell.
        cell: CellId,
        /// The p-value, unadjusted.
        p: f64,
    },
    /// The strongest cell fails a task throughout that every other cell passes throughout: suspect
    /// the task first.
    Inspect {
        /// The cell of the highest pass rate.
        cell: CellId,
        /// The task.
        task: TaskId,
        /// Its rollouts of it, all measured, none accepted.
        n: u32,
    },
    /// At least a fifth of the tasks were solved by no cell: they carry no information and widen
    /// the intervals.
    UnsolvedTasks {
        /// Those tasks, in plan order.
        tasks: Vec<TaskId>,
        /// Out of how many.
        of: u32,
    },
}

/// What the lines are made from.
pub(super) struct Scene<'s, 'a> {
    pub(super) question: &'s Question,
    pub(super) table: &'s Table<'a>,
    pub(super) cells: &'s [CellSummary],
    /// The baseline's position in the plan.
    pub(super) baseline: Option<usize>,
    /// The winner's or contender's position in the plan.
    pub(super) subject: Option<usize>,
}

/// A part of a cell's cost above this is too much for one task.
const DEAR_PART: f64 = 0.2;
/// The same in equal shares: on a small pack every task carries much.
const DEAR_SHARES: f64 = 1.5;
/// A mode this many times as frequent as in the baseline is worth a line.
const OVER: f64 = 2.0;
/// The level of the warning that results moved.
const MOVED: f64 = 0.01;

/// Every line that applies, in the order of the enum.
pub(super) fn lines(scene: &Scene<'_, '_>) -> Result<Vec<WatchOut>, AnalysisError> {
    let mut lines = Vec::new();
    let measured: u32 = scene.cells.iter().map(|cell| cell.measured).sum();
    if measured > 0 && scene.cells.iter().all(|cell| cell.accepted == 0) {
        lines.push(WatchOut::EveryCellFailed);
    }
    for cell in scene.cells {
        let calls = cell.safety.map_or(0, |safety| safety.executed);
        if calls > 0 {
            let cell = cell.id.clone();
            lines.push(WatchOut::ExecutedViolations { cell, calls });
        }
    }
    lines.extend(scene.cells.iter().filter_map(answered_by_another));
    lines.extend(refusals(scene)?);
    lines.extend(failure_modes(scene)?);
    lines.extend(infrastructure(scene)?);
    for (cell, row) in scene.question.cells.iter().zip(&scene.table.rows) {
        lines.extend(dear_task(scene.question, &cell.id, row));
    }
    lines.extend(apart::lines(scene));
    for (cell, row) in scene.question.cells.iter().zip(&scene.table.rows) {
        if cell.temperature == Some(0.0) && repeats_are_identical(row) {
            lines.push(WatchOut::IdenticalRepeats {
                cell: cell.id.clone(),
            });
        }
    }
    let level = MOVED / scene.cells.len() as f64;
    for (cell, row) in scene.question.cells.iter().zip(&scene.table.rows) {
        if let Some(p) = moved(row).filter(|p| *p < level) {
            lines.push(WatchOut::ResultsMoved {
                cell: cell.id.clone(),
                p,
            });
        }
    }
    lines.extend(inspect(scene));
    lines.extend(unsolved(scene));
    Ok(lines)
}

fn answered_by_another(cell: &CellSummary) -> Option<WatchOut> {
    let asked = &cell.requested_model;
    let is_other =
        |name: &&String| !name.contains(asked.as_str()) && !asked.contains(name.as_str());
    let answered: Vec<String> = cell
        .answered_models
        .iter()
        .filter(is_other)
        .cloned()
        .collect();
    (!answered.is_empty()).then(|| WatchOut::AnsweredByAnother {
        cell: cell.id.clone(),
        asked: asked.clone(),
        answered,
    })
}

fn refusals(scene: &Scene<'_, '_>) -> Result<Vec<WatchOut>, AnalysisError> {
    let mut lines = Vec::new();
    for (cell, row) in scene.question.cells.iter().zip(&scene.table.rows) {
        let measured = row.records().filter(|record| record.outcome.is_measured());
        let refused = measured.filter(|record| record.refused).count() as u32;
        let of = row
            .records()
            .filter(|record| record.outcome.is_measured())
            .count() as u32;
        if let Some(share) = share(refused, of, scene.question.alpha)?.filter(|_| refused > 0) {
            let cell = cell.id.clone();
            lines.push(WatchOut::Refusals { cell, share });
        }
    }
    Ok(lines)
}

fn failure_modes(scene: &Scene<'_, '_>) -> Result<Vec<WatchOut>, AnalysisError> {
    let (Some(baseline), Some(subject)) = (scene.baseline, scene.subject) else {
        return Ok(Vec::new());
    };
    let (cell, today) = (&scene.cells[subject], &scene.cells[baseline]);
    let mut lines = Vec::new();
    for failure in cell.failures.iter().filter(|failure| failure.count >= 2) {
        let before = today.failures.iter().find(|f| f.mode == failure.mode);
        let before = before.map_or(0, |f| f.count);
        let alpha = scene.question.alpha;
        let (Some(mode), Some(baseline_share)) =
            (failure.mode, share(before, today.measured, alpha)?)
        else {
            continue;
        };
        // over whole numbers, so that exactly twice is twice
        let here = f64::from(failure.count) * f64::from(today.measured);
        let there = f64::from(before) * f64::from(cell.measured);
        if here >= OVER * there {
            lines.push(WatchOut::FailureModeOver {
                cell: cell.id.clone(),
                mode,
                share: failure.share,
                baseline_share,
                ratio: (before > 0).then(|| here / there),
            });
        }
    }
    Ok(lines)
}

fn infrastructure(scene: &Scene<'_, '_>) -> Result<Vec<WatchOut>, AnalysisError> {
    let Some(baseline) = scene.baseline else {
        return Ok(Vec::new());
    };
    let tally = |row: &Row<'_>| (row.sum(Case::infrastructure), row.sum(Case::finished));
    let (broken_b, all_b) = tally(&scene.table.rows[baseline]);
    let mut lines = Vec::new();
    for (index, row) in scene.table.rows.iter().enumerate() {
        let (broken, all) = tally(row);
        let split = |broken: u32, all: u32| [u64::from(broken), u64::from(all - broken)];
        let p = fisher_exact([split(broken, all), split(broken_b, all_b)]).two_sided;
        let alpha = scene.question.alpha;
        let shares = (share(broken, all, alpha)?, share(broken_b, all_b, alpha)?);
        if let (Some(share), Some(baseline_share)) = shares
            && index != baseline
            && p <= alpha
        {
            lines.push(WatchOut::InfrastructureAsymmetry {
                cell: scene.question.cells[index].id.clone(),
                share,
                baseline_share,
                p,
            });
        }
    }
    Ok(lines)
}

fn dear_task(question: &Question, cell: &CellId, row: &Row<'_>) -> Option<WatchOut> {
    let costs = row.costs()?;
    let total: f64 = costs.iter().sum();
    let (at, most) = costs.iter().enumerate().max_by(|a, b| a.1.total_cmp(b.1))?;
    let part = most / total;
    let allowed = DEAR_PART.max(DEAR_SHARES / costs.len() as f64);
    (total > 0.0 && part > allowed).then(|| WatchOut::TaskCarriesCost {
        cell: cell.clone(),
        task: question.tasks[at].id.clone(),
        part,
    })
}

/// Whether every task was repeated, and no repeat said or asked for anything else than the first.
fn repeats_are_identical(row: &Row<'_>) -> bool {
    row.cases.iter().all(|case| {
        let mut records = case.records.iter().filter(|r| r.outcome.is_measured());
        let first = records.next().map(|r| r.spoken);
        case.measured() >= 2 && records.all(|r| Some(r.spoken) == first)
    })
}

/// The tasks that the strongest cell alone fails. A cell is the strongest that passes a larger part
/// of its measured rollouts than any other.
fn inspect(scene: &Scene<'_, '_>) -> Vec<WatchOut> {
    let passed = |at: &usize| {
        let cell = &scene.cells[*at];
        (u64::from(cell.accepted), u64::from(cell.measured))
    };
    // Whether a passes more often than b, over whole numbers.
    let over = |a: usize, b: usize| {
        let ((wins, all), (other, of)) = (passed(&a), passed(&b));
        wins * of > other * all
    };
    let cells = 0..scene.cells.len();
    let others = |best: usize| cells.clone().filter(move |at| *at != best);
    let best = cells
        .clone()
        .find(|best| others(*best).all(|other| over(*best, other)));
    let Some(best) = best.filter(|_| scene.cells.len() > 1) else {
        return Vec::new();
    };
    let rows = &scene.table.rows;
    let alone = |at: &usize| {
        let case = &rows[best].cases[*at];
        let whole = |case: &Case<'_>| case.measured() == case.scheduled && case.scheduled > 0;
        let passes = |case: &Case<'_>| whole(case) && case.accepted() == case.scheduled;
        whole(case) && case.accepted() == 0 && others(best).all(|o| passes(&rows[o].cases[*at]))
    };
    let tasks = (0..scene.question.tasks.len()).filter(alone);
    let line = |at: usize| WatchOut::Inspect {
        cell: scene.question.cells[best].id.clone(),
        task: scene.question.tasks[at].id.clone(),
        n: rows[best].cases[at].scheduled,
    };
    tasks.map(line).collect()
}

fn unsolved(scene: &Scene<'_, '_>) -> Option<WatchOut> {
    let dead = |at: usize| {
        let cases = || scene.table.rows.iter().map(|row| &row.cases[at]);
        cases().all(|case| case.accepted() == 0 && case.measured() == case.scheduled)
    };
    let tasks = scene.question.tasks.iter().enumerate();
    let dead: Vec<TaskId> = tasks
        .filter(|(at, _)| dead(*at))
        .map(|(_, task)| task.id.clone())
        .collect();
    let of = scene.question.tasks.len();
    let everywhere = dead.len() == of;
    (!dead.is_empty() && !everywhere && dead.len() * 5 >= of).then_some(WatchOut::UnsolvedTasks {
        tasks: dead,
        of: of as u32,
    })
}

#[cfg(test)]
mod tests;
