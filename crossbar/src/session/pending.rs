//! The changes of a run that nobody has decided on: `runs/<run>/pending/<pack>/<cell>.jsonl`, one
//! record each, the run's own or, where the task is gone, that of the reference.
//!
//! A task that would change a reference and is not in its file was rejected. Before the first
//! review there is no file, and everything is pending.

use super::SessionError;
use super::references::{file, read_file};
use crate::domain::{CellId, Reference, TaskId};
use crate::report::write_references;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Where references are, and where those of a run wait.
#[derive(Debug, Clone)]
pub struct ReferencePlaces {
    /// The folder of accepted references.
    pub accepted: PathBuf,
    /// The folder in which a run's own wait for a decision.
    pub pending: PathBuf,
}

impl ReferencePlaces {
    /// Whether a change of a task was rejected.
    pub(super) fn is_rejected(&self, cell: &CellId, task: &TaskId) -> Result<bool, SessionError> {
        let path = file(&self.pending, task.pack(), cell);
        if !path.is_file() {
            return Ok(false);
        }
        let waiting = read_file(&path, task.pack())?;
        Ok(!waiting.iter().any(|one| one.task == *task))
    }

    /// Writes what waits, where nothing is written yet.
    pub(super) fn begin(
        &self,
        cell: &CellId,
        waiting: &BTreeMap<String, Vec<Reference>>,
    ) -> Result<(), SessionError> {
        for (pack, records) in waiting {
            let path = file(&self.pending, pack, cell);
            if !path.is_file() {
                put(&path, records)?;
            }
        }
        Ok(())
    }

    /// Takes a task out of what waits.
    pub(super) fn reject(&self, cell: &CellId, task: &TaskId) -> Result<(), SessionError> {
        let path = file(&self.pending, task.pack(), cell);
        let mut waiting = read_file(&path, task.pack())?;
        waiting.retain(|one| one.task != *task);
        put(&path, &waiting)
    }
}

/// Writes a file, empty where nothing waits any more.
fn put(path: &Path, records: &[Reference]) -> Result<(), SessionError> {
    let text = write_references(records).map_err(|error| SessionError::new(error.to_string()))?;
    let failed = |error: std::io::Error| {
        SessionError::new(format!("failed to write {}: {error}", path.display()))
    };
    if let Some(parent) = path.parent() {
        std::fs::create_dir_all(parent).map_err(failed)?;
    }
    std::fs::write(path, text).map_err(failed)
}
