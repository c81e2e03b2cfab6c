//! The counts behind every figure: which rollout of which cell on which task ended how.

use super::{AnalysisError, MissingReason, MissingRollout, Question, Record, UnknownAttempt};
use crate::domain::{CaseId, CellId, Outcome, ResultRow, RolloutKey, TaskId};
use crate::stats::{Arm, StatsError};
use std::collections::BTreeMap;

/// The matrix, filled.
pub(super) struct Table<'a> {
    /// Cells in plan order; each holds its cases in the plan order of the tasks.
    pub(super) rows: Vec<Row<'a>>,
    /// What is missing, ordered by key.
    pub(super) missing: Vec<MissingRollout>,
}

/// One cell's cases.
pub(super) struct Row<'a> {
    pub(super) cases: Vec<Case<'a>>,
}

/// One case: its planned rollouts, the records there are, by repeat, and how they are counted.
#[derive(Default)]
pub(super) struct Case<'a> {
    pub(super) scheduled: u32,
    pub(super) records: Vec<&'a ResultRow>,
    accepted: u32,
    finished: u32,
    measured: u32,
}

/// Passes and runs per task.
pub(super) struct Counts {
    pub(super) passes: Vec<u32>,
    pub(super) runs: Vec<u32>,
}

impl Counts {
    /// From passes and runs, task by task.
    pub(super) fn of(pairs: Vec<(u32, u32)>) -> Self {
        let (passes, runs) = pairs.into_iter().unzip();
        Self { passes, runs }
    }

    /// The same as an arm; an error where a task has no run.
    pub(super) fn arm(&self) -> Result<Arm<'_>, StatsError> {
        Arm::new(&self.passes, &self.runs)
    }
}

/// How rollouts that say nothing about the cell are counted.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum View {
    /// Missing ones fail, and so do infrastructure failures; runs = scheduled.
    Worst,
    /// Missing ones pass, infrastructure failures fail; runs = scheduled.
    MissingPass,
    /// Missing ones and infrastructure failures pass; runs = scheduled.
    Best,
    /// Infrastructure failures fail, missing ones are left out; a task may have no run.
    Finished,
    /// Both are left out; a task may have no run.
    Measured,
}

/// Whether a record is a finished rollout: the cell, or the machine under it, brought it to an end.
pub(super) fn is_finished(outcome: &Outcome) -> bool {
    !matches!(
        outcome,
        Outcome::Skipped { .. } | Outcome::InvalidFixture { .. }
    )
}

impl Case<'_> {
    pub(super) fn accepted(&self) -> u32 {
        self.accepted
    }

    pub(super) fn finished(&self) -> u32 {
        self.finished
    }

    pub(super) fn measured(&self) -> u32 {
        self.measured
    }

    pub(super) fn infrastructure(&self) -> u32 {
        self.finished - self.measured
    }

    fn tally(&self, view: View) -> (u32, u32) {
        let (accepted, missing) = (self.accepted, self.scheduled - self.finished);
        match view {
            View::Worst => (accepted, self.scheduled),
            View::MissingPass => (accepted + missing, self.scheduled),
            View::Best => (accepted + missing + self.infrastructure(), self.scheduled),
            View::Finished => (accepted, self.finished),
            View::Measured => (accepted, self.measured),
        }
    }
}

impl<'a> Row<'a> {
    /// The counts under a view, task by task.
    pub(super) fn counts(&self, view: View) -> Counts {
        let (passes, runs) = self.cases.iter().map(|case| case.tally(view)).unzip();
        Counts { passes, runs }
    }

    /// Every record of the cell, task by task, repeat by repeat.
    pub(super) fn records(&self) -> impl Iterator<Item = &'a ResultRow> + '_ {
        self.cases
            .iter()
            .flat_map(|case| case.records.iter().copied())
    }

    pub(super) fn sum(&self, part: impl Fn(&Case<'a>) -> u32) -> u32 {
        self.cases.iter().map(part).sum()
    }

    /// Planned rollouts without a finished record.
    pub(super) fn missing(&self) -> u32 {
        self.sum(|case| case.scheduled - case.finished())
    }

    /// Rollouts that say nothing about the cell: missing, or infrastructure failures.
    pub(super) fn undetermined(&self) -> u32 {
        self.sum(|case| case.scheduled - case.measured())
    }

    /// Whether one rollout at least says something about the cell.
    pub(super) fn is_measured(&self) -> bool {
        self.cases.iter().any(|case| case.measured > 0)
    }

    /// The dearest measured rollout in dollars; `None` where none is known.
    pub(super) fn dearest(&self) -> Option<f64> {
        let measured = self.records().filter(|r| r.outcome.is_measured());
        let costs = measured.filter_map(|r| r.cost.amount());
        costs
            .map(crate::domain::Usd::dollars)
            .max_by(f64::total_cmp)
    }

    /// Whether every case was planned with two repeats or more.
    pub(super) fn is_repeated(&self) -> bool {
        self.cases.iter().all(|case| case.scheduled >= 2)
    }

    /// What each task's records cost in dollars, summed; `None` when a part is unknown.
    pub(super) fn costs(&self) -> Option<Vec<f64>> {
        let sum = |case: &Case<'_>| {
            let costs = case.records.iter().map(|r| r.cost.amount());
            costs
                .sum::<Option<crate::domain::Usd>>()
                .map(|usd| usd.dollars())
        };
        self.cases.iter().map(sum).collect()
    }
}

