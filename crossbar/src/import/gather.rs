//! Several files as one matrix: cells, tasks, rollouts, and what is missing between them.

use super::costs::hold_rounding;
use super::error::ImportError;
use super::found::{Found, Place, Read};
use super::repeats::number;
use super::strata::weigh;
use crate::domain::{CellId, Cost, CostSource, ResultRow, RolloutKey, TaskId};
use std::collections::{BTreeMap, BTreeSet};

/// The missing rollouts that a note names.
const NAMED: usize = 8;

/// What was imported.
#[derive(Debug, Clone, PartialEq)]
pub struct Imported {
    /// The cells, in the order in which the files name them.
    pub cells: Vec<CellId>,
    /// The cells of which every cost is free on purpose.
    pub free: BTreeSet<CellId>,
    /// The tasks, sorted by id.
    pub tasks: Vec<ImportedTask>,
    /// The repeats that some rollout has, at least one.
    pub repeats: BTreeSet<u32>,
    /// The rollouts, sorted by key; no key stands twice.
    pub rows: Vec<ResultRow>,
    /// Every cell on every task, each repeat: what a whole record would hold.
    pub planned: Vec<RolloutKey>,
    /// What a reader should know: what is missing, what was not used.
    pub notes: Vec<String>,
}

/// A task, as far as the files tell.
#[derive(Debug, Clone, PartialEq)]
pub struct ImportedTask {
    /// Its name.
    pub id: TaskId,
    /// Its family, where a file names one.
    pub family: Option<String>,
    /// Its weight, above 0; 1 unless a file gives it one or a stratum.
    pub weight: f64,
}

/// Puts files together.
///
/// # Errors
/// `ImportError::Empty` without a rollout; `ImportError::Contradiction` when a rollout stands
/// twice, a task is of two families, weights or strata, strata contradict each other, or one
/// file that numbers no repeats was given twice.
pub fn gather(mut files: Vec<Read>) -> Result<Imported, ImportError> {
    number(&mut files)?;
    let paths: Vec<String> = files.iter().map(|file| file.path.clone()).collect();
    let mut notes = Vec::new();
    let (mut found, mut expected) = (Vec::new(), Vec::new());
    for file in files {
        notes.extend(file.notes);
        expected.extend(file.expected);
        found.extend(file.found);
    }
    if found.is_empty() {
        return Err(ImportError::Empty(paths.join(", ")));
    }
    once(&found)?;
    let (tasks, strata) = tasks(&found, &expected)?;
    notes.extend(strata);
    notes.extend(hold_rounding(&mut found));
    let keys = || found.iter().map(|one| &one.row.key).chain(&expected);
    let mut cells: Vec<CellId> = Vec::new();
    for key in keys() {
        if !cells.contains(&key.cell) {
            cells.push(key.cell.clone());
        }
    }
    let repeats: BTreeSet<u32> = keys().map(|key| key.repeat).collect();
    let planned = planned(&cells, &tasks, &repeats);
    let mut rows: Vec<ResultRow> = found.into_iter().map(|one| one.row).collect();
    rows.sort_by(|a, b| a.key.cmp(&b.key));
    notes.extend(missing(&cells, &planned, &rows));
    notes.extend(gaps(&repeats));
    Ok(Imported {
        free: free(&rows),
        cells,
        tasks,
        repeats,
        rows,
        planned,
        notes,
    })
}

/// Every rollout stands once.
fn once(found: &[Found]) -> Result<(), ImportError> {
    let mut places: BTreeMap<&RolloutKey, &Place> = BTreeMap::new();
    for one in found {
        let key = &one.row.key;
        if let Some(first) = places.insert(key, &one.place) {
            return Err(ImportError::Contradiction {
                what: format!(
                    "cell `{}`, task `{}`, repeat {} stands twice",
                    key.cell, key.task, key.repeat
                ),
                place: one.place.to_string(),
                other: first.to_string(),
                help: "keep one, or number the repeats of a cell on a task 1, 2, 3",
            });
        }
    }
    Ok(())
}

