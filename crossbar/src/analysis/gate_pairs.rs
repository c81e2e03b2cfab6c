//! What a held cell is compared over: the tasks that are the same in both, and the names of those
//! that are not. Nothing is dropped without being named.

use super::aa::Half;
use super::gate::Held;
use super::grouping::Grouping;
use super::table::Counts;
use super::{
    AcceptedDrop, Against, CellSummary, ChangedPart, MovedTask, NotComparable, PairedTasks,
    TaskInfo, TaskSummary,
};
use crate::domain::{CellId, Reference, TaskId};
use crate::stats::{fisher_exact, holm};
use std::collections::{BTreeMap, BTreeSet};

/// A cell and what it is held against, over the tasks that are the same in both.
pub(super) struct Pairing<'a> {
    pub(super) cell: &'a CellId,
    pub(super) against: Against,
    pub(super) now: Counts,
    pub(super) then: Counts,
    pub(super) grouping: Grouping,
    pub(super) tasks: PairedTasks,
}

impl Pairing<'_> {
    /// Independent units for \[tasks like these\].
    pub(super) fn units(&self) -> usize {
        self.grouping.count(self.now.runs.len())
    }
}

/// Why a cell is not compared.
pub(super) enum Unpaired {
    /// Nobody has accepted a reference.
    NoReference,
    /// It may not be compared; the tasks are named all the same.
    Refused(Box<(NotComparable, PairedTasks)>),
}

impl Unpaired {
    pub(super) fn refused(why: NotComparable, tasks: PairedTasks) -> Self {
        Self::Refused(Box::new((why, tasks)))
    }
}

fn refused(why: NotComparable) -> Unpaired {
    Unpaired::refused(why, PairedTasks::default())
}

/// The cell as the run measured it, unless its model only plays one and that is not allowed.
fn allowed<'a>(held: &Held<'a>, ids: &[&CellId]) -> Result<Vec<&'a CellSummary>, Unpaired> {
    let found: Option<Vec<_>> = ids.iter().map(|id| held.analysis.cell(id)).collect();
    let found = found.ok_or_else(|| refused(NotComparable::NotInThisRun))?;
    let pretend = found.iter().filter(|cell| cell.pretend);
    let cells: Vec<CellId> = pretend.map(|cell| cell.id.clone()).collect();
    if cells.is_empty() || held.rules.allow_mock {
        Ok(found)
    } else {
        Err(refused(NotComparable::Mock { cells }))
    }
}

/// Passes and rollouts of a cell on a task; the run is complete, so all that was planned is there.
fn counts(task: &TaskSummary, cell: &CellId) -> (u32, u32) {
    let found = task.cells.iter().find(|one| &one.cell == cell);
    found.map_or((0, 0), |one| (one.accepted, one.scheduled))
}

/// A cell against the baseline of its own sweep: every task is the same in both.
pub(super) fn concurrent<'a>(held: &Held<'a>, cell: &'a CellId) -> Result<Pairing<'a>, Unpaired> {
    let baseline = held.question.baseline.as_ref();
    let baseline = baseline.ok_or_else(|| refused(NotComparable::NotInThisRun))?;
    allowed(held, &[cell, baseline])?;
    let table = held.analysis.task_table.iter();
    let pairs = table.map(|task| Pair {
        task: &task.task,
        now: counts(task, cell),
        then: counts(task, baseline),
    });
    let against = Against::Cell {
        cell: baseline.clone(),
    };
    Ok(pairing(
        held,
        (cell, against),
        pairs.collect(),
        PairedTasks::default(),
    ))
}

/// The even repeats of a cell against its odd ones, task by task.
pub(super) fn halves<'a>(
    held: &Held<'a>,
    of: (&'a CellId, Against),
    tasks: &BTreeMap<&TaskId, (Half, Half)>,
) -> Pairing<'a> {
    let pairs = tasks.iter().map(|(task, (odd, even))| Pair {
        task,
        now: *even,
        then: *odd,
    });
    pairing(held, of, pairs.collect(), PairedTasks::default())
}

