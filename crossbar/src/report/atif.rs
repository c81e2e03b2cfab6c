//! A rollout as a trajectory in ATIF v1.8, the Agent Trajectory Interchange Format.
//!
//! Source: RFC 0001 of Harbor, as the models of its release 0.26.0 have it. They refuse unknown
//! keys at every level, so what the format has no word for stands in `extra`. Its token counts
//! include each other: `prompt_tokens` is all input, `cached_tokens` the part that a cache gave.

use super::ReportError;
use super::exported::Exported;
use super::transcript::outcome_detail;
use crate::domain::{Arguments, CallOutcome, Cost, Step, StepKind, ToolCall, Usage, Usd};
use serde_json::{Map, Value, json};

const VERSION: &str = "ATIF-v1.8";

/// The trajectory file of one rollout: indented JSON.
pub(super) fn text(told: &Exported<'_>) -> Result<String, ReportError> {
    let document = json!({
        "schema_version": VERSION,
        "session_id": told.frozen.run_id,
        "trajectory_id": told.id(),
        "agent": agent(told),
        "steps": steps(told),
        "final_metrics": totals(told),
        "extra": {"crossbar": own(told)},
    });
    Ok(serde_json::to_string_pretty(&document)? + "\n")
}

fn agent(told: &Exported<'_>) -> Value {
    let mut extra = json!({
        "harness": told.rollout.key.cell.harness(),
        "provider": told.configured("/model/provider"),
        "params": told.configured("/model/params"),
    });
    if let Some(run) = told.program() {
        extra["tested_version"] = json!(run.pinned);
        extra["argv"] = json!(run.argv);
        extra["environment"] = json!(run.environment);
        extra["exit"] = json!(run.exit);
    }
    json!({
        "name": told.agent(),
        "version": told.version(),
        "model_name": told.requested(),
        "extra": extra,
    })
}

/// What was said, in order, numbered from 1.
fn steps(told: &Exported<'_>) -> Vec<Value> {
    let began = told.began.rfc3339();
    let said = |source: &str, text: &str| json!({"step_id": 0, "timestamp": began, "source": source, "message": text});
    let system = told
        .configured("/harness/instructions")
        .and_then(Value::as_str);
    let mut steps: Vec<Value> = system
        .map(|text| said("system", text))
        .into_iter()
        .collect();
    steps.extend(told.prompt().map(|text| said("user", text)));
    let trajectory = &told.rollout.trajectory;
    steps.extend(trajectory.steps.iter().map(|step| agent_step(told, step)));
    if steps.is_empty() {
        let outcome = &told.rollout.outcome;
        let why = format!(
            "No model was asked: {} {}",
            outcome.word(),
            outcome_detail(outcome)
        );
        steps.push(said("system", why.trim_end()));
    }
    for (at, step) in steps.iter_mut().enumerate() {
        step["step_id"] = json!(at + 1);
    }
    steps
}

fn agent_step(told: &Exported<'_>, step: &Step) -> Value {
    let mut one = json!({
        "step_id": 0,
        "timestamp": told.at(step.at_ms).rfc3339(),
        "source": "agent",
        "message": step.text,
    });
    if let Some(answered) = &step.answered_model {
        one["model_name"] = json!(answered);
    }
    if !step.calls.is_empty() {
        one["tool_calls"] = step.calls.iter().map(tool_call).collect();
    }
    let results: Vec<Value> = step.calls.iter().filter_map(result).collect();
    if !results.is_empty() {
        one["observation"] = json!({ "results": results });
    }
    one["metrics"] = metrics(step.usage, step.cost);
    if told.is_seen(step) {
        one["llm_call_count"] = json!(1);
    }
    one["extra"] = Value::Object(step_extra(told, step));
    one
}

fn step_extra(told: &Exported<'_>, step: &Step) -> Map<String, Value> {
    let mut extra = Map::new();
    if step.kind != StepKind::Work {
        extra.insert("kind".to_owned(), json!(step.kind));
    }
    extra.insert("took_ms".to_owned(), json!(step.took_ms));
    if step.retries > 0 {
        extra.insert("retries".to_owned(), json!(step.retries));
    }
    if let Some(cut_short) = &step.cut_short {
        extra.insert("cut_short".to_owned(), json!(cut_short));
    }
    if let (Some(requested), Some(answered)) = (told.requested(), &step.answered_model)
        && requested != answered
    {
        extra.insert("requested_model".to_owned(), json!(requested));
        extra.insert("answered_model".to_owned(), json!(answered));
    }
    extra
}

