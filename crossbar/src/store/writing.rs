//! Who is recording a run, as another process sees it.

use super::open::run_number;
use super::worker::living;
use super::{Store, StoreError};
use crate::domain::RunId;
use rusqlite::OptionalExtension;
use std::fs::File;

/// A living process that records a run.
#[derive(Debug)]
pub struct Writing {
    lock: File,
}

impl Writing {
    /// Waits until it has ended, however that comes.
    pub fn wait(self) {
        // A lock that can't be waited for is told by whoever looks again.
        let _ = self.lock.lock_shared();
    }
}

impl Store {
    /// The living processes that record a run. One that has not begun anything yet may be about to
    /// record this run, so it counts.
    ///
    /// # Errors
    /// `StoreError::UnknownRun`; `StoreError::Database` when it can't be read.
    pub fn writers(&self, run: &RunId) -> Result<Vec<Writing>, StoreError> {
        let living = living(&self.workers());
        self.snapshot(|reader| {
            let run = run_number(&reader.conn, run)?;
            let mut query = reader.conn.prepare_cached(
                "SELECT run FROM attempt WHERE worker = ?1 ORDER BY id DESC LIMIT 1",
            )?;
            let mut writers = Vec::new();
            for (name, lock) in living {
                let at: Option<i64> = query.query_row([name], |row| row.get(0)).optional()?;
                if at.is_none_or(|at| at == run) {
                    writers.push(Writing { lock });
                }
            }
            Ok(writers)
        })
    }
}
