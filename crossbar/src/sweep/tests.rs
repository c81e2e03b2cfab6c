//! A whole sweep in this process: a scripted model, task functions, a record in a temporary folder.

use super::{CellEntry, Earlier, Job, Ports, StopHandle, TaskEntry, Traffic, Work, run};
use crate::context::{BodyFuture, Context};
use crate::domain::{
    CellId, Clock, HarnessSpec, LimitKind, Limits, Machine, Model, Outcome, Price, Rollout,
    RolloutKey, RunEvent, RunId, Script, Stage, TaskId,
};
use crate::plan::PlannedRollout;
use crate::redact::Redactor;
use crate::store::{NewRun, Plan, PlannedCell, PlannedTask, Store};
use crate::task::Task;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

/// It is always 2026-01-02T03:04:05Z.
struct Stopped;

impl Clock for Stopped {
    fn monotonic(&self) -> Duration {
        Duration::ZERO
    }

    fn since_epoch(&self) -> Duration {
        Duration::from_secs(1_767_323_045)
    }
}

fn machine() -> Machine {
    Machine {
        system: "plan9 mips".to_owned(),
        processors: 3,
        free_at_a_time: 1,
        live_at_a_time: 2,
    }
}

fn cell() -> CellEntry {
    let model = Model {
        id: "played".to_owned(),
        provider: "scripted".to_owned(),
        model: "played".to_owned(),
        base_url: None,
        api_key_env: None,
        price: Price::Free,
        params: BTreeMap::new(),
        limits: crate::domain::ModelLimits::default(),
        skill: 1.0,
        recover: 0.0,
    };
    CellEntry {
        id: CellId::new("played", "single-shot").unwrap(),
        kind: *crate::provider::kind(&model.provider).unwrap(),
        model,
        harness: HarnessSpec {
            id: "single-shot".to_owned(),
            kind: "single-shot".to_owned(),
            verify: false,
            instructions: None,
            additions: Default::default(),
            command: None,
        },
        secret: None,
        fingerprint: "cell".to_owned(),
    }
}

fn job(position: u32, name: &str, body: fn(&mut Context) -> BodyFuture<'_>) -> Job {
    let id = TaskId::new("p", name).unwrap();
    let mut script = Script::default();
    script.say("it is 42");
    let mut task = Task::coded(id.clone(), json!(name));
    task.limits.max_steps = 7;
    let cell = cell();
    Job {
        planned: PlannedRollout {
            key: RolloutKey {
                cell: cell.id.clone(),
                task: id,
                repeat: 1,
            },
            position,
            seed: 99,
        },
        task: Arc::new(TaskEntry {
            task,
            work: Work::Coded {
                body: Arc::new(body),
                solution: Some(script),
                broken: Vec::new(),
            },
        }),
        cell: Arc::new(cell),
        control: None,
    }
}

fn asks(cx: &mut Context) -> BodyFuture<'_> {
    Box::pin(async move {
        let answer = cx.agent("what is it?").await?;
        cx.check("it is 42", answer.contains("42"));
        Ok(())
    })
}

fn panics(_: &mut Context) -> BodyFuture<'_> {
    Box::pin(async { panic!("the fixture is broken") })
}

/// The records of a sweep over these jobs, in the order of their tasks.
fn swept(jobs: Vec<Job>) -> Vec<Rollout> {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(&folder.path().join("store.db")).unwrap();
    let run_id = RunId::new("one").unwrap();
    let new = NewRun {
        id: run_id.clone(),
        created_at: "2026-01-02T03:04:05.000Z".to_owned(),
        settings: Value::Null,
        settings_hash: "s".to_owned(),
        budget: None,
    };
    store.create_run(&new).unwrap();
    let plan = Plan {
        cells: vec![PlannedCell {
            id: cell().id,
            fingerprint: "cell".to_owned(),
            info: Value::Null,
        }],
        tasks: jobs
            .iter()
            .map(|job| PlannedTask {
                id: job.planned.key.task.clone(),
                fingerprint: "task".to_owned(),
                info: Value::Null,
            })
            .collect(),
        rollouts: jobs
            .iter()
            .map(|job| (job.planned.key.clone(), job.planned.position))
            .collect(),
    };
    store.plan(&run_id, &plan).unwrap();
    let (_handle, stop) = StopHandle::new();
    let ports = Ports {
        recorder: Arc::new(store.recorder(&run_id).unwrap()),
        listeners: Vec::new(),
        clock: Arc::new(Stopped),
        redactor: Redactor::default(),
        stop,
        budget: None,
        machine: machine(),
        evaluator: "rules 1".to_owned(),
        traffic: Traffic::default(),
        #[cfg(feature = "http")]
        lines: crate::provider::Lines::default(),
    };
    let planned = u32::try_from(jobs.len()).unwrap();
    assert!(!run(jobs, Earlier::default(), &ports).unwrap().interrupted);
    let record = store.read(&run_id).unwrap();
    let started = RunEvent::RunStarted {
        planned,
        finished: 0,
        machine: machine(),
    };
    let ended = RunEvent::RunFinished { interrupted: false };
    assert_eq!(record.events, [started, ended]);
    record.rollouts
}

#[test]
fn a_record_tells_where_when_and_under_which_limits_it_was_made() {
    let rollouts = swept(vec![job(3, "a", asks)]);
    let one = &rollouts[0];
    assert_eq!(one.outcome, Outcome::Accepted);
    assert_eq!((one.schedule.position, one.schedule.seed), (3, 99));
    assert_eq!(one.started_at, "2026-01-02T03:04:05.000Z");
    assert_eq!(one.evaluator, "rules 1");
    let limits = Limits {
        max_steps: 7,
        ..Limits::default()
    };
    assert_eq!(one.limits, limits);
    assert!(one.usage.is_some() && one.cost.amount().is_some());
    assert_eq!(one.attempt, 1);
    let stages: Vec<_> = one.stages.iter().map(|time| time.stage).collect();
    assert_eq!(
        stages,
        [
            Stage::Validate,
            Stage::Provision,
            Stage::Execute,
            Stage::Collect,
            Stage::Evaluate,
            Stage::Report
        ]
    );
    let json = serde_json::to_value(one).unwrap();
    for part in ["outcome", "score", "checks", "forbidden", "usage", "cost"] {
        assert!(!json[part].is_null(), "{part}");
    }
    assert_eq!(json["score"]["completion"], 1.0);
}

#[test]
fn a_function_that_panics_is_a_record_and_the_sweep_goes_on() {
    let mut late = job(2, "c", asks);
    Arc::make_mut(&mut late.task).task.limits.timeout_s = 0.0;
    let rollouts = swept(vec![job(0, "a", panics), job(1, "b", asks), late]);
    let outcomes: Vec<_> = rollouts.into_iter().map(|one| one.outcome).collect();
    let broken = Outcome::InvalidFixture {
        message: "the fixture is broken".to_owned(),
    };
    let limit = LimitKind::Seconds;
    assert_eq!(
        outcomes,
        [broken, Outcome::Accepted, Outcome::LimitReached { limit }]
    );
}