/// A cell against its accepted records.
pub(super) fn stored<'a>(held: &Held<'a>, cell: &'a CellId) -> Result<Pairing<'a>, Unpaired> {
    let summary = allowed(held, &[cell])?;
    let records = held.stored.records.get(cell);
    let records = records.filter(|records| !records.is_empty());
    let records = records.ok_or(Unpaired::NoReference)?;
    let known: BTreeMap<&TaskId, &Reference> = records.iter().map(|one| (&one.task, one)).collect();
    let infos: BTreeMap<&TaskId, &TaskInfo> = held
        .question
        .tasks
        .iter()
        .map(|task| (&task.id, task))
        .collect();
    let is_same = |record: &&Reference| {
        let info = infos.get(&record.task);
        info.is_some_and(|info| info.fingerprint == record.task_fp)
    };
    let same: Vec<&Reference> = records.iter().filter(is_same).collect();
    let tasks = PairedTasks {
        removed: names(
            known
                .keys()
                .copied()
                .filter(|task| !infos.contains_key(task)),
        ),
        new: names(
            infos
                .keys()
                .copied()
                .filter(|task| !known.contains_key(task)),
        ),
        changed: names(
            records
                .iter()
                .filter(|one| !is_same(one))
                .map(|one| &one.task),
        )
        .into_iter()
        .filter(|task| infos.contains_key(task))
        .collect(),
        accepted_drops: accepted_drops(records),
        ..PairedTasks::default()
    };
    if let Some(why) = stale(held, summary.first().copied(), &same) {
        return Err(Unpaired::refused(why, tasks));
    }
    let comparable: BTreeMap<_, _> = same.iter().map(|record| (&record.task, record)).collect();
    let pairs = held.analysis.task_table.iter().filter_map(|task| {
        let record = comparable.get(&task.task)?;
        Some(Pair {
            task: &task.task,
            now: counts(task, cell),
            then: (record.pass, record.n),
        })
    });
    let against = origin(held, cell, &same);
    Ok(pairing(held, (cell, against), pairs.collect(), tasks))
}

fn names<'t>(tasks: impl Iterator<Item = &'t TaskId>) -> Vec<TaskId> {
    let tasks: BTreeSet<&TaskId> = tasks.collect();
    tasks.into_iter().cloned().collect()
}

fn accepted_drops(records: &[Reference]) -> Vec<AcceptedDrop> {
    let drop = |record: &Reference| {
        Some(AcceptedDrop {
            task: record.task.clone(),
            reason: record.accepted_drop.clone()?,
        })
    };
    records.iter().filter_map(drop).collect()
}

/// Why accepted records may not be compared with this run: they are a historical control, and a
/// provider that drifts makes a difference where nobody changed anything.
fn stale(
    held: &Held<'_>,
    cell: Option<&CellSummary>,
    same: &[&Reference],
) -> Option<NotComparable> {
    let cell = cell?;
    if same.is_empty() {
        return Some(NotComparable::NoCommonTask);
    }
    let changed = |what, then: String, now: String| {
        (then != now).then_some(NotComparable::Changed { what, then, now })
    };
    let requested: BTreeSet<&str> = same.iter().map(|one| one.requested.as_str()).collect();
    let answered: BTreeSet<&str> = same
        .iter()
        .flat_map(|one| one.answered.iter().map(String::as_str))
        .collect();
    let agents: BTreeSet<&str> = same.iter().map(|one| one.agent.as_str()).collect();
    let agent = held
        .stored
        .agents
        .get(&cell.id)
        .cloned()
        .unwrap_or_default();
    changed(
        ChangedPart::RequestedModel,
        listed(requested),
        cell.requested_model.clone(),
    )
    .or_else(|| {
        let now = cell.answered_models.iter().map(String::as_str).collect();
        changed(ChangedPart::AnsweredModel, listed(answered), listed(now))
    })
    .or_else(|| changed(ChangedPart::Agent, listed(agents), agent))
    .or_else(|| too_old(held, cell, same))
}

fn too_old(held: &Held<'_>, cell: &CellSummary, same: &[&Reference]) -> Option<NotComparable> {
    let first = same.iter().filter_map(|one| day_number(&one.day)).min()?;
    let days = day_number(&held.stored.day)?.saturating_sub(first);
    let days = u32::try_from(days).unwrap_or(0);
    let limit = held.rules.max_age_days;
    (!cell.pretend && days > limit).then_some(NotComparable::TooOld { days, limit })
}