impl<'a> Table<'a> {
    /// Sorts the records into the matrix.
    ///
    /// # Errors
    /// A key that is planned or recorded twice, lies outside the matrix or the plan; a case that
    /// was never planned.
    pub(super) fn new(question: &Question, record: Record<'a>) -> Result<Self, AnalysisError> {
        let mut slots = Slots::planned(question, record.planned)?;
        for rollout in record.rows {
            slots.fill(rollout)?;
        }
        let mut missing = Vec::new();
        let mut rows = Vec::with_capacity(question.cells.len());
        for row in slots.rows {
            let cases = row
                .into_iter()
                .map(|case| case_of(case, record.unknown, &mut missing));
            let cases = cases.collect();
            rows.push(Row { cases });
        }
        missing.sort_by(|a: &MissingRollout, b| a.key.cmp(&b.key));
        Ok(Self { rows, missing })
    }

    /// Whether every case was planned with two repeats or more.
    pub(super) fn is_repeated(&self) -> bool {
        self.rows.iter().all(Row::is_repeated)
    }
}

/// One planned place, and what was recorded there.
struct Slot<'a> {
    key: &'a RolloutKey,
    record: Option<&'a ResultRow>,
}

/// The places of the matrix, by cell and task, each ordered by repeat.
struct Slots<'q, 'a> {
    cells: BTreeMap<&'q CellId, usize>,
    tasks: BTreeMap<&'q TaskId, usize>,
    rows: Vec<Vec<Vec<Slot<'a>>>>,
}

impl<'q, 'a> Slots<'q, 'a> {
    fn planned(question: &'q Question, planned: &'a [RolloutKey]) -> Result<Self, AnalysisError> {
        let cells: BTreeMap<_, _> = question.cells.iter().map(|c| &c.id).zip(0..).collect();
        let tasks: BTreeMap<_, _> = question.tasks.iter().map(|t| &t.id).zip(0..).collect();
        let row = || tasks.iter().map(|_| Vec::new()).collect();
        let rows = cells.iter().map(|_| row()).collect();
        let mut slots = Self { cells, tasks, rows };
        for key in planned {
            let outside = || AnalysisError::OutsideMatrix(key.clone());
            slots
                .case(key)
                .ok_or_else(outside)?
                .push(Slot { key, record: None });
        }
        for (row, cell) in slots.rows.iter_mut().zip(&question.cells) {
            for (case, task) in row.iter_mut().zip(&question.tasks) {
                case.sort_by_key(|slot| slot.key.repeat);
                if case.is_empty() {
                    let (task, cell) = (task.id.clone(), cell.id.clone());
                    return Err(AnalysisError::CaseNotPlanned(CaseId { task, cell }));
                }
                let twice = case
                    .windows(2)
                    .find(|two| two[0].key.repeat == two[1].key.repeat);
                if let Some(twice) = twice {
                    return Err(AnalysisError::DuplicatePlanned(twice[0].key.clone()));
                }
            }
        }
        Ok(slots)
    }

    fn case(&mut self, key: &RolloutKey) -> Option<&mut Vec<Slot<'a>>> {
        let (cell, task) = (self.cells.get(&key.cell)?, self.tasks.get(&key.task)?);
        Some(&mut self.rows[*cell][*task])
    }

    fn fill(&mut self, rollout: &'a ResultRow) -> Result<(), AnalysisError> {
        let key = &rollout.key;
        let slot = self.case(key).and_then(|case| {
            let at = case
                .binary_search_by_key(&key.repeat, |slot| slot.key.repeat)
                .ok()?;
            case.get_mut(at)
        });
        match slot {
            None => Err(AnalysisError::Unplanned(key.clone())),
            Some(slot) if slot.record.is_some() => {
                Err(AnalysisError::DuplicateRollout(key.clone()))
            }
            Some(slot) => {
                slot.record = Some(rollout);
                Ok(())
            }
        }
    }
}

fn case_of<'a>(
    slots: Vec<Slot<'a>>,
    unknown: &[UnknownAttempt],
    missing: &mut Vec<MissingRollout>,
) -> Case<'a> {
    let mut case = Case {
        scheduled: slots.len() as u32,
        ..Case::default()
    };
    for Slot { key, record } in slots {
        if let Some(why) = missing_reason(key, record, unknown) {
            let key = key.clone();
            missing.push(MissingRollout { key, why });
        }
        if let Some(rollout) = record {
            case.accepted += u32::from(rollout.outcome.is_accepted());
            case.finished += u32::from(is_finished(&rollout.outcome));
            case.measured += u32::from(rollout.outcome.is_measured());
            case.records.push(rollout);
        }
    }
    case
}

fn missing_reason(
    key: &RolloutKey,
    record: Option<&ResultRow>,
    unknown: &[UnknownAttempt],
) -> Option<MissingReason> {
    match record.map(|rollout| &rollout.outcome) {
        None if unknown.iter().any(|attempt| &attempt.key == key) => {
            Some(MissingReason::AttemptUnknown)
        }
        None => Some(MissingReason::NotFinished),
        Some(Outcome::Skipped { why }) => Some(MissingReason::Skipped { why: *why }),
        Some(Outcome::InvalidFixture { message }) => Some(MissingReason::InvalidFixture {
            message: message.clone(),
        }),
        Some(_) => None,
    }
}
