//! The spans of one rollout: the agent, each request to its model, each call that reached a tool.

use super::attributes::{Attributes, Kind, Span, event};
use crate::analysis::{GateAnswer, GateState, Status};
use crate::domain::{
    Arguments, CallOutcome, CheckOutcome, Cost, CutShort, Outcome, Step, ToolCall, Usage, Usd,
};
use crate::report::atif::{name, not_executed};
use crate::report::exported::Exported;
use crate::report::transcript::outcome_detail;
use serde_json::{Value, json};

/// Digits of a trace's id, and of a span's.
const TRACE: usize = 32;
const SPAN: usize = 16;

/// All spans of a rollout, the agent's first.
pub(super) fn of(told: &Exported<'_>) -> Vec<Value> {
    let mut spans = vec![agent(told)];
    for step in &told.rollout.trajectory.steps {
        spans.push(chat(told, step));
        let executed = step.calls.iter().filter(|call| call.executed());
        spans.extend(executed.map(|call| tool(told, step, call)));
    }
    spans.into_iter().map(Span::json).collect()
}

fn agent_id(told: &Exported<'_>) -> String {
    told.digits("agent", SPAN)
}

fn agent(told: &Exported<'_>) -> Span {
    let rollout = &told.rollout;
    let outcome = &rollout.outcome;
    let mut attributes = Attributes::default();
    attributes
        .text("gen_ai.operation.name", "invoke_agent")
        .text("gen_ai.agent.id", &rollout.key.cell.to_string())
        .text("gen_ai.agent.name", told.agent())
        .text("gen_ai.agent.version", told.version())
        .text_of("gen_ai.request.model", told.requested())
        .text_of("gen_ai.provider.name", provider(told));
    if let Some(prompt) = told.prompt() {
        let said = json!([{"role": "user", "parts": [{"type": "text", "content": prompt}]}]);
        attributes.text("gen_ai.input.messages", &said.to_string());
    }
    let system = told
        .configured("/harness/instructions")
        .and_then(Value::as_str);
    if let Some(system) = system {
        let said = json!([{"type": "text", "content": system}]);
        attributes.text("gen_ai.system_instructions", &said.to_string());
    }
    tokens(&mut attributes, rollout.usage);
    case(&mut attributes, told);
    let checks = rollout.checks.iter().map(|check| evaluation(told, check));
    let calls = rollout.trajectory.calls();
    let stopped = calls.filter(|call| !call.executed());
    let events = stopped.map(|call| not_made(told, call)).chain(checks);
    Span {
        trace: told.digits("trace", TRACE),
        id: agent_id(told),
        parent: None,
        name: format!("invoke_agent {}", told.agent()),
        kind: Kind::Internal,
        began: told.began,
        ended: told.ended(),
        attributes,
        events: events.collect(),
        error: is_error(outcome).then(|| (outcome.word(), outcome_detail(outcome))),
    }
}

/// A lost task is a result; these are errors.
fn is_error(outcome: &Outcome) -> bool {
    let ended_early = matches!(
        outcome,
        Outcome::AgentCrash { .. } | Outcome::LimitReached { .. }
    );
    ended_early || !outcome.is_measured()
}

/// The case, how it ended and what it cost.
fn case(attributes: &mut Attributes, told: &Exported<'_>) {
    let rollout = &told.rollout;
    let key = &rollout.key;
    attributes
        .text("test.suite.name", key.task.pack())
        .text("test.suite.run.status", run_status(told))
        .text("test.case.name", &key.case().to_string());
    if rollout.outcome.is_measured() {
        let passed = rollout.outcome.is_accepted();
        attributes.text(
            "test.case.result.status",
            if passed { "pass" } else { "fail" },
        );
    }
    attributes
        .text("crossbar.task", &key.task.to_string())
        .text("crossbar.cell", &key.cell.to_string())
        .whole("crossbar.repeat", u64::from(key.repeat))
        .whole("crossbar.attempt", u64::from(rollout.attempt))
        .text("crossbar.seed", &rollout.schedule.seed.to_string())
        .text("crossbar.outcome", rollout.outcome.word())
        .number_of("crossbar.score", rollout.score.map(|score| score.total()));
    if let Outcome::LimitReached { limit } = &rollout.outcome {
        attributes.text("crossbar.limit", limit.word());
    }
    let cell = told.cell().map(|cell| cell.fingerprint.as_str());
    let task = told.task().map(|task| task.fingerprint.as_str());
    attributes
        .text_of("crossbar.cell_fingerprint", cell)
        .text_of("crossbar.task_fingerprint", task);
    cost(attributes, rollout.cost.amount());
    if let Cost::Known { source, .. } = rollout.cost {
        let source = json!(source);
        attributes.text_of("crossbar.cost_source", source.as_str());
    }
}

