//! What the tests write: a run, its plan, and realistic rollouts.

use crossbar::domain::{
    Arguments, BudgetLimit, BudgetStatus, CallOutcome, CellId, CheckOutcome, Cost, CostSource,
    Ending, Evidence, ForbiddenCalls, Limits, Observation, Observed, Outcome, Probe, Rollout,
    RolloutKey, RunEvent, RunId, Schedule, Score, Sink, SkipReason, Stage, StageTime, Step,
    StepKind, TaskId, ToolCall, Trajectory, Usage, Usd,
};
use crossbar::store::{NewRun, Plan, PlannedCell, PlannedTask, Recorder, Store};
use serde_json::json;
use std::path::Path;

pub(crate) fn key(cell: u32, task: u32, repeat: u32) -> RolloutKey {
    RolloutKey {
        cell: CellId::new(&format!("mock-{cell}"), "react").unwrap(),
        task: TaskId::new("support", &format!("refund_delivered_{task}")).unwrap(),
        repeat,
    }
}

pub(crate) fn run_id() -> RunId {
    RunId::new("20261129T205100Z-7f3a").unwrap()
}

pub(crate) fn new_run(budget: Option<BudgetLimit>) -> NewRun {
    NewRun {
        id: run_id(),
        created_at: "2026-11-29T20:51:00.000Z".to_owned(),
        settings: json!({"repeats": 3, "seed": 7}),
        settings_hash: "a1".to_owned(),
        budget,
    }
}

/// `cells` x `tasks` x `repeats`, in key order.
pub(crate) fn plan(cells: u32, tasks: u32, repeats: u32) -> Plan {
    let mut plan = Plan::default();
    for cell in 1..=cells {
        plan.cells.push(PlannedCell {
            id: key(cell, 1, 1).cell,
            fingerprint: format!("c{cell}"),
            info: json!({"model": cell}),
        });
    }
    for task in 1..=tasks {
        plan.tasks.push(PlannedTask {
            id: key(1, task, 1).task,
            fingerprint: format!("t{task}"),
            info: json!({"family": "refunds"}),
        });
    }
    for repeat in 1..=repeats {
        for task in 1..=tasks {
            for cell in 1..=cells {
                let position = u32::try_from(plan.rollouts.len()).unwrap();
                plan.rollouts.push((key(cell, task, repeat), position));
            }
        }
    }
    plan
}

pub(crate) fn store_with(
    path: &Path,
    budget: Option<BudgetLimit>,
    plan: &Plan,
) -> (Store, Recorder) {
    let store = Store::open(path).unwrap();
    store.create_run(&new_run(budget)).unwrap();
    store.plan(&run_id(), plan).unwrap();
    let recorder = store.recorder(&run_id()).unwrap();
    (store, recorder)
}

pub(crate) fn usage(n: u64) -> Usage {
    Usage {
        input_uncached: 400 + n % 97,
        output: 50 + n % 13,
        ..Usage::default()
    }
}

pub(crate) fn step(index: u32, text: &str, calls: Vec<ToolCall>, n: u64) -> Step {
    Step {
        index,
        kind: StepKind::Work,
        text: text.to_owned(),
        calls,
        usage: Some(usage(n)),
        cost: Some(Usd::from_micros(240)),
        answered_model: Some("mock-strong".to_owned()),
        cut_short: None,
        retries: 0,
        at_ms: 3,
        took_ms: 1,
    }
}

pub(crate) fn check(name: &str, kind: &str) -> CheckOutcome {
    CheckOutcome {
        name: name.to_owned(),
        kind: kind.to_owned(),
        passed: true,
        message: None,
        guard: false,
        weight: 1.0,
        required: true,
        about_state: kind == "mcp_state",
    }
}

pub(crate) fn two_turns(n: u64) -> Trajectory {
    let order = format!("A-{}", 1000 + n);
    let answer = json!({"order": order, "status": "refunded", "amount": 25 + n % 50});
    let call = ToolCall {
        id: "call_1".to_owned(),
        server: "desk".to_owned(),
        tool: "orders.refund".to_owned(),
        arguments: Arguments::Json(json!({"order": order, "amount": 25 + n % 50})),
        outcome: CallOutcome::Result {
            text: answer.to_string(),
            structured: Some(answer),
        },
        at_ms: 4,
        took_ms: 1,
    };
    let said = format!("Order {order} is refunded.");
    Trajectory {
        steps: vec![
            step(1, "I will refund the order.", vec![call], n),
            step(2, &said, vec![], n),
        ],
        final_text: Some(said),
        ending: Some(Ending::Answered),
        violations: vec![],
        server_noise: vec![],
        agent: None,
    }
}

/// A realistic accepted rollout: one tool call, one answer, two checks, one observation.
pub(crate) fn rollout(key: RolloutKey, attempt: u32, n: u64) -> Rollout {
    let order = format!("A-{}", 1000 + n);
    Rollout {
        key,
        attempt,
        outcome: Outcome::Accepted,
        score: Some(Score {
            security: 1.0,
            completion: 1.0,
            process: 0.95,
        }),
        failure_mode: None,
        checks: vec![
            check("the order is refunded", "mcp_state"),
            check("the answer names the order", "final_text"),
        ],
        trajectory: two_turns(n),
        evidence: Evidence(vec![Observed {
            probe: Probe::CallTool {
                server: "desk".to_owned(),
                tool: "orders.get".to_owned(),
                args: json!({"order": order}),
            },
            observation: Observation::Value(json!({"order": order, "status": "refunded"})),
        }]),
        usage: Some(usage(n).plus(&usage(n))),
        cost: Cost::Known {
            amount: Usd::from_micros(480),
            source: CostSource::Modelled,
        },
        forbidden: ForbiddenCalls::default(),
        limits: Limits::default(),
        schedule: Schedule {
            position: u32::try_from(n).unwrap(),
            seed: 0x9e37_79b9_7f4a_7c15_u64.wrapping_mul(n + 1),
        },
        stages: [
            Stage::Provision,
            Stage::Execute,
            Stage::Collect,
            Stage::Evaluate,
        ]
        .map(|stage| StageTime { stage, ms: n % 5 })
        .to_vec(),
        started_at: "2026-11-29T20:51:00.123Z".to_owned(),
        worked_ms: 4,
        evaluator: "1".to_owned(),
    }
}

pub(crate) fn finished(rollout: Rollout) -> RunEvent {
    RunEvent::RolloutFinished {
        rollout: Box::new(rollout),
    }
}

pub(crate) fn skipped(key: RolloutKey, why: SkipReason) -> Rollout {
    Rollout {
        outcome: Outcome::Skipped { why },
        score: None,
        cost: Cost::Unknown,
        usage: None,
        ..rollout(key, 1, 0)
    }
}

pub(crate) fn do_one(recorder: &Recorder, key: &RolloutKey, n: u64) {
    let attempt = recorder.begin(key).unwrap();
    recorder
        .on(&finished(rollout(key.clone(), attempt, n)))
        .unwrap();
}

pub(crate) fn sqlite(path: &Path) -> rusqlite::Connection {
    rusqlite::Connection::open(path).unwrap()
}

pub(crate) fn status(limit: i64, held: i64, spent: i64) -> BudgetStatus {
    BudgetStatus {
        limit: BudgetLimit::Usd(Usd::from_micros(limit)),
        held: Usd::from_micros(held),
        spent: Usd::from_micros(spent),
    }
}
