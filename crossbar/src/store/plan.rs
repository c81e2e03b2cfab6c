//! Runs and their plans: made once, joined by every further process.

use super::open::run_number;
use super::writer::Durability;
use super::{Store, StoreError};
use crate::domain::{BudgetLimit, CellId, RolloutKey, RunId, TaskId};
use rusqlite::{Connection, OptionalExtension, params};
use serde_json::Value;
use std::cmp::Ordering;

/// A run to make, or to join where it exists.
#[derive(Debug, Clone, PartialEq)]
pub struct NewRun {
    /// Its name.
    pub id: RunId,
    /// When it was begun, RFC 3339 UTC; a run that is joined keeps its own.
    pub created_at: String,
    /// What it was begun with.
    pub settings: Value,
    /// A hash over `settings`: what decides whether a run may be joined.
    pub settings_hash: String,
    /// The ceiling of its money. `None` leaves what is there; without any, every paid call is
    /// refused. A run that is joined takes the new ceiling and keeps what is held and spent.
    pub budget: Option<BudgetLimit>,
}

/// What a run is going to do. Plans of several processes are united.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Plan {
    /// The cells that `rollouts` name, unless an earlier plan had them.
    pub cells: Vec<PlannedCell>,
    /// The tasks that `rollouts` name, unless an earlier plan had them.
    pub tasks: Vec<PlannedTask>,
    /// Each rollout with its position in the sweep's order, from 0.
    pub rollouts: Vec<(RolloutKey, u32)>,
}

/// A cell of a plan.
#[derive(Debug, Clone, PartialEq)]
pub struct PlannedCell {
    /// Its id.
    pub id: CellId,
    /// The hash of everything that changes its behaviour.
    pub fingerprint: String,
    /// What reports say about it.
    pub info: Value,
}

/// A task of a plan.
#[derive(Debug, Clone, PartialEq)]
pub struct PlannedTask {
    /// Its id.
    pub id: TaskId,
    /// The hash of everything that changes it.
    pub fingerprint: String,
    /// What reports say about it.
    pub info: Value,
}

/// A cell or a task, as its table takes it.
struct Part {
    kind: &'static str,
    id: String,
    fingerprint: String,
    info: String,
}

impl Store {
    /// Makes a run, or joins it where it exists with the same settings.
    ///
    /// # Errors
    /// `StoreError::SettingsDiffer` when it exists with another `settings_hash`.
    pub fn create_run(&self, run: &NewRun) -> Result<(), StoreError> {
        let durability = match run.budget {
            Some(_) => Durability::Disk,
            None => Durability::Process,
        };
        let run = run.clone();
        self.write(durability, move |desk| create(&desk.conn, &run))
    }

    /// Whether a run's plan has all these tasks.
    ///
    /// # Errors
    /// `StoreError::UnknownRun`.
    pub fn has_tasks(&self, run: &RunId, tasks: &[TaskId]) -> Result<bool, StoreError> {
        let mut tasks: Vec<_> = tasks.iter().collect();
        tasks.sort_by(|a, b| as_text(a, b));
        self.snapshot(|reader| {
            let run = run_number(&reader.conn, run)?;
            let mut planned = reader
                .conn
                .prepare_cached("SELECT id FROM task WHERE run = ?1 ORDER BY id")?;
            let mut planned = planned.query([run])?;
            let mut tasks = tasks.iter().peekable();
            // Both are sorted by their bytes, so a task that a row has passed is in none.
            while let (Some(row), Some(_)) = (planned.next()?, tasks.peek()) {
                let id = row.get_ref(0)?.as_str().unwrap_or_default();
                let parts = id.split_once("::");
                tasks.next_if(|task| parts == Some((task.pack(), task.task())));
            }
            Ok(tasks.peek().is_none())
        })
    }