/// How the whole run ended, in the word of the conventions.
fn run_status(told: &Exported<'_>) -> &'static str {
    let gate = told.frozen.gate.map(GateAnswer::state);
    match (gate, told.frozen.analysis.completeness.status) {
        (Some(GateState::Failed), _) => "failure",
        (_, Status::Incomplete) => "aborted",
        (_, Status::Complete) => "success",
    }
}

fn cost(attributes: &mut Attributes, cost: Option<Usd>) {
    attributes.number_of("crossbar.cost_usd", cost.map(Usd::dollars));
}

fn provider<'a>(told: &'a Exported<'_>) -> Option<&'a str> {
    told.configured("/model/provider").and_then(Value::as_str)
}

/// The tokens of a request or of all; no attribute where they are unknown.
fn tokens(attributes: &mut Attributes, usage: Option<Usage>) {
    let Some(usage) = usage else {
        return;
    };
    let written = usage.cache_write_5m.saturating_add(usage.cache_write_1h);
    attributes
        .whole("gen_ai.usage.input_tokens", usage.input())
        .whole("gen_ai.usage.cache_read.input_tokens", usage.cache_read)
        .whole("gen_ai.usage.cache_write.input_tokens", written)
        .whole("gen_ai.usage.output_tokens", usage.output)
        .whole(
            "crossbar.usage.cache_write_1h.input_tokens",
            usage.cache_write_1h,
        );
}

/// What a check said, as the conventions tell an evaluation.
fn evaluation(told: &Exported<'_>, check: &CheckOutcome) -> Value {
    let mut attributes = Attributes::default();
    attributes
        .text("gen_ai.evaluation.name", &check.name)
        .number(
            "gen_ai.evaluation.score.value",
            f64::from(u8::from(check.passed)),
        )
        .text(
            "gen_ai.evaluation.score.label",
            if check.passed { "pass" } else { "fail" },
        )
        .text_of("gen_ai.evaluation.explanation", check.message.as_deref())
        .text("crossbar.check.kind", &check.kind)
        .number("crossbar.check.weight", check.weight);
    event("gen_ai.evaluation.result", told.ended(), &attributes)
}

/// A call that no tool saw.
fn not_made(told: &Exported<'_>, call: &ToolCall) -> Value {
    let mut attributes = Attributes::default();
    attributes
        .text("gen_ai.tool.name", &name(call))
        .text("gen_ai.tool.call.id", &call.id)
        .text("crossbar.why", &not_executed(&call.outcome));
    let name = match call.outcome {
        CallOutcome::Blocked { .. } => "crossbar.call_blocked",
        _ => "crossbar.call_not_executed",
    };
    event(name, told.at(call.at_ms), &attributes)
}

fn chat(told: &Exported<'_>, step: &Step) -> Span {
    let requested = told.requested();
    let mut attributes = Attributes::default();
    attributes
        .text("gen_ai.operation.name", "chat")
        .text_of("gen_ai.provider.name", provider(told))
        .text_of("gen_ai.request.model", requested)
        .text_of("gen_ai.response.model", step.answered_model.as_deref())
        .text("gen_ai.output.messages", &output(step).to_string());
    sampling(&mut attributes, told);
    tokens(&mut attributes, step.usage);
    cost(&mut attributes, step.cost);
    attributes
        .whole("crossbar.step", u64::from(step.index))
        .text_of("crossbar.step.kind", json!(step.kind).as_str())
        .whole("crossbar.retries", u64::from(step.retries));
    let unanswered = step.text.is_empty() && step.calls.is_empty() && step.answered_model.is_none();
    Span {
        trace: told.digits("trace", TRACE),
        id: told.digits(&format!("step {}", step.index), SPAN),
        parent: Some(agent_id(told)),
        name: format!("chat {}", requested.unwrap_or_default())
            .trim_end()
            .to_owned(),
        kind: Kind::Client,
        began: told.at(step.at_ms),
        ended: told.at(step.at_ms.saturating_add(step.took_ms)),
        attributes,
        events: Vec::new(),
        error: unanswered.then(|| ("_OTHER", "there was no answer".to_owned())),
    }
}

/// What the roster sets of a model's sampling, where the conventions have a name for it.
fn sampling(attributes: &mut Attributes, told: &Exported<'_>) {
    let set = |key: &str| told.configured(&format!("/model/params/{key}"));
    attributes
        .number_of(
            "gen_ai.request.temperature",
            set("temperature").and_then(Value::as_f64),
        )
        .number_of("gen_ai.request.top_p", set("top_p").and_then(Value::as_f64));
    if let Some(most) = set("max_output_tokens").and_then(Value::as_u64) {
        attributes.whole("gen_ai.request.max_tokens", most);
    }
    let level = told
        .configured("/model/reasoning_budget")
        .and_then(Value::as_str);
    attributes.text_of("gen_ai.request.reasoning.level", level);
}

/// What a model answered, as the conventions' schema of output messages has it.
fn output(step: &Step) -> Value {
    let text = (!step.text.is_empty()).then(|| json!({"type": "text", "content": step.text}));
    let calls = step.calls.iter().map(|call| {
        json!({"type": "tool_call", "id": call.id, "name": name(call), "arguments": arguments(call)})
    });
    let parts: Vec<Value> = text.into_iter().chain(calls).collect();
    json!([{"role": "assistant", "parts": parts, "finish_reason": finish(step)}])
}

fn finish(step: &Step) -> &'static str {
    match &step.cut_short {
        Some(CutShort::OutputCeiling | CutShort::ContextFull) => "length",
        Some(CutShort::Refused { .. }) => "content_filter",
        Some(CutShort::Paused) => "pause",
        None if step.calls.is_empty() => "stop",
        None => "tool_call",
    }
}

