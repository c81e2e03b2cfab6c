//! The one small sweep over which every renderer is tested: four tasks, three cells, three
//! repeats, analysed by the real analysis.

use super::{CellMeta, Frozen, Made, Meta, Records, ReportError, TaskPlace};
use crate::analysis::{
    Analysis, CellInfo, ControlLine, GateAnswer, Margin, Question, Record, TaskInfo,
    UnknownAttempt, analyze,
};
use crate::domain::{
    Arguments, CallOutcome, CellId, CheckOutcome, Cost, CostSource, Ending, Evidence, FailureMode,
    ForbiddenCalls, Limits, Machine, Outcome, Price, PricePerMtok, ResultRow, Rollout, RolloutKey,
    RunId, Schedule, Score, Stage, StageTime, Step, StepKind, TaskId, ToolCall, Trajectory,
    UnmetTasks, Usage, Usd,
};
use serde_json::json;
use std::collections::BTreeSet;

pub(super) const HASH: &str = "5eed5eed5eed5eed";
const TASKS: [&str; 4] = ["close", "refund", "reply", "route"];

/// A sweep with what a session would put beside it.
#[derive(Clone)]
pub(super) struct Sweep {
    pub(super) question: Question,
    pub(super) planned: Vec<RolloutKey>,
    pub(super) rollouts: Vec<Rollout>,
    pub(super) unknown: Vec<UnknownAttempt>,
    pub(super) controls: Vec<ControlLine>,
    pub(super) meta: Meta,
    pub(super) analysis: Analysis,
    pub(super) gate: Option<GateAnswer>,
}

impl Sweep {
    /// Any sweep: each cell with its cost of a rollout in micro-dollars and its passes task by task.
    pub(super) fn of(repeats: u32, cells: &[(&str, i64, &[u32])]) -> Self {
        let tasks: Vec<_> = (0..cells[0].2.len()).map(task).collect();
        let mut rollouts = Vec::new();
        for (cell, micros, passes) in cells {
            for (index, passes) in passes.iter().enumerate() {
                for repeat in 1..=repeats {
                    let key = RolloutKey {
                        cell: CellId::parse(cell).unwrap(),
                        task: tasks[index].id.clone(),
                        repeat,
                    };
                    let passed = (repeat - 1 + index as u32) % repeats < *passes;
                    rollouts.push(rollout(key, passed, *micros));
                }
            }
        }
        rollouts.sort_by(|a, b| a.key.cmp(&b.key));
        let question = question(repeats, tasks, cells);
        let planned: Vec<_> = rollouts.iter().map(|r| r.key.clone()).collect();
        let meta = meta(&question);
        let record = Record {
            planned: &planned,
            rows: &rows(&rollouts),
            unknown: &[],
        };
        let analysis = analyze(&question, record).unwrap();
        Self {
            question,
            planned,
            rollouts,
            unknown: Vec::new(),
            controls: Vec::new(),
            meta,
            analysis,
            gate: None,
        }
    }

    /// Analyses again after a change.
    pub(super) fn again(mut self) -> Self {
        let record = Record {
            planned: &self.planned,
            rows: &rows(&self.rollouts),
            unknown: &self.unknown,
        };
        self.analysis = analyze(&self.question, record).unwrap();
        self
    }

    pub(super) fn frozen(&self) -> Frozen<'_> {
        Frozen {
            run_id: RunId::new("20261129T205100Z-7f3a").unwrap(),
            dataset_hash: HASH.to_owned(),
            question: &self.question,
            analysis: &self.analysis,
            gate: self.gate.as_ref(),
            aa: None,
            // A test lets them go with its process.
            rows: rows(&self.rollouts).leak(),
            records: self,
            unknown: &self.unknown,
            controls: &self.controls,
            meta: self.meta.clone(),
        }
    }

    /// One output of it, in plain text.
    pub(super) fn output(&self, format: &str) -> String {
        let mut out = Vec::new();
        let format = super::format(format).unwrap();
        (format.render)(&self.frozen(), super::Styles::Plain, &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }
}

impl Records for Sweep {
    fn record(&self, key: &RolloutKey) -> Result<Rollout, ReportError> {
        let found = self.rollouts.iter().find(|rollout| rollout.key == *key);
        found.cloned().ok_or_else(|| ReportError::Record {
            key: Box::new(key.clone()),
            why: "there is none".to_owned(),
        })
    }
}

