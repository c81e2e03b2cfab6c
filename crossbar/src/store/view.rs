//! One run as it was at one moment, its records one at a time: all of them together may be larger
//! than the memory that there is.

use super::open::{Reader, run_number};
use super::shapes::Shapes;
use super::{PlannedTask, RunHead, Store, StoreError, connection, read};
use crate::domain::{CellId, IdError, Rollout, RolloutKey, RunEvent, RunId, TaskId};
use rusqlite::{Connection, OptionalExtension, params};
use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

const KEYS: &str = "SELECT cell, task, repeat FROM rollout
    WHERE run = ?1 AND final_attempt IS NOT NULL";
const PLANNED: &str = "SELECT cell, task, repeat FROM rollout WHERE run = ?1";
const RECORD: &str =
    "SELECT json(d.json) FROM rollout r JOIN detail d ON d.attempt = r.final_attempt
    WHERE r.run = ?1 AND r.cell = ?2 AND r.task = ?3 AND r.repeat = ?4";

/// A run as it was when the view was made, whatever is written meanwhile. It has a connection of
/// its own, and holds the moment until it is dropped.
pub struct RunView {
    id: RunId,
    run: i64,
    cell_numbers: BTreeMap<CellId, i64>,
    task_numbers: BTreeMap<TaskId, i64>,
    reader: Mutex<Reader>,
}

impl Store {
    /// Looks at a run.
    ///
    /// # Errors
    /// `StoreError::UnknownRun`; `StoreError::Open` when the file can't be opened once more;
    /// `StoreError::Corrupt` when a stored name can't be read.
    pub fn view(&self, run: &RunId) -> Result<RunView, StoreError> {
        let conn = connection::open_existing(self.path())?.ok_or_else(|| StoreError::Open {
            path: self.path().to_owned(),
            why: "it vanished while it was being read".to_owned(),
        })?;
        // The connection's end is the transaction's.
        conn.execute_batch("BEGIN")?;
        let no = run_number(&conn, run)?;
        Ok(RunView {
            id: run.clone(),
            run: no,
            cell_numbers: numbers(&conn, "cell", no, CellId::parse)?,
            task_numbers: numbers(&conn, "task", no, TaskId::parse)?,
            reader: Mutex::new(Reader {
                conn,
                shapes: Shapes::default(),
            }),
        })
    }
}

/// The small numbers of a run's cells or tasks, by id.
fn numbers<T: Ord>(
    conn: &Connection,
    table: &str,
    run: i64,
    parse: fn(&str) -> Result<T, IdError>,
) -> Result<BTreeMap<T, i64>, StoreError> {
    let mut query = conn.prepare(&format!("SELECT id, no FROM {table} WHERE run = ?1"))?;
    let mut rows = query.query([run])?;
    let mut numbers = BTreeMap::new();
    while let Some(row) = rows.next()? {
        let id = row.get_ref(0)?.as_str().map_err(read::corrupt(table))?;
        numbers.insert(parse(id).map_err(read::corrupt(table))?, row.get(1)?);
    }
    Ok(numbers)
}

impl RunView {
    /// What surrounds the tasks and the rollouts.
    ///
    /// # Errors
    /// `StoreError::Database` or `Corrupt` when it can't be read.
    pub fn head(&self) -> Result<RunHead, StoreError> {
        read::head(&self.reader().conn, self.run, &self.id)
    }

    /// What `each` makes of the tasks, one after the other, sorted by id. It must not ask the
    /// view again.
    ///
    /// # Errors
    /// `StoreError::Database` or `Corrupt` when they can't be read.
    pub fn tasks<T>(&self, each: impl FnMut(PlannedTask) -> T) -> Result<Vec<T>, StoreError> {
        read::tasks(&self.reader().conn, self.run, each)
    }

    fn reader(&self) -> MutexGuard<'_, Reader> {
        self.reader.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The key of every rollout that has a final record, sorted. The keys share their names.
    ///
    /// # Errors
    /// `StoreError::Database` when they can't be read.
    pub fn keys(&self) -> Result<Vec<RolloutKey>, StoreError> {
        self.listed(KEYS)
    }

    /// The key of every planned rollout, sorted. The keys share their names.
    ///
    /// # Errors
    /// `StoreError::Database` when they can't be read.
    pub fn planned(&self) -> Result<Vec<RolloutKey>, StoreError> {
        self.listed(PLANNED)
    }

    /// The starts and ends of the run's parts and the refusals of its budget, in order.
    ///
    /// # Errors
    /// `StoreError::Database` or `Corrupt` when they can't be read.
    pub fn events(&self) -> Result<Vec<RunEvent>, StoreError> {
        read::events(&self.reader().conn, self.run)
    }

    fn listed(&self, sql: &str) -> Result<Vec<RolloutKey>, StoreError> {
        let cells: BTreeMap<i64, &CellId> =
            self.cell_numbers.iter().map(|(id, no)| (*no, id)).collect();
        let tasks: BTreeMap<i64, &TaskId> =
            self.task_numbers.iter().map(|(id, no)| (*no, id)).collect();
        let reader = self.reader();
        let mut query = reader.conn.prepare(sql)?;
        let mut rows = query.query([self.run])?;
        let mut keys = Vec::new();
        while let Some(row) = rows.next()? {
            if let (Some(cell), Some(task)) = (cells.get(&row.get(0)?), tasks.get(&row.get(1)?)) {
                keys.push(RolloutKey {
                    cell: (*cell).clone(),
                    task: (*task).clone(),
                    repeat: row.get(2)?,
                });
            }
        }
        keys.sort();
        Ok(keys)
    }

    /// The final record of a rollout; `None` where it has none.
    ///
    /// # Errors
    /// `StoreError::Database` or `Corrupt` when it can't be read.
    pub fn record(&self, key: &RolloutKey) -> Result<Option<Rollout>, StoreError> {
        let (Some(cell), Some(task)) = (
            self.cell_numbers.get(&key.cell),
            self.task_numbers.get(&key.task),
        ) else {
            return Ok(None);
        };
        let mut reader = self.reader();
        let Reader { conn, shapes } = &mut *reader;
        let text: Option<String> = conn
            .prepare_cached(RECORD)?
            .query_row(params![self.run, cell, task, key.repeat], |row| row.get(0))
            .optional()?;
        text.map(|text| read::decoded((conn, shapes), &text, key.clone()))
            .transpose()
    }
}