fn arguments(call: &ToolCall) -> Value {
    match &call.arguments {
        Arguments::Json(value) => value.clone(),
        Arguments::Malformed(text) => json!(text),
    }
}

fn tool(told: &Exported<'_>, step: &Step, call: &ToolCall) -> Span {
    let mut attributes = Attributes::default();
    attributes
        .text("gen_ai.operation.name", "execute_tool")
        .text("gen_ai.tool.name", &name(call))
        .text("gen_ai.tool.type", "function")
        .text("gen_ai.tool.call.id", &call.id)
        .text("gen_ai.tool.call.arguments", &arguments(call).to_string())
        .whole("crossbar.step", u64::from(step.index));
    let mut error = None;
    match &call.outcome {
        CallOutcome::Result { text, structured } => {
            let result = structured
                .as_ref()
                .map_or_else(|| json!(text), Clone::clone);
            attributes.text("gen_ai.tool.call.result", &result.to_string());
        }
        CallOutcome::Error { text, protocol } => {
            let class = if *protocol {
                "protocol_error"
            } else {
                "tool_error"
            };
            error = Some((class, text.clone()));
        }
        _ => {}
    }
    Span {
        trace: told.digits("trace", TRACE),
        id: told.digits(&format!("call {} {}", step.index, call.id), SPAN),
        parent: Some(agent_id(told)),
        name: format!("execute_tool {}", name(call)),
        kind: Kind::Internal,
        began: told.at(call.at_ms),
        ended: told.at(call.at_ms.saturating_add(call.took_ms)),
        attributes,
        events: Vec::new(),
        error,
    }
}
