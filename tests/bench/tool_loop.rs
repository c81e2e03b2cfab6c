//! The two-turn tool loop with a tool in this process: a model call, a tool call, a model call,
//! judged, scored, and committed with its whole trajectory, one rollout after the other.

use super::Measured;
use super::meter::{self, Cpu};
use crossbar::check::{self, CheckSpec, Fields};
use crossbar::domain::{
    CellId, Clock, Cost, CostSource, Evidence, HarnessSpec, Limits, Model, Moment, OnBlocked,
    Rollout, RolloutKey, RunEvent, RunId, Schedule, Script, Sink, TaskId, Usd,
};
use crossbar::harness::{self, Conversation, Ports, Session};
use crossbar::provider;
use crossbar::score::{self, ToolsOffered};
use crossbar::store::{NewRun, Plan, PlannedCell, PlannedTask, Recorder, Store};
use crossbar::task::SecurityPolicy;
use crossbar_suites::in_process::{Tools, free_model, react, tool};
use serde_json::{Value, json};
use std::error::Error;
use std::path::Path;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// Does `rollouts` of them into a fresh record, `times` over.
pub fn measure(folder: &Path, rollouts: u32, times: u32) -> Measured {
    let (mut own, mut bytes) = (0.0, 0);
    for time in 0..times {
        let folder = folder.join(time.to_string());
        let before = Cpu::now()?;
        fill(&folder, rollouts)?;
        own += Cpu::since(before)?.own;
        bytes = meter::stored(&folder)?;
    }
    Ok(json!({
        "rollouts": rollouts,
        "times": times,
        "own_s": own,
        "peak_kib": meter::peak_kib()?,
        "stored": bytes,
    }))
}

fn fill(folder: &Path, rollouts: u32) -> Result<(), Box<dyn Error>> {
    let line = Line::new()?;
    let store = Store::open(&folder.join("store.db"))?;
    let run = RunId::new("bench")?;
    store.create_run(&NewRun {
        id: run.clone(),
        created_at: "2026-01-01T00:00:00.000Z".to_owned(),
        settings: json!({}),
        settings_hash: "bench".to_owned(),
        budget: None,
    })?;
    let keys: Vec<RolloutKey> = (1..=rollouts).map(|repeat| line.key(repeat)).collect();
    store.plan(&run, &line.plan(&keys))?;
    let recorder = store.recorder(&run)?;
    let runtime = tokio::runtime::Builder::new_current_thread().build()?;
    for (at, key) in keys.iter().enumerate() {
        runtime.block_on(line.rollout(&recorder, key, u32::try_from(at)?))?;
    }
    Ok(())
}

/// Everything that one rollout shares with the next.
struct Line {
    cell: CellId,
    task: TaskId,
    model: Model,
    harness: HarnessSpec,
    tools: Tools<fn(&str, Value) -> String>,
    policy: SecurityPolicy,
    limits: Limits,
    clock: Machine,
}

impl Line {
    fn new() -> Result<Self, Box<dyn Error>> {
        Ok(Self {
            cell: CellId::new("scripted", "react")?,
            task: TaskId::new("bench", "add")?,
            model: free_model("scripted", "mock"),
            harness: react(),
            tools: adder(),
            policy: SecurityPolicy::default(),
            limits: Limits::default(),
            clock: Machine(Instant::now()),
        })
    }

    fn key(&self, repeat: u32) -> RolloutKey {
        RolloutKey {
            cell: self.cell.clone(),
            task: self.task.clone(),
            repeat,
        }
    }

    fn plan(&self, keys: &[RolloutKey]) -> Plan {
        Plan {
            cells: vec![PlannedCell {
                id: self.cell.clone(),
                fingerprint: "c".to_owned(),
                info: json!({}),
            }],
            tasks: vec![PlannedTask {
                id: self.task.clone(),
                fingerprint: "t".to_owned(),
                info: json!({}),
            }],
            rollouts: keys.iter().cloned().zip(0..).collect(),
        }
    }

