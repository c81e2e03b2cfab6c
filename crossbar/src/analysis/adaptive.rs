//! Which cells of an adaptive run go on, which have stopped, at which look and why: a function of
//! the results so far and of looks that were fixed before the first of them. Nothing is decided
//! between looks, and no task has more repeats than another.

use super::adaptive_look::{Glance, Seen};
use super::{AnalysisError, Comparison, Question, Record};
use crate::domain::{CellId, LookPlan, ResultRow, RolloutKey};
use crate::stats::{Futility, Hurdles, futility};
use serde::Serialize;
use std::collections::BTreeSet;

/// How far an adaptive run has come.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Course {
    /// The looks, as they were fixed before the first rollout.
    pub looks: LookPlan,
    /// Every challenger, in plan order.
    pub cells: Vec<CellCourse>,
    /// Repeats that the baseline has by then: those of the challenger that went furthest.
    pub baseline_repeats: u32,
    /// What runs next; `None` once every challenger has stopped.
    #[serde(skip)]
    pub next: Option<Batch>,
}

/// How far one challenger has come.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CellCourse {
    /// The challenger.
    pub cell: CellId,
    /// The last look that was taken at it, from 1; 0 before the first.
    pub look: u32,
    /// The repeats of that look.
    pub repeats: u32,
    /// Its error that is spent by that look, two-sided: one minus it is the level of its repeated
    /// interval; `None` before the first.
    pub spent: Option<f64>,
    /// Why it has stopped; `None` while it goes on.
    pub stop: Option<Stop>,
    /// What that look says, at the error that is spent by then; `None` before the first.
    #[serde(skip)]
    pub comparison: Option<Comparison>,
}

/// Why a challenger has no more rollouts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Stop {
    /// It is shown to be worse.
    Worse,
    /// It is shown to be good enough or better, and its price is settled.
    Settled,
    /// More rollouts are idle: its upper limit is below the quality bar. No claim.
    UnderTheBar,
    /// The same: its upper limit is below minus the margin. No claim.
    BeyondTheMargin,
    /// The same: its cost per success is above the baseline's, or that of a cell that was
    /// shown good enough, by its lower limit. No claim.
    TooDear,
    /// That was the last look.
    LastLook,
}

/// Rollouts that belong together: these cells, on every task, in these repeats.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Batch {
    /// The baseline and the challengers that go on, in plan order.
    pub cells: Vec<CellId>,
    /// The first repeat.
    pub from: u32,
    /// The last repeat.
    pub to: u32,
}

/// Where an adaptive run stands after `record`, with `looks` as they were fixed beforehand; the
/// question's own repeats make no difference. Each of J challengers has the error alpha / J, spent
/// over the looks (Lan and DeMets 1983, Pocock's shape): a direction is claimed where the joint
/// sign-flip test rejects and MOVER at the spent level leaves out 0; non-inferiority and price are
/// held to limits at the spent level. What a look said stays said.
///
/// # Errors
/// `AnalysisError` without a baseline among the cells, and as `analyze`.
pub fn course(
    question: &Question,
    looks: &LookPlan,
    record: Record<'_>,
) -> Result<Course, AnalysisError> {
    let is_base = |id: &CellId| question.baseline.as_ref() == Some(id);
    let base = question.cells.iter().position(|cell| is_base(&cell.id));
    let base = base.ok_or(AnalysisError::NoBaseline)?;
    let challengers = (0..question.cells.len()).filter(|at| *at != base);
    let mut open: Vec<(usize, CellCourse)> = challengers
        .map(|at| (at, CellCourse::new(question.cells[at].id.clone())))
        .collect();
    let seen = Seen {
        question,
        record,
        looks,
        family: open.len() as u32,
        base,
    };
    let there = there(record);
    let mut next = None;
    let (mut before, mut cheapest) = (0, None);
    for (look, &repeats) in looks.repeats().iter().enumerate() {
        let goes_on =
            |at: &usize| *at == base || open.iter().any(|(of, one)| of == at && one.stop.is_none());
        let cells: Vec<_> = (0..question.cells.len()).filter(goes_on).collect();
        if cells.len() < 2 {
            break;
        }
        let cells = cells.into_iter().map(|at| question.cells[at].id.clone());
        let cells: Vec<CellId> = cells.collect();
        if !is_whole(question, &cells, repeats, &there) {
            next = Some(Batch {
                cells,
                from: before + 1,
                to: repeats,
            });
            break;
        }
        take(&seen, &mut open, &mut cheapest, look)?;
        before = repeats;
    }
    let furthest = open.iter().map(|(_, cell)| cell.repeats).max();
    Ok(Course {
        looks: looks.clone(),
        baseline_repeats: furthest.unwrap_or_default(),
        cells: open.into_iter().map(|(_, cell)| cell).collect(),
        next,
    })
}

