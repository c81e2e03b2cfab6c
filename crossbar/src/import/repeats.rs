//! Repeats of files that number none: several files of one cell are its repeats, in the order in
//! which they are given.

use super::error::ImportError;
use super::found::{Numbering, Read};
use crate::domain::{CellId, RolloutKey, TaskId};
use std::collections::BTreeMap;

/// Numbers the repeats of the files that don't.
///
/// # Errors
/// `ImportError::Contradiction` when two of them hold the same rollouts to the millisecond: one
/// measurement that was given twice would count twice.
pub(super) fn number(files: &mut [Read]) -> Result<(), ImportError> {
    let is_open = |file: &&mut Read| file.numbering == Numbering::ByFile;
    let mut files: Vec<&mut Read> = files.iter_mut().filter(is_open).collect();
    for (at, file) in files.iter().enumerate() {
        if let Some(first) = files[..at].iter().find(|other| is_same(other, file)) {
            return Err(ImportError::Contradiction {
                what: "two files hold the same rollouts".to_owned(),
                place: file.path.clone(),
                other: first.path.clone(),
                help: "give each measurement once",
            });
        }
    }
    let mut last: BTreeMap<(CellId, TaskId), u32> = BTreeMap::new();
    for file in &mut files {
        let before = last.clone();
        let own = |key: &RolloutKey| (key.cell.clone(), key.task.clone());
        let keys = file.found.iter_mut().map(|one| &mut one.row.key);
        for key in keys.chain(&mut file.expected) {
            let case = own(key);
            key.repeat += before.get(&case).copied().unwrap_or_default();
            let highest = last.entry(case).or_default();
            *highest = key.repeat.max(*highest);
        }
    }
    Ok(())
}

fn is_same(one: &Read, other: &Read) -> bool {
    let rows = |read: &Read| {
        read.found
            .iter()
            .map(|found| found.row.clone())
            .collect::<Vec<_>>()
    };
    !one.found.is_empty() && one.found.len() == other.found.len() && rows(one) == rows(other)
}