fn tool_call(call: &ToolCall) -> Value {
    let mut extra = json!({
        "outcome": outcome(call),
        "at_ms": call.at_ms,
        "took_ms": call.took_ms,
    });
    let arguments = match &call.arguments {
        Arguments::Json(Value::Object(arguments)) => json!(arguments),
        Arguments::Json(other) => {
            extra["arguments"] = other.clone();
            json!({})
        }
        Arguments::Malformed(text) => {
            extra["arguments"] = json!(text);
            json!({})
        }
    };
    json!({
        "tool_call_id": call.id,
        "function_name": name(call),
        "arguments": arguments,
        "extra": extra,
    })
}

/// `server.tool`; the name alone where there is no such tool.
pub(super) fn name(call: &ToolCall) -> String {
    match call.server.is_empty() {
        true => call.tool.clone(),
        false => call.full_name(),
    }
}

/// How far a call came.
fn outcome(call: &ToolCall) -> &'static str {
    match &call.outcome {
        CallOutcome::Blocked { .. } => "blocked",
        _ if call.executed() => "executed",
        _ => "proposed",
    }
}

/// What came back of a call; `None` where nothing did.
fn result(call: &ToolCall) -> Option<Value> {
    let (content, extra) = match &call.outcome {
        CallOutcome::Result { text, structured } => {
            let structured = structured.as_ref();
            (
                text.clone(),
                structured.map(|value| json!({"structured": value})),
            )
        }
        CallOutcome::Error { text, protocol } => {
            let extra = json!({"is_error": true, "protocol": protocol});
            (text.clone(), Some(extra))
        }
        CallOutcome::NotRun => return None,
        other => (not_executed(other), Some(json!({"is_error": true}))),
    };
    let mut result = json!({"source_call_id": call.id, "content": content});
    if let Some(extra) = extra {
        result["extra"] = extra;
    }
    Some(result)
}

/// Why a call did not reach its tool; empty for one that did.
pub(super) fn not_executed(outcome: &CallOutcome) -> String {
    match outcome {
        CallOutcome::Blocked { rule } => format!("blocked: {rule}"),
        CallOutcome::Malformed { why } => format!("malformed arguments: {why}"),
        CallOutcome::Unknown => "no such tool".to_owned(),
        CallOutcome::NotRun => "a limit ended the rollout before it ran".to_owned(),
        CallOutcome::Result { .. } | CallOutcome::Error { .. } => String::new(),
    }
}

/// Tokens and cost of one request; what is unknown is null.
fn metrics(usage: Option<Usage>, cost: Option<Usd>) -> Value {
    json!({
        "prompt_tokens": usage.map(|usage| usage.input()),
        "completion_tokens": usage.map(|usage| usage.output),
        "cached_tokens": usage.map(|usage| usage.cache_read),
        "cost_usd": cost.map(Usd::dollars),
        "extra": written(usage),
    })
}

/// Cache writes, which the format has no word for.
fn written(usage: Option<Usage>) -> Value {
    json!({
        "cache_write_5m_tokens": usage.map(|usage| usage.cache_write_5m),
        "cache_write_1h_tokens": usage.map(|usage| usage.cache_write_1h),
    })
}

/// The sums over all steps; null as soon as a part of one is unknown.
fn totals(told: &Exported<'_>) -> Value {
    let usage = told.rollout.usage;
    let mut extra = written(usage);
    if let Cost::Known { source, .. } = told.rollout.cost {
        extra["cost_source"] = json!(source);
    }
    json!({
        "total_prompt_tokens": usage.map(|usage| usage.input()),
        "total_completion_tokens": usage.map(|usage| usage.output),
        "total_cached_tokens": usage.map(|usage| usage.cache_read),
        "total_cost_usd": told.rollout.cost.amount().map(Usd::dollars),
        "total_steps": steps(told).len(),
        "extra": extra,
    })
}

/// What only crossbar knows: the case, how it ended, what the checks said.
fn own(told: &Exported<'_>) -> Value {
    let (rollout, frozen) = (&told.rollout, told.frozen);
    let trajectory = &rollout.trajectory;
    json!({
        "run_id": frozen.run_id,
        "dataset_hash": frozen.dataset_hash,
        "verdict": frozen.analysis.verdict().word(),
        "pack": rollout.key.task.pack(),
        "task": rollout.key.task,
        "cell": rollout.key.cell,
        "repeat": rollout.key.repeat,
        "attempt": rollout.attempt,
        "seed": rollout.schedule.seed,
        "fingerprints": {
            "cell": told.cell().map(|cell| &cell.fingerprint),
            "task": told.task().map(|task| &task.fingerprint),
        },
        "outcome": rollout.outcome,
        "passed": rollout.outcome.is_measured().then_some(rollout.outcome.is_accepted()),
        "score": rollout.score,
        "failure_mode": rollout.failure_mode,
        "checks": rollout.checks,
        "final_text": trajectory.final_text,
        "ending": trajectory.ending,
        "violations": trajectory.violations,
        "forbidden": rollout.forbidden,
        "limits": rollout.limits,
        "worked_ms": rollout.worked_ms,
        "cut": told.cut,
    })
}