impl Course {
    /// How far one challenger has come.
    #[must_use]
    pub fn of(&self, cell: &CellId) -> Option<&CellCourse> {
        self.cells.iter().find(|one| one.cell == *cell)
    }

    /// The last repeat of every cell that has run or runs next, the baseline's with them.
    #[must_use]
    pub fn upto(&self, question: &Question) -> Vec<(CellId, u32)> {
        let of = |cell: &CellId| {
            let ran = self
                .of(cell)
                .map_or(self.baseline_repeats, |one| one.repeats);
            let next = self.next.as_ref().filter(|next| next.cells.contains(cell));
            ran.max(next.map_or(0, |next| next.to))
        };
        let cells = question.cells.iter();
        cells.map(|cell| (cell.id.clone(), of(&cell.id))).collect()
    }

    /// Every rollout that belongs to the run as far as it has come, and what ran beyond it.
    #[must_use]
    pub fn planned(&self, question: &Question, rows: &[ResultRow]) -> Vec<RolloutKey> {
        let mut planned: BTreeSet<RolloutKey> = rows.iter().map(|row| row.key.clone()).collect();
        for (cell, upto) in self.upto(question) {
            for task in &question.tasks {
                planned.extend((1..=upto).map(|repeat| RolloutKey {
                    cell: cell.clone(),
                    task: task.id.clone(),
                    repeat,
                }));
            }
        }
        planned.into_iter().collect()
    }
}

impl CellCourse {
    fn new(cell: CellId) -> Self {
        Self {
            cell,
            look: 0,
            repeats: 0,
            spent: None,
            stop: None,
            comparison: None,
        }
    }
}

/// One look at every challenger that goes on; `cheapest` is the least cost per success of a cell that
/// was shown good enough.
fn take(
    seen: &Seen<'_, '_>,
    open: &mut [(usize, CellCourse)],
    cheapest: &mut Option<f64>,
    look: usize,
) -> Result<(), AnalysisError> {
    let going = open.iter_mut().filter(|(_, cell)| cell.stop.is_none());
    let mut glances: Vec<(&mut CellCourse, Glance)> = Vec::new();
    for (at, cell) in going {
        glances.push((cell, seen.glance(*at, look)?));
    }
    // A cell that is not good enough is no competition, however cheap it is.
    let settled = glances.iter().filter(|(_, glance)| glance.is_settled());
    let settled = settled.filter_map(|(_, glance)| glance.costs[0]);
    *cheapest = settled.chain(*cheapest).min_by(f64::total_cmp);
    let baseline = glances.first().and_then(|(_, glance)| glance.costs[1]);
    let best_cost = baseline.into_iter().chain(*cheapest).min_by(f64::total_cmp);
    let hurdles = Hurdles {
        quality_bar: seen.question.quality_bar,
        margin: seen.question.margin.value,
        best_cost,
    };
    let is_last = look + 1 == seen.looks.repeats().len();
    for (cell, glance) in glances {
        cell.look = look as u32 + 1;
        cell.repeats = seen.looks.repeats()[look];
        cell.spent = Some(glance.spent);
        cell.stop = stop(&glance, hurdles).or(is_last.then_some(Stop::LastLook));
        cell.comparison = Some(glance.comparison);
    }
    Ok(())
}

fn stop(glance: &Glance, hurdles: Hurdles) -> Option<Stop> {
    if glance.is_worse() {
        Some(Stop::Worse)
    } else if glance.is_settled() {
        Some(Stop::Settled)
    } else {
        let prospect = glance.prospect?;
        Some(match futility(prospect, hurdles)? {
            Futility::UnderTheBar => Stop::UnderTheBar,
            Futility::BeyondTheMargin => Stop::BeyondTheMargin,
            Futility::TooDear => Stop::TooDear,
        })
    }
}

/// Every rollout that has ended, or of which nobody knows whether it was paid: none runs again. One
/// that was skipped, since the money was used up, has not ended: its look waits for it.
fn there<'a>(record: Record<'a>) -> BTreeSet<&'a RolloutKey> {
    let unknown = record.unknown.iter().map(|attempt| &attempt.key);
    record
        .rows
        .iter()
        .filter(|row| !row.is_skipped())
        .map(|row| &row.key)
        .chain(unknown)
        .collect()
}

fn is_whole(
    question: &Question,
    cells: &[CellId],
    repeats: u32,
    there: &BTreeSet<&RolloutKey>,
) -> bool {
    cells.iter().all(|cell| {
        question.tasks.iter().all(|task| {
            let key = |repeat| RolloutKey {
                cell: cell.clone(),
                task: task.id.clone(),
                repeat,
            };
            (1..=repeats).all(|repeat| there.contains(&key(repeat)))
        })
    })
}

#[cfg(test)]
mod tests;