/// A text on one line, its words apart by one space.
pub(super) fn flat(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The results of some records.
pub(super) fn rows(rollouts: &[Rollout]) -> Vec<ResultRow> {
    rollouts.iter().map(ResultRow::of).collect()
}

/// The shared sweep.
pub(super) fn sweep() -> Sweep {
    Sweep::of(
        3,
        &[
            ("mock-strong+react", 17_000, &[3, 3, 2, 3]),
            ("mock-weak+react", 150, &[1, 2, 0, 3]),
            ("mock-weak+react-verify", 210, &[3, 2, 3, 3]),
        ],
    )
}

fn task(index: usize) -> TaskInfo {
    let name = TASKS
        .get(index)
        .map_or_else(|| format!("t{index:03}"), |name| (*name).to_owned());
    TaskInfo {
        id: TaskId::new("desk", &name).unwrap(),
        name: format!("The task {name}"),
        family: None,
        weight: 1.0,
        fingerprint: format!("f{index}"),
        anchor: false,
        min_pass_rate: None,
    }
}

fn question(repeats: u32, tasks: Vec<TaskInfo>, cells: &[(&str, i64, &[u32])]) -> Question {
    let cell = |id: &str| CellInfo {
        id: CellId::parse(id).unwrap(),
        fingerprint: format!("{:016x}", id.len()),
        pretend: id.starts_with("mock-"),
        model_label: id.to_owned(),
        requested_model: "model-1".to_owned(),
        price: price(),
        harness: "react".to_owned(),
        temperature: None,
    };
    Question {
        cells: cells.iter().map(|(id, ..)| cell(id)).collect(),
        tasks,
        baseline: Some(CellId::parse(cells[0].0).unwrap()),
        margin: Margin {
            value: 0.05,
            declared: false,
        },
        ..Question::new("Support desk", repeats)
    }
}

fn price() -> Price {
    Price::PerMtok(PricePerMtok {
        input: Usd::from_micros(3_000_000),
        output: Usd::from_micros(15_000_000),
        cache_read: None,
        cache_write_5m: None,
        cache_write_1h: None,
        as_of: Some("2026-10-01".to_owned()),
    })
}

fn meta(question: &Question) -> Meta {
    let cells = question.cells.iter().map(|cell| CellMeta {
        cell: cell.id.clone(),
        agent: "react (crossbar 0.1.0)".to_owned(),
        configuration: json!({"model": {"requested": "model-1"}}),
    });
    Meta {
        crossbar: "0.1.0".to_owned(),
        made: Made {
            created_at: "2026-11-29T20:51:30.000Z".to_owned(),
            machines: BTreeSet::from([Machine {
                system: "linux x86_64".to_owned(),
                processors: 8,
                free_at_a_time: 8,
                live_at_a_time: 4,
            }]),
        },
        suite_fingerprint: "a1b2c3d4a1b2c3d4".to_owned(),
        seed: 7,
        budget: None,
        cells: cells.collect(),
        servers: std::collections::BTreeMap::new(),
        cache: None,
        unmet: UnmetTasks::new(),
        places: question.tasks.iter().map(place).collect(),
        gate: None,
    }
}

fn place(task: &TaskInfo) -> (TaskId, TaskPlace) {
    let path = format!("desk/{}.task.yaml", task.id.task());
    (task.id.clone(), TaskPlace { path, line: 2 })
}

fn rollout(key: RolloutKey, passed: bool, micros: i64) -> Rollout {
    let usage = Usage {
        input_uncached: 900,
        output: 120,
        ..Usage::default()
    };
    Rollout {
        attempt: 1,
        outcome: if passed {
            Outcome::Accepted
        } else {
            Outcome::TaskFailure
        },
        score: Some(Score {
            security: 1.0,
            completion: if passed { 1.0 } else { 0.5 },
            process: 1.0,
        }),
        failure_mode: (!passed).then_some(FailureMode::ContractFormat),
        checks: vec![CheckOutcome {
            name: "ticket closed".to_owned(),
            kind: "mcp_state".to_owned(),
            passed,
            message: (!passed).then(|| "$.status: expected \"closed\", got \"open\"".to_owned()),
            guard: false,
            weight: 1.0,
            required: true,
            about_state: true,
        }],
        trajectory: trajectory(usage, micros),
        evidence: Evidence::default(),
        usage: Some(usage),
        cost: Cost::Known {
            amount: Usd::from_micros(micros),
            source: CostSource::Modelled,
        },
        forbidden: ForbiddenCalls::default(),
        limits: Limits::default(),
        schedule: Schedule {
            position: 0,
            seed: 7,
        },
        stages: vec![StageTime {
            stage: Stage::Execute,
            ms: 40,
        }],
        started_at: format!("2026-11-29T20:51:0{}.000Z", key.repeat % 10),
        worked_ms: 40 + u64::from(key.repeat),
        evaluator: "1".to_owned(),
        key,
    }
}

fn trajectory(usage: Usage, micros: i64) -> Trajectory {
    let call = ToolCall {
        id: "call-1".to_owned(),
        server: "tickets".to_owned(),
        tool: "update".to_owned(),
        arguments: Arguments::Json(json!({"id": 7, "status": "closed"})),
        outcome: CallOutcome::Result {
            text: "ok".to_owned(),
            structured: Some(json!({"ok": true})),
        },
        at_ms: 12,
        took_ms: 3,
    };
    Trajectory {
        steps: vec![Step {
            index: 1,
            kind: StepKind::Work,
            text: "I close the ticket.".to_owned(),
            calls: vec![call],
            usage: Some(usage),
            cost: Some(Usd::from_micros(micros)),
            answered_model: Some("model-1-2026".to_owned()),
            cut_short: None,
            retries: 0,
            at_ms: 1,
            took_ms: 9,
        }],
        final_text: Some("The ticket is closed.".to_owned()),
        ending: Some(Ending::Answered),
        violations: Vec::new(),
        server_noise: Vec::new(),
        agent: None,
    }
}