/// The tasks, each with what all its rollouts say of it, and a note on their strata.
fn tasks(
    found: &[Found],
    expected: &[RolloutKey],
) -> Result<(Vec<ImportedTask>, Option<String>), ImportError> {
    let mut first: BTreeMap<&TaskId, &Found> = BTreeMap::new();
    for one in found {
        let task = &one.row.key.task;
        let before = *first.entry(task).or_insert(one);
        let name = |one: &'_ Found| one.stratum.as_ref().map(|stratum| stratum.name.clone());
        let what = if (&before.family, before.weight) != (&one.family, one.weight) {
            "families or two weights"
        } else if name(before) != name(one) {
            "strata"
        } else {
            continue;
        };
        return Err(ImportError::Contradiction {
            what: format!("task `{task}` has two {what}"),
            place: one.place.to_string(),
            other: before.place.to_string(),
            help: "a task has one family and one weight or stratum, in every line and every file",
        });
    }
    let named = found.iter().map(|one| &one.row.key.task);
    let all: BTreeSet<&TaskId> = named.chain(expected.iter().map(|key| &key.task)).collect();
    let tasks = all.iter().map(|id| ImportedTask {
        id: (*id).clone(),
        family: first.get(id).and_then(|one| one.family.clone()),
        weight: first.get(id).and_then(|one| one.weight).unwrap_or(1.0),
    });
    let mut tasks: Vec<ImportedTask> = tasks.collect();
    let note = weigh(&mut tasks, &first)?;
    Ok((tasks, note))
}

fn planned(cells: &[CellId], tasks: &[ImportedTask], repeats: &BTreeSet<u32>) -> Vec<RolloutKey> {
    let mut planned = Vec::new();
    for cell in cells {
        for task in tasks {
            planned.extend(repeats.iter().map(|repeat| RolloutKey {
                cell: cell.clone(),
                task: task.id.clone(),
                repeat: *repeat,
            }));
        }
    }
    planned
}

fn free(rows: &[ResultRow]) -> BTreeSet<CellId> {
    let is_free = |row: &ResultRow| {
        let source = CostSource::Free;
        matches!(row.cost, Cost::Known { source: from, .. } if from == source)
    };
    let cells: BTreeSet<_> = rows.iter().map(|row| &row.key.cell).collect();
    let free = cells.into_iter().filter(|cell| {
        let mut own = rows.iter().filter(|row| row.key.cell == **cell);
        own.all(is_free)
    });
    free.cloned().collect()
}

/// A note for every cell that has not every repeat of every task.
fn missing(cells: &[CellId], planned: &[RolloutKey], rows: &[ResultRow]) -> Vec<String> {
    let there: BTreeSet<&RolloutKey> = rows.iter().map(|row| &row.key).collect();
    let mut notes = Vec::new();
    for cell in cells {
        let own: Vec<_> = planned.iter().filter(|key| key.cell == *cell).collect();
        let absent = own.iter().filter(|key| !there.contains(**key));
        let absent: Vec<_> = absent
            .map(|key| format!("{} r{}", key.task, key.repeat))
            .collect();
        if absent.is_empty() {
            continue;
        }
        let more = match absent.len().saturating_sub(NAMED) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        notes.push(format!(
            "{cell}: {} of {} rollouts are not in the files: {}{more}",
            absent.len(),
            own.len(),
            absent[..absent.len().min(NAMED)].join(", ")
        ));
    }
    notes
}

/// A note where the repeats are not 1, 2, 3 and so on.
fn gaps(repeats: &BTreeSet<u32>) -> Option<String> {
    let last = repeats.last().copied().unwrap_or_default();
    let whole = repeats.len() as u64 == u64::from(last);
    (!whole).then(|| {
        format!(
            "the repeats are numbered up to {last}, and only {} numbers are there: the others are \
             taken for never planned",
            repeats.len()
        )
    })
}

#[cfg(test)]
mod tests;
