//! Reading back: the whole of a run, and which runs there are.

use super::open::{Reader, run_number};
use super::shapes::Shapes;
use super::{PlannedCell, PlannedTask, Store, StoreError, ledger};
use crate::domain::{BudgetStatus, CellId, Rollout, RolloutKey, RunEvent, RunId, TaskId, Usd};
use rusqlite::Connection;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// All that the store knows about a run; every report is a function of it.
#[derive(Debug, Clone, PartialEq)]
pub struct RunRecord {
    /// What surrounds its tasks and rollouts.
    pub head: RunHead,
    /// Its tasks, sorted by id.
    pub tasks: Vec<PlannedTask>,
    /// Every planned rollout with its position, sorted by position, then key.
    pub planned: Vec<(RolloutKey, u32)>,
    /// The final record of every rollout that has one, sorted by key.
    pub rollouts: Vec<Rollout>,
    /// The starts and ends of its parts and the refusals of its budget, in order.
    pub events: Vec<RunEvent>,
}

/// A run without its tasks and rollouts.
#[derive(Debug, Clone, PartialEq)]
pub struct RunHead {
    /// The run.
    pub id: RunId,
    /// When it was begun, as its maker said.
    pub created_at: String,
    /// What it was begun with.
    pub settings: Value,
    /// Its cells, sorted by id.
    pub cells: Vec<PlannedCell>,
    /// Rollouts with a paid attempt whose end is unknown, sorted by key.
    pub unknown: Vec<RolloutKey>,
    /// The money that stays held for those.
    pub held: BTreeMap<RolloutKey, Usd>,
    /// Its budget; `None` when it has none.
    pub budget: Option<BudgetStatus>,
}

/// A run in a list of runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunSummary {
    /// The run.
    pub id: RunId,
    /// When it was begun, as its maker said.
    pub created_at: String,
    /// Whether anything of its plan is left to run.
    pub state: RunState,
    /// The run that this one is a second look at, where its settings name one.
    pub second_look_of: Option<RunId>,
}

/// Whether a run has ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RunState {
    /// Something is left to run, or it has not said that it ended.
    Open,
    /// It has said that it ended, and nothing was left to run.
    Finished,
}

/// A row of the plan.
pub(super) struct PlanRow {
    pub(super) key: RolloutKey,
    pub(super) position: u32,
    pub(super) state: String,
    pub(super) attempts: u32,
}

pub(super) fn corrupt<E: std::fmt::Display>(what: &str) -> impl Fn(E) -> StoreError + '_ {
    move |error| StoreError::Corrupt {
        what: what.to_owned(),
        why: error.to_string(),
    }
}

impl Store {
    /// Brings back a run, as of one moment.
    ///
    /// # Errors
    /// `StoreError::UnknownRun`; `StoreError::Corrupt` when a stored value can't be read.
    pub fn read(&self, run: &RunId) -> Result<RunRecord, StoreError> {
        self.snapshot(|reader| {
            let no = run_number(&reader.conn, run)?;
            let mut planned: Vec<(RolloutKey, u32)> = rows(&reader.conn, no)?
                .into_iter()
                .map(|row| (row.key, row.position))
                .collect();
            planned.sort_by(|a, b| (a.1, &a.0).cmp(&(b.1, &b.0)));
            Ok(RunRecord {
                head: head(&reader.conn, no, run)?,
                tasks: tasks(&reader.conn, no, |task| task)?,
                planned,
                rollouts: rollouts(reader, no)?,
                events: events(&reader.conn, no)?,
            })
        })
    }

    /// All runs, the newest first.
    ///
    /// # Errors
    /// `StoreError::Database` or `Corrupt` when they can't be read.
    pub fn runs(&self) -> Result<Vec<RunSummary>, StoreError> {
        self.snapshot(|reader| {
            let mut query = reader.conn.prepare_cached(
                "SELECT id, created_at, state, settings ->> '$.second_look_of' FROM run
                 ORDER BY created_at DESC, no DESC",
            )?;
            let found = query.query_map([], |row| {
                Ok((
                    row.get::<_, String>(0)?,
                    row.get::<_, String>(1)?,
                    row.get::<_, String>(2)?,
                    row.get::<_, Option<String>>(3)?,
                ))
            })?;
            found
                .map(|row| {
                    let (id, created_at, state, first) = row?;
                    let first = first.map(|first| RunId::new(&first)).transpose();
                    Ok(RunSummary {
                        id: RunId::new(&id).map_err(corrupt("the id of a run"))?,
                        created_at,
                        state: match state.as_str() {
                            "finished" => RunState::Finished,
                            _ => RunState::Open,
                        },
                        second_look_of: first.map_err(corrupt("the first look of a run"))?,
                    })
                })
                .collect()
        })
    }