    /// Adds to a run's plan; what is there already stays as it is.
    ///
    /// # Errors
    /// `StoreError::FingerprintDiffers` when a cell or task has changed since,
    /// `StoreError::NotPlanned` when a rollout names a cell or task that no plan has.
    pub fn plan(&self, run: &RunId, plan: &Plan) -> Result<(), StoreError> {
        let run = run.clone();
        let rollouts = plan.rollouts.clone();
        let cells = plan.cells.iter().map(|cell| Part {
            kind: "cell",
            id: cell.id.to_string(),
            fingerprint: cell.fingerprint.clone(),
            info: cell.info.to_string(),
        });
        let tasks = plan.tasks.iter().map(|task| Part {
            kind: "task",
            id: task.id.to_string(),
            fingerprint: task.fingerprint.clone(),
            info: task.info.to_string(),
        });
        let parts: Vec<Part> = cells.chain(tasks).collect();
        self.write(Durability::Process, move |desk| {
            let run = run_number(&desk.conn, &run)?;
            for part in &parts {
                unite(&desk.conn, run, part)?;
            }
            let mut added = 0;
            for (key, position) in &rollouts {
                added += place(&desk.conn, run, key, *position)?;
            }
            if added > 0 {
                desk.conn
                    .execute("UPDATE run SET state = 'open' WHERE no = ?1", [run])?;
            }
            Ok(())
        })
    }
}

/// The order of two ids as they are written, which is how SQLite sorts them.
fn as_text(a: &TaskId, b: &TaskId) -> Ordering {
    if a.pack() == b.pack() {
        return a.task().cmp(b.task());
    }
    a.to_string().cmp(&b.to_string())
}

fn create(conn: &Connection, run: &NewRun) -> Result<(), StoreError> {
    conn.execute(
        "INSERT INTO run (id, created_at, settings, settings_hash, state)
         VALUES (?1, ?2, ?3, ?4, 'open') ON CONFLICT (id) DO NOTHING",
        params![
            run.id.as_str(),
            run.created_at,
            run.settings.to_string(),
            run.settings_hash
        ],
    )?;
    let (no, stored): (i64, String) = conn.query_row(
        "SELECT no, settings_hash FROM run WHERE id = ?1",
        [run.id.as_str()],
        |row| Ok((row.get(0)?, row.get(1)?)),
    )?;
    if stored != run.settings_hash {
        return Err(StoreError::SettingsDiffer {
            run: run.id.to_string(),
            stored,
            asked: run.settings_hash.clone(),
        });
    }
    if let Some(limit) = run.budget {
        let micros = match limit {
            BudgetLimit::Usd(limit) => Some(limit.micros()),
            BudgetLimit::Unlimited => None,
        };
        conn.execute(
            "INSERT INTO budget (run, limit_micro) VALUES (?1, ?2)
             ON CONFLICT (run) DO UPDATE SET limit_micro = excluded.limit_micro",
            params![no, micros],
        )?;
    }
    Ok(())
}

fn unite(conn: &Connection, run: i64, part: &Part) -> Result<(), StoreError> {
    let table = part.kind;
    let stored: Option<String> = conn
        .prepare_cached(&format!(
            "SELECT fingerprint FROM {table} WHERE run = ?1 AND id = ?2"
        ))?
        .query_row(params![run, part.id], |row| row.get(0))
        .optional()?;
    match stored {
        None => {
            conn.prepare_cached(&format!(
                "INSERT INTO {table} (run, id, fingerprint, info) VALUES (?1, ?2, ?3, ?4)"
            ))?
            .execute(params![run, part.id, part.fingerprint, part.info])?;
            Ok(())
        }
        Some(stored) if stored == part.fingerprint => Ok(()),
        Some(stored) => Err(StoreError::FingerprintDiffers {
            kind: part.kind,
            id: part.id.clone(),
            stored,
            asked: part.fingerprint.clone(),
        }),
    }
}

/// Adds one rollout; 0 when it was there.
fn place(
    conn: &Connection,
    run: i64,
    key: &RolloutKey,
    position: u32,
) -> Result<usize, StoreError> {
    let known: Option<(i64, i64)> = conn
        .prepare_cached(
            "SELECT c.no, t.no FROM cell c JOIN task t ON t.run = c.run AND t.id = ?3
             WHERE c.run = ?1 AND c.id = ?2",
        )?
        .query_row(
            params![run, key.cell.to_string(), key.task.to_string()],
            |row| Ok((row.get(0)?, row.get(1)?)),
        )
        .optional()?;
    let (cell, task) = known.ok_or_else(|| StoreError::NotPlanned(Box::new(key.clone())))?;
    let added = conn
        .prepare_cached(
            "INSERT INTO rollout (run, cell, task, repeat, position, state)
             VALUES (?1, ?2, ?3, ?4, ?5, 'planned') ON CONFLICT DO NOTHING",
        )?
        .execute(params![run, cell, task, key.repeat, position])?;
    Ok(added)
}