    async fn rollout(
        &self,
        recorder: &Recorder,
        key: &RolloutKey,
        position: u32,
    ) -> Result<(), Box<dyn Error>> {
        let attempt = recorder.begin(key)?;
        let started_at = Moment(self.clock.since_epoch()).rfc3339();
        let begun = self.clock.monotonic();
        let conversation = self.drive(key.repeat).await?;
        let worked = self.clock.monotonic().saturating_sub(begun);
        let mut rollout = self.judged(key.clone(), conversation, attempt)?;
        rollout.started_at = started_at;
        rollout.worked_ms = u64::try_from(worked.as_millis())?;
        rollout.schedule.position = position;
        recorder.on(&RunEvent::RolloutFinished {
            rollout: Box::new(rollout),
        })?;
        Ok(())
    }

    async fn drive(&self, repeat: u32) -> Result<Conversation, Box<dyn Error>> {
        let mut script = Script::default();
        script
            .call("calc.add", json!({"a": repeat, "b": repeat + 1}))
            .say(&format!("{}", 2 * repeat + 1));
        let setup = provider::Setup {
            seed: u64::from(repeat),
            script: Some(&script),
            ..provider::Setup::default()
        };
        let model = provider::build(&self.model, &setup)?;
        let harness = harness::build(&self.harness)?;
        let mut conversation = Conversation::default();
        let ports = Ports {
            model: &self.model,
            provider: model.as_ref(),
            toolbox: &self.tools,
            clock: &self.clock,
            limits: &self.limits,
            policy: &self.policy,
            exec: None,
            program: None,
        };
        let prompt = format!("Add {repeat} and {} and submit the sum.", repeat + 1);
        let mut session = Session::new(ports, &mut conversation);
        harness.drive(&mut session, &prompt).await?;
        Ok(conversation)
    }

    fn judged(
        &self,
        key: RolloutKey,
        conversation: Conversation,
        attempt: u32,
    ) -> Result<Rollout, Box<dyn Error>> {
        let trajectory = conversation.into_trajectory();
        let evidence = Evidence::default();
        let kind = check::kind("final_text").ok_or("no check final_text")?;
        let mut fields = Fields::default();
        fields.set("value", json!(format!("{}", 2 * key.repeat + 1)));
        let checks = vec![CheckSpec::new(kind, &fields, 1)?.judge(&trajectory, &evidence)];
        let outcome = score::outcome(&trajectory, &checks, OnBlocked::Zero);
        if !outcome.is_accepted() || trajectory.steps.len() != 2 {
            return Err(format!("the loop is not what is to be measured: {trajectory:?}").into());
        }
        let seed = u64::from(key.repeat);
        Ok(Rollout {
            key,
            attempt,
            score: Some(score::score(&trajectory, &checks, OnBlocked::Zero)),
            failure_mode: score::failure_mode(&trajectory, &checks, &outcome, ToolsOffered::Some),
            outcome,
            checks,
            usage: trajectory.usage(),
            forbidden: score::forbidden_calls(&trajectory, |_, _| false),
            trajectory,
            evidence,
            cost: Cost::Known {
                amount: Usd::ZERO,
                source: CostSource::Free,
            },
            limits: self.limits.clone(),
            schedule: Schedule { position: 0, seed },
            stages: Vec::new(),
            started_at: String::new(),
            worked_ms: 0,
            evaluator: score::EVALUATOR.to_owned(),
        })
    }
}

/// One tool, in this process.
fn adder() -> Tools<fn(&str, Value) -> String> {
    let number = json!({"type": "integer"});
    let schema = json!({
        "type": "object",
        "properties": {"a": number, "b": number},
        "required": ["a", "b"],
    });
    Tools::new(
        vec![tool("calc", "add", "Add two integers.", schema)],
        |_, args| {
            let part = |name: &str| args.get(name).and_then(Value::as_i64).unwrap_or_default();
            (part("a") + part("b")).to_string()
        },
    )
}

/// The machine's clock.
struct Machine(Instant);

impl Clock for Machine {
    fn monotonic(&self) -> Duration {
        self.0.elapsed()
    }

    fn since_epoch(&self) -> Duration {
        SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .unwrap_or_default()
    }
}