    /// Whether any run has a task of this pack, run or not.
    ///
    /// # Errors
    /// `StoreError::Database` when the record can't be read.
    pub fn has_met_pack(&self, pack: &str) -> Result<bool, StoreError> {
        // The ids of a pack's tasks begin with its own and `::`; `;` is what follows on `:`.
        let query = "SELECT EXISTS (SELECT 1 FROM task WHERE id >= ?1 || '::' AND id < ?1 || ':;')";
        self.snapshot(|reader| {
            let mut query = reader.conn.prepare_cached(query)?;
            Ok(query.query_row([pack], |row| row.get(0))?)
        })
    }

    /// The newest run by its own time that is no second look at another; `None` when there is none.
    ///
    /// # Errors
    /// As [`Store::runs`].
    pub fn latest(&self) -> Result<Option<RunId>, StoreError> {
        let mut runs = self.runs()?.into_iter();
        let newest = runs.find(|run| run.second_look_of.is_none());
        Ok(newest.map(|run| run.id))
    }

    /// The run that a person means: `latest`, an id, or the beginning of exactly one id. A second
    /// look is meant by its whole id alone.
    ///
    /// # Errors
    /// `StoreError::NoRuns`, `UnknownRun` or `AmbiguousRun`.
    pub fn resolve(&self, text: &str) -> Result<RunId, StoreError> {
        if text == "latest" {
            return self.latest()?.ok_or(StoreError::NoRuns);
        }
        let runs = self.runs()?;
        if let Some(exact) = runs.iter().find(|run| run.id.as_str() == text) {
            return Ok(exact.id.clone());
        }
        let meant = runs.into_iter().filter(|run| run.second_look_of.is_none());
        let mut ids: Vec<RunId> = meant.map(|run| run.id).collect();
        ids.retain(|id| !text.is_empty() && id.as_str().starts_with(text));
        ids.sort();
        match ids.as_slice() {
            [] => Err(StoreError::UnknownRun(text.to_owned())),
            [one] => Ok(one.clone()),
            several => Err(StoreError::AmbiguousRun {
                text: text.to_owned(),
                candidates: several.iter().map(ToString::to_string).collect(),
            }),
        }
    }
}

/// The plan of a run, with the state of each rollout.
pub(super) fn rows(conn: &Connection, run: i64) -> Result<Vec<PlanRow>, StoreError> {
    let mut query = conn.prepare_cached(
        "SELECT c.id, t.id, r.repeat, r.position, r.state, r.attempts FROM rollout r
         JOIN cell c ON c.no = r.cell JOIN task t ON t.no = r.task WHERE r.run = ?1",
    )?;
    let mut rows = query.query([run])?;
    let mut plan = Vec::new();
    while let Some(row) = rows.next()? {
        plan.push(PlanRow {
            key: key(row)?,
            position: row.get(3)?,
            state: row.get(4)?,
            attempts: row.get(5)?,
        });
    }
    Ok(plan)
}

/// What surrounds the tasks and the rollouts of a run.
pub(super) fn head(conn: &Connection, no: i64, run: &RunId) -> Result<RunHead, StoreError> {
    let (created_at, settings): (String, String) = conn.query_row(
        "SELECT created_at, settings FROM run WHERE no = ?1",
        [no],
        |row| Ok((row.get(0)?, row.get(1)?)),
    )?;
    Ok(RunHead {
        id: run.clone(),
        created_at,
        settings: serde_json::from_str(&settings).map_err(corrupt("the settings of a run"))?,
        cells: cells(conn, no)?,
        unknown: unknown(conn, no)?,
        held: held(conn, no)?,
        budget: ledger::status(conn, no)?,
    })
}

/// Rollouts with a paid attempt whose end is unknown.
fn unknown(conn: &Connection, run: i64) -> Result<Vec<RolloutKey>, StoreError> {
    let mut query = conn.prepare_cached(
        "SELECT c.id, t.id, r.repeat FROM rollout r
         JOIN cell c ON c.no = r.cell JOIN task t ON t.no = r.task
         WHERE r.run = ?1 AND r.state = 'unknown'",
    )?;
    let mut rows = query.query([run])?;
    let mut unknown = Vec::new();
    while let Some(row) = rows.next()? {
        unknown.push(key(row)?);
    }
    unknown.sort();
    Ok(unknown)
}

/// The key in the first three columns: the cell's id, the task's id, the repeat.
fn key(row: &rusqlite::Row<'_>) -> Result<RolloutKey, StoreError> {
    let (cell, task): (String, String) = (row.get(0)?, row.get(1)?);
    Ok(RolloutKey {
        cell: CellId::parse(&cell).map_err(corrupt("a cell's id"))?,
        task: TaskId::parse(&task).map_err(corrupt("a task's id"))?,
        repeat: row.get(2)?,
    })
}

/// What is held for attempts whose end is unknown.
fn held(conn: &Connection, run: i64) -> Result<BTreeMap<RolloutKey, Usd>, StoreError> {
    let mut query = conn.prepare_cached(
        "SELECT c.id, t.id, a.repeat, sum(h.micro) FROM attempt a
         JOIN reservation h ON h.attempt = a.id AND h.state = 'held'
         JOIN cell c ON c.no = a.cell JOIN task t ON t.no = a.task
         WHERE a.run = ?1 AND a.state = 'unknown' GROUP BY 1, 2, 3",
    )?;
    let mut rows = query.query([run])?;
    let mut held = BTreeMap::new();
    while let Some(row) = rows.next()? {
        held.insert(key(row)?, Usd::from_micros(row.get(3)?));
    }
    Ok(held)
}

