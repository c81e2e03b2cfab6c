//! Attempts: begun once, ended once, with their results in one transaction.

use super::StoreError;
use super::writer::Desk;
use crate::domain::{Rollout, RolloutKey};
use rusqlite::{Connection, OptionalExtension, params};
use serde_json::Value;

const FIND: &str = "SELECT r.cell, r.task, r.state, r.attempts
    FROM cell c
    JOIN task t ON t.run = c.run AND t.id = ?3
    JOIN rollout r ON r.run = c.run AND r.cell = c.no AND r.task = t.no AND r.repeat = ?4
    WHERE c.run = ?1 AND c.id = ?2";
const BEGIN: &str = "INSERT INTO attempt (run, cell, task, repeat, n, worker, state)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, 'running')";
const MARK: &str = "UPDATE rollout SET state = 'running', attempts = ?5
    WHERE run = ?1 AND cell = ?2 AND task = ?3 AND repeat = ?4";
const OFFER: &str = "UPDATE rollout SET state = 'planned'
    WHERE run = ?1 AND cell = ?2 AND task = ?3 AND repeat = ?4
    AND state = 'terminal' AND outcome = 'infrastructure_failure'";
const END: &str = "UPDATE attempt SET state = 'terminal', outcome = ?2
    WHERE id = ?1 AND state = 'running'";
const DETAIL: &str = "INSERT INTO detail (attempt, json) VALUES (?1, jsonb(?2))";
const RESULT: &str = "UPDATE rollout SET state = 'terminal', final_attempt = ?5, outcome = ?6,
    passed = ?7, score = ?8, cost_micro = ?9, tok_in = ?10, tok_out = ?11, ms = ?12
    WHERE run = ?1 AND cell = ?2 AND task = ?3 AND repeat = ?4";

/// Where a rollout stands in the tables, by small numbers.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place {
    run: i64,
    cell: i64,
    task: i64,
    repeat: u32,
}

/// An attempt that this process has under way.
#[derive(Debug, Clone, Copy)]
pub(super) struct Live {
    pub(super) id: i64,
    pub(super) n: u32,
    place: Place,
    /// Whether money was asked for, so that its end must be on the disk.
    pub(super) paid: bool,
}

/// What a rollout's row says.
pub(super) struct Standing {
    place: Place,
    pub(super) state: String,
    attempts: u32,
}

/// The narrow results of a record, and the record itself as JSON.
pub(super) struct Ended {
    key: RolloutKey,
    outcome: &'static str,
    passed: Option<bool>,
    score: Option<f64>,
    cost_micro: Option<i64>,
    tok_in: Option<i64>,
    tok_out: Option<i64>,
    ms: i64,
    record: Value,
}

/// SQLite's integers are signed; nothing that is counted here comes near the limit.
fn whole(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

impl Ended {
    /// Takes a record apart.
    pub(super) fn new(rollout: &Rollout) -> Result<Self, StoreError> {
        let mut record = serde_json::to_value(rollout).map_err(|e| StoreError::Encode {
            what: format!("rollout `{}`", rollout.key),
            why: e.to_string(),
        })?;
        if let Some(fields) = record.as_object_mut() {
            // The row says it.
            fields.remove("key");
        }
        let outcome = &rollout.outcome;
        Ok(Self {
            key: rollout.key.clone(),
            outcome: outcome.word(),
            passed: outcome.is_measured().then(|| outcome.is_accepted()),
            score: rollout.score.map(|score| score.total()),
            cost_micro: rollout.cost.amount().map(|cost| cost.micros()),
            tok_in: rollout.usage.map(|usage| whole(usage.input())),
            tok_out: rollout.usage.map(|usage| whole(usage.output)),
            ms: whole(rollout.worked_ms),
            record,
        })
    }
}

/// The row of a rollout.
pub(super) fn find(conn: &Connection, run: i64, key: &RolloutKey) -> Result<Standing, StoreError> {
    conn.prepare_cached(FIND)?
        .query_row(
            params![run, key.cell.to_string(), key.task.to_string(), key.repeat],
            |row| {
                Ok(Standing {
                    place: Place {
                        run,
                        cell: row.get(0)?,
                        task: row.get(1)?,
                        repeat: key.repeat,
                    },
                    state: row.get(2)?,
                    attempts: row.get(3)?,
                })
            },
        )
        .optional()?
        .ok_or_else(|| StoreError::NotPlanned(Box::new(key.clone())))
}

/// Begins the next attempt at a rollout that nobody has under way.
pub(super) fn begin(
    conn: &Connection,
    run: i64,
    key: &RolloutKey,
    worker: &str,
) -> Result<Live, StoreError> {
    let standing = find(conn, run, key)?;
    let place = standing.place;
    match standing.state.as_str() {
        "planned" => {}
        "running" => return Err(running(conn, &place, key)?),
        "unknown" => return Err(StoreError::PaidUnknown(Box::new(key.clone()))),
        _ => return Err(StoreError::AlreadyDone(Box::new(key.clone()))),
    }
    let n = standing.attempts + 1;
    let id = conn.prepare_cached(BEGIN)?.insert(params![
        place.run,
        place.cell,
        place.task,
        place.repeat,
        n,
        worker
    ])?;
    conn.prepare_cached(MARK)?.execute(params![
        place.run,
        place.cell,
        place.task,
        place.repeat,
        n
    ])?;
    Ok(Live {
        id,
        n,
        place,
        paid: false,
    })
}

/// Makes a rollout that ended as an infrastructure failure free to run as a further attempt; until
/// that has ended, the old record stands. Any other rollout stays as it is.
pub(super) fn offer_failure(
    conn: &Connection,
    run: i64,
    key: &RolloutKey,
) -> Result<(), StoreError> {
    let Place { cell, task, .. } = find(conn, run, key)?.place;
    conn.prepare_cached(OFFER)?
        .execute(params![run, cell, task, key.repeat])?;
    Ok(())
}

fn running(conn: &Connection, place: &Place, key: &RolloutKey) -> Result<StoreError, StoreError> {
    let worker = conn
        .prepare_cached(
            "SELECT worker FROM attempt WHERE run = ?1 AND cell = ?2 AND task = ?3
             AND repeat = ?4 AND state = 'running'",
        )?
        .query_row(
            params![place.run, place.cell, place.task, place.repeat],
            |row| row.get(0),
        )?;
    Ok(StoreError::AlreadyRunning {
        key: Box::new(key.clone()),
        worker,
    })
}

/// Ends an attempt: the record, its narrow row and the attempt's state, all or nothing.
pub(super) fn end(desk: &mut Desk, live: &Live, ended: Ended) -> Result<(), StoreError> {
    let packed = desk.shapes.pack(&desk.conn, ended.record)?.to_string();
    let conn = &desk.conn;
    let changed = conn
        .prepare_cached(END)?
        .execute(params![live.id, ended.outcome])?;
    if changed != 1 {
        return Err(StoreError::NotRunning(Box::new(ended.key)));
    }
    conn.prepare_cached(DETAIL)?
        .execute(params![live.id, packed])?;
    let place = &live.place;
    conn.prepare_cached(RESULT)?.execute(params![
        place.run,
        place.cell,
        place.task,
        place.repeat,
        live.id,
        ended.outcome,
        ended.passed,
        ended.score,
        ended.cost_micro,
        ended.tok_in,
        ended.tok_out,
        ended.ms
    ])?;
    Ok(())
}

#[cfg(test)]
mod tests;
