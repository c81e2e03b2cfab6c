//! Taking up a run again: what dead processes left, and what may run once more.

use super::open::run_number;
use super::worker::{bury, is_alive};
use super::writer::Durability;
use super::{Store, StoreError, attempt, read};
use crate::domain::{RolloutKey, RunId};
use rusqlite::{Connection, params};
use std::collections::BTreeMap;
use std::path::Path;

/// What becomes of rollouts that ended as infrastructure failures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum InfrastructureFailures {
    /// Their records stand.
    Keep,
    /// They may run again; until a new record is there, the old one stands.
    RunAgain,
}

/// How a run stands. Rollouts that were never begun, and those that a living process has under
/// way, are in none of the lists.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Recovery {
    /// Begun or skipped before, and free to run as a further attempt.
    pub rerun: Vec<RolloutKey>,
    /// Paid for, perhaps, with an unknown end: never sent again in silence, money held.
    pub unknown: Vec<RolloutKey>,
    /// Finished; their records stand.
    pub finished: Vec<RolloutKey>,
}

/// An attempt whose process is gone.
struct Orphan {
    attempt: i64,
    paid: bool,
    place: (i64, i64, u32),
}

impl Store {
    /// Settles what dead processes left running: an attempt that never asked for money is lost
    /// and its rollout may run again; one that did becomes unknown and keeps its hold. Rollouts
    /// that were skipped may run again; infrastructure failures only if asked. A process is
    /// dead when nobody holds the lock on its file. Lists are sorted by key.
    ///
    /// # Errors
    /// `StoreError::UnknownRun`; `StoreError::Database` and `Commit` when it can't be written.
    pub fn recover(
        &self,
        run: &RunId,
        failures: InfrastructureFailures,
    ) -> Result<Recovery, StoreError> {
        let run = run.clone();
        let workers = self.workers();
        self.write(Durability::Disk, move |desk| {
            let run = run_number(&desk.conn, &run)?;
            for orphan in orphans(&desk.conn, run, &workers)? {
                give_up(&desk.conn, run, &orphan)?;
            }
            offer(&desk.conn, run, "skipped")?;
            if failures == InfrastructureFailures::RunAgain {
                offer(&desk.conn, run, "infrastructure_failure")?;
            }
            let recovery = standing(&desk.conn, run)?;
            if !recovery.rerun.is_empty() {
                desk.conn
                    .execute("UPDATE run SET state = 'open' WHERE no = ?1", [run])?;
            }
            Ok(recovery)
        })
    }
}

impl Store {
    /// Lets those of these rollouts that ended as infrastructure failures, and those that a dead
    /// process left running without having paid, run once more. Whatever else is of the run stays
    /// as it is, so other processes can be at work on it.
    ///
    /// # Errors
    /// `StoreError::UnknownRun` and `NotPlanned`; `Database` and `Commit` when it can't be written.
    pub fn retry(&self, run: &RunId, keys: Vec<RolloutKey>) -> Result<(), StoreError> {
        let run = run.clone();
        let workers = self.workers();
        self.write(Durability::Disk, move |desk| {
            let run = run_number(&desk.conn, &run)?;
            for orphan in orphans(&desk.conn, run, &workers)? {
                give_up(&desk.conn, run, &orphan)?;
            }
            for key in &keys {
                attempt::offer_failure(&desk.conn, run, key)?;
            }
            desk.conn
                .execute("UPDATE run SET state = 'open' WHERE no = ?1", [run])?;
            Ok(())
        })
    }
}

fn orphans(conn: &Connection, run: i64, workers: &Path) -> Result<Vec<Orphan>, StoreError> {
    let mut alive: BTreeMap<String, bool> = BTreeMap::new();
    let mut orphans = Vec::new();
    let mut query = conn.prepare_cached(
        "SELECT id, paid_started_at IS NOT NULL, cell, task, repeat, worker
         FROM attempt WHERE run = ?1 AND state = 'running'",
    )?;
    let mut rows = query.query([run])?;
    while let Some(row) = rows.next()? {
        let worker: String = row.get(5)?;
        let lives = *alive
            .entry(worker)
            .or_insert_with_key(|worker| is_alive(workers, worker));
        if !lives {
            orphans.push(Orphan {
                attempt: row.get(0)?,
                paid: row.get(1)?,
                place: (row.get(2)?, row.get(3)?, row.get(4)?),
            });
        }
    }
    for (worker, _) in alive.iter().filter(|(_, lives)| !**lives) {
        bury(workers, worker);
    }
    Ok(orphans)
}

fn give_up(conn: &Connection, run: i64, orphan: &Orphan) -> Result<(), StoreError> {
    let attempt = if orphan.paid { "unknown" } else { "lost" };
    conn.prepare_cached("UPDATE attempt SET state = ?2 WHERE id = ?1")?
        .execute(params![orphan.attempt, attempt])?;
    let (cell, task, repeat) = orphan.place;
    let sql = if orphan.paid {
        "UPDATE rollout SET state = 'unknown', final_attempt = NULL, outcome = NULL,
         passed = NULL, score = NULL, cost_micro = NULL, tok_in = NULL, tok_out = NULL, ms = NULL
         WHERE run = ?1 AND cell = ?2 AND task = ?3 AND repeat = ?4"
    } else {
        "UPDATE rollout SET state = 'planned'
         WHERE run = ?1 AND cell = ?2 AND task = ?3 AND repeat = ?4"
    };
    conn.prepare_cached(sql)?
        .execute(params![run, cell, task, repeat])?;
    Ok(())
}

fn offer(conn: &Connection, run: i64, outcome: &str) -> Result<(), StoreError> {
    conn.execute(
        "UPDATE rollout SET state = 'planned'
         WHERE run = ?1 AND state = 'terminal' AND outcome = ?2",
        params![run, outcome],
    )?;
    Ok(())
}

fn standing(conn: &Connection, run: i64) -> Result<Recovery, StoreError> {
    let mut recovery = Recovery::default();
    for row in read::rows(conn, run)? {
        match row.state.as_str() {
            "terminal" => recovery.finished.push(row.key),
            "unknown" => recovery.unknown.push(row.key),
            "planned" if row.attempts > 0 => recovery.rerun.push(row.key),
            _ => {}
        }
    }
    recovery.rerun.sort();
    recovery.unknown.sort();
    recovery.finished.sort();
    Ok(recovery)
}