/// Id, fingerprint and info of the rows of `cell` or `task`, sorted by id, each made into `T`.
fn parts<T>(
    conn: &Connection,
    table: &str,
    run: i64,
    mut make: impl FnMut(&str, String, Value) -> Result<T, StoreError>,
) -> Result<Vec<T>, StoreError> {
    let mut query = conn.prepare_cached(&format!(
        "SELECT id, fingerprint, info FROM {table} WHERE run = ?1 ORDER BY id"
    ))?;
    let mut rows = query.query([run])?;
    let mut parts = Vec::new();
    while let Some(row) = rows.next()? {
        let (id, info) = (row.get_ref(0)?.as_str(), row.get_ref(2)?.as_str());
        let info = info.map_err(corrupt(table))?;
        let info = serde_json::from_str(info).map_err(corrupt(table))?;
        parts.push(make(id.map_err(corrupt(table))?, row.get(1)?, info)?);
    }
    Ok(parts)
}

fn cells(conn: &Connection, run: i64) -> Result<Vec<PlannedCell>, StoreError> {
    parts(conn, "cell", run, |id, fingerprint, info| {
        Ok(PlannedCell {
            id: CellId::parse(id).map_err(corrupt("a cell's id"))?,
            fingerprint,
            info,
        })
    })
}

/// What `each` makes of the tasks of a run, one after the other, sorted by id.
pub(super) fn tasks<T>(
    conn: &Connection,
    run: i64,
    mut each: impl FnMut(PlannedTask) -> T,
) -> Result<Vec<T>, StoreError> {
    parts(conn, "task", run, |id, fingerprint, info| {
        Ok(each(PlannedTask {
            id: TaskId::parse(id).map_err(corrupt("a task's id"))?,
            fingerprint,
            info,
        }))
    })
}

fn rollouts(reader: &mut Reader, run: i64) -> Result<Vec<Rollout>, StoreError> {
    records(reader, "r.run = ?1", &[&run])
}

/// The terminal record of one rollout, where there is one.
pub(super) fn record(
    reader: &mut Reader,
    run: i64,
    key: &RolloutKey,
) -> Result<Option<Rollout>, StoreError> {
    let (cell, task) = (key.cell.to_string(), key.task.to_string());
    let one =
        "c.run = ?1 AND t.run = ?1 AND r.run = ?1 AND c.id = ?2 AND t.id = ?3 AND r.repeat = ?4";
    Ok(records(reader, one, &[&run, &cell, &task, &key.repeat])?.pop())
}

fn records(
    reader: &mut Reader,
    condition: &str,
    values: &[&dyn rusqlite::ToSql],
) -> Result<Vec<Rollout>, StoreError> {
    let Reader { conn, shapes } = reader;
    let mut query = conn.prepare_cached(&format!(
        "SELECT c.id, t.id, r.repeat, json(d.json) FROM rollout r
         JOIN detail d ON d.attempt = r.final_attempt
         JOIN cell c ON c.no = r.cell JOIN task t ON t.no = r.task WHERE {condition}"
    ))?;
    let mut rows = query.query(values)?;
    let mut rollouts: Vec<Rollout> = Vec::new();
    while let Some(row) = rows.next()? {
        let text = row.get_ref(3)?.as_str().map_err(corrupt("a record"))?;
        rollouts.push(decoded((conn, shapes), text, key(row)?)?);
    }
    rollouts.sort_by(|a, b| a.key.cmp(&b.key));
    Ok(rollouts)
}

/// A record from its stored text, which has all but the key.
pub(super) fn decoded(
    (conn, shapes): (&Connection, &mut Shapes),
    text: &str,
    key: RolloutKey,
) -> Result<Rollout, StoreError> {
    let packed = serde_json::from_str(text).map_err(corrupt("a record"))?;
    let mut record = shapes.unpack(conn, packed)?;
    if let Some(fields) = record.as_object_mut() {
        fields.insert("key".to_owned(), json!(key));
    }
    let mut rollout: Rollout = serde_json::from_value(record).map_err(corrupt("a record"))?;
    // The caller's key shares its names with others; that of the text has names of its own.
    rollout.key = key;
    Ok(rollout)
}

pub(super) fn events(conn: &Connection, run: i64) -> Result<Vec<RunEvent>, StoreError> {
    let mut query = conn.prepare_cached("SELECT json FROM event WHERE run = ?1 ORDER BY seq")?;
    let mut rows = query.query([run])?;
    let mut events = Vec::new();
    while let Some(row) = rows.next()? {
        let text: String = row.get(0)?;
        events.push(serde_json::from_str(&text).map_err(corrupt("an event"))?);
    }
    Ok(events)
}