fn listed(names: BTreeSet<&str>) -> String {
    names.into_iter().collect::<Vec<_>>().join(", ")
}

fn origin(held: &Held<'_>, cell: &CellId, same: &[&Reference]) -> Against {
    let mut days: Vec<&str> = same.iter().map(|one| one.day.as_str()).collect();
    days.sort_unstable();
    let runs: BTreeSet<&String> = same.iter().map(|one| &one.run).collect();
    let now = held.analysis.cell(cell).map(|cell| &cell.fingerprint);
    let other = same
        .iter()
        .map(|one| &one.cell_fp)
        .filter(|then| Some(*then) != now);
    let changed_from: BTreeSet<&String> = other.collect();
    let day = |at: Option<&&str>| at.map_or_else(String::new, |day| (*day).to_owned());
    Against::Record {
        days: (day(days.first()), day(days.last())),
        runs: runs.into_iter().cloned().collect(),
        changed_from: changed_from.into_iter().cloned().collect(),
    }
}

/// One task with its passes and rollouts on both sides.
struct Pair<'a> {
    task: &'a TaskId,
    now: (u32, u32),
    then: (u32, u32),
}

fn pairing<'a>(
    held: &Held<'a>,
    (cell, against): (&'a CellId, Against),
    pairs: Vec<Pair<'_>>,
    mut tasks: PairedTasks,
) -> Pairing<'a> {
    let (mut now, mut then) = (Vec::new(), Vec::new());
    let mut question = held.question.clone();
    let kept: BTreeSet<&TaskId> = pairs.iter().map(|pair| pair.task).collect();
    question.tasks.retain(|task| kept.contains(&task.id));
    for pair in &pairs {
        now.push(pair.now);
        then.push(pair.then);
    }
    tasks.paired = pairs.len() as u32;
    tasks.moved = moved(&pairs);
    Pairing {
        cell,
        against,
        now: Counts::of(now),
        then: Counts::of(then),
        grouping: Grouping::of(&question),
        tasks,
    }
}

/// The tasks whose share of passes moved, the largest drop first.
fn moved(pairs: &[Pair<'_>]) -> Vec<MovedTask> {
    let share = |(passes, runs): (u32, u32)| f64::from(passes) / f64::from(runs.max(1));
    let row = |(passes, runs): (u32, u32)| [passes.into(), runs.saturating_sub(passes).into()];
    let drop = |pair: &Pair<'_>| fisher_exact([row(pair.now), row(pair.then)]).less;
    let adjusted = holm(&pairs.iter().map(drop).collect::<Vec<_>>());
    let mut moved: Vec<(f64, MovedTask)> = Vec::new();
    for (pair, adjusted_p) in pairs.iter().zip(adjusted) {
        let task = MovedTask {
            task: pair.task.clone(),
            then: pair.then,
            now: pair.now,
            adjusted_p,
        };
        let change = share(pair.now) - share(pair.then);
        if change != 0.0 {
            moved.push((change, task));
        }
    }
    moved.sort_by(|a, b| a.0.total_cmp(&b.0).then_with(|| a.1.task.cmp(&b.1.task)));
    moved.into_iter().map(|(_, task)| task).collect()
}

/// The days from 1970-01-01 to a date `YYYY-MM-DD` in the proleptic Gregorian calendar, by counting
/// leap days; `None` for anything else.
pub(super) fn day_number(day: &str) -> Option<i64> {
    let mut parts = day.split('-').map(|part| part.parse::<i64>().ok());
    let (year, month, day) = (parts.next()??, parts.next()??, parts.next()??);
    if parts.next().is_some() || !(1..=12).contains(&month) || !(1..=31).contains(&day) {
        return None;
    }
    // March begins the year here, so that the leap day is its last.
    let year = if month <= 2 { year - 1 } else { year };
    let month = (month + 9) % 12;
    let leap_days = year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400);
    Some(365 * year + leap_days + (153 * month + 2) / 5 + day - 1 - 719_468)
}
