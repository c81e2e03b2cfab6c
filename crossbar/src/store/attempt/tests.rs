//! What a rollout costs the database, in its own steps, when few and when many are there.

use super::super::writer::{Desk, Durability};
use super::super::{NewRun, Plan, PlannedCell, PlannedTask, Recorder, Store};
use super::*;
use crate::domain::{
    CellId, Cost, Evidence, ForbiddenCalls, Limits, Outcome, RunEvent, RunId, Schedule, Sink,
    TaskId, Trajectory,
};
use rusqlite::StatementStatus;

const RUN: &str = "steps";
const ROLLOUTS: u32 = 5_000;

fn key(repeat: u32) -> RolloutKey {
    RolloutKey {
        cell: CellId::new("m", "h").unwrap(),
        task: TaskId::new("p", "t").unwrap(),
        repeat,
    }
}

fn record(repeat: u32) -> Rollout {
    Rollout {
        key: key(repeat),
        attempt: 1,
        outcome: Outcome::TaskFailure,
        score: None,
        failure_mode: None,
        checks: vec![],
        trajectory: Trajectory::default(),
        evidence: Evidence::default(),
        usage: None,
        cost: Cost::Unknown,
        forbidden: ForbiddenCalls::default(),
        limits: Limits::default(),
        schedule: Schedule {
            position: repeat,
            seed: 1,
        },
        stages: vec![],
        started_at: String::new(),
        worked_ms: 1,
        evaluator: "1".to_owned(),
    }
}

fn opened(path: &std::path::Path) -> (Store, Recorder) {
    let store = Store::open(path).unwrap();
    let run = RunId::new(RUN).unwrap();
    store
        .create_run(&NewRun {
            id: run.clone(),
            created_at: "2026-11-29T20:51:00.000Z".to_owned(),
            settings: Value::Null,
            settings_hash: "s".to_owned(),
            budget: None,
        })
        .unwrap();
    let plan = Plan {
        cells: vec![PlannedCell {
            id: key(1).cell,
            fingerprint: "c".to_owned(),
            info: Value::Null,
        }],
        tasks: vec![PlannedTask {
            id: key(1).task,
            fingerprint: "t".to_owned(),
            info: Value::Null,
        }],
        rollouts: (1..=ROLLOUTS).map(|n| (key(n), n)).collect(),
    };
    store.plan(&run, &plan).unwrap();
    let recorder = store.recorder(&run).unwrap();
    (store, recorder)
}

fn steps(desk: &mut Desk) -> Result<Vec<i32>, StoreError> {
    [FIND, BEGIN, MARK, END, DETAIL, RESULT]
        .iter()
        .map(|sql| {
            let statement = desk.conn.prepare_cached(sql)?;
            Ok(statement.reset_status(StatementStatus::VmStep))
        })
        .collect()
}

/// The steps of each statement over a hundred rollouts.
fn hundred(store: &Store, recorder: &Recorder, from: u32) -> Vec<i32> {
    store.write(Durability::Process, steps).unwrap();
    for repeat in from..from + 100 {
        recorder.begin(&key(repeat)).unwrap();
        let rollout = Box::new(record(repeat));
        recorder.on(&RunEvent::RolloutFinished { rollout }).unwrap();
    }
    store.write(Durability::Process, steps).unwrap()
}

#[test]
fn the_last_of_many_rollouts_takes_as_many_steps_as_the_first() {
    let folder = tempfile::tempdir().unwrap();
    let (store, recorder) = opened(&folder.path().join("store.db"));
    let few = hundred(&store, &recorder, 1);
    for from in (101..ROLLOUTS).step_by(100) {
        let many = hundred(&store, &recorder, from);
        assert_eq!(many, few, "rollouts from {from}");
    }
    assert!(few.iter().all(|steps| *steps > 0), "{few:?}");
}

#[test]
fn the_narrow_row_says_what_the_record_says() {
    let folder = tempfile::tempdir().unwrap();
    let (store, recorder) = opened(&folder.path().join("store.db"));
    recorder.begin(&key(1)).unwrap();
    let rollout = Box::new(record(1));
    recorder.on(&RunEvent::RolloutFinished { rollout }).unwrap();
    let row: (String, Option<bool>, Option<f64>, Option<i64>, i64) = store
        .write(Durability::Process, |desk| {
            Ok(desk.conn.query_row(
                "SELECT outcome, passed, score, cost_micro, ms FROM rollout WHERE repeat = 1",
                [],
                |row| {
                    Ok((
                        row.get(0)?,
                        row.get(1)?,
                        row.get(2)?,
                        row.get(3)?,
                        row.get(4)?,
                    ))
                },
            )?)
        })
        .unwrap();
    // An unknown cost is NULL, never 0.
    assert_eq!(row, ("task_failure".to_owned(), Some(false), None, None, 1));
}
