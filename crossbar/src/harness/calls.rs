//! Tool calls of a session: recorded, held to the rules before they run, carried out, answered.
//!
//! The rules, for every call that a model asks for, in this order: once something has ended the
//! loop it does not run; a forbidden tool is stopped; call number `max_tool_calls` + 1 is stopped
//! and ends the loop; a tool that does not exist and arguments that are no JSON object are answered
//! with an error. Every call gets a result, so that the conversation stays valid.

use super::{DriveError, Session, limits};
use crate::domain::{Arguments, CallOutcome, Ending, LimitKind, ToolCall, ToolReply, Violation};
use crate::provider::{Message, ToolCallRequest};
use serde_json::{Value, json};

/// How much of malformed arguments the model is shown again, in characters.
const EXCERPT: usize = 200;

/// What became of a call, as the model is told.
pub(super) struct Told {
    pub(super) text: String,
    pub(super) is_error: bool,
}

/// Whether a call may run.
enum Gate {
    Open {
        server: String,
        tool: String,
        args: Value,
    },
    Shut(CallOutcome),
}

impl Session<'_> {
    /// Records calls on the last step; until `execute` comes to them they have not run.
    pub(super) fn record_calls(&mut self, calls: &[ToolCallRequest]) {
        let at_ms = self.now_ms();
        for call in calls {
            let (server, tool) = self.names.resolve(&call.name).unwrap_or(("", &call.name));
            let recorded = ToolCall {
                id: call.id.clone(),
                server: server.to_owned(),
                tool: tool.to_owned(),
                arguments: call.arguments.clone(),
                outcome: CallOutcome::NotRun,
                at_ms,
                took_ms: 0,
            };
            if let Some(step) = self.conversation.trajectory.steps.last_mut() {
                step.calls.push(recorded);
            }
        }
    }

    /// Carries out call number `at` of the last step, or says why not. Returns what the model is
    /// told: every call has a result, also when something has ended the loop.
    pub(super) async fn execute(&mut self, at: usize) -> Result<Told, DriveError> {
        let began = self.now_ms();
        let outcome = match self.gate(at) {
            Gate::Shut(outcome) => outcome,
            Gate::Open { server, tool, args } => {
                self.note(at, began, in_flight());
                let toolbox = self.ports.toolbox;
                match toolbox.call(&server, &tool, args).await {
                    Ok(reply) => outcome_of(reply),
                    Err(failure) => {
                        self.note(
                            at,
                            began,
                            CallOutcome::Error {
                                text: failure.message.clone(),
                                protocol: true,
                            },
                        );
                        return Err(failure.into());
                    }
                }
            }
        };
        let told = self.told(at, &outcome);
        self.note(at, began, outcome);
        self.touch();
        Ok(told)
    }

    fn note(&mut self, at: usize, began_ms: u64, outcome: CallOutcome) {
        let took_ms = self.now_ms().saturating_sub(began_ms);
        if let Some(call) = self.call_mut(at) {
            call.outcome = outcome;
            call.at_ms = began_ms;
            call.took_ms = took_ms;
        }
    }

    fn call_mut(&mut self, at: usize) -> Option<&mut ToolCall> {
        let steps = &mut self.conversation.trajectory.steps;
        steps.last_mut().and_then(|step| step.calls.get_mut(at))
    }

    fn call(&self, at: usize) -> Option<&ToolCall> {
        let step = self.conversation.trajectory.steps.last()?;
        step.calls.get(at)
    }

    /// The rules before a call, in the order in which they bind.
    fn gate(&mut self, at: usize) -> Gate {
        if !self.has_ended() && limits::is_late(self.ports.limits, self.worked()) {
            self.conversation.cut(LimitKind::Seconds);
        }
        let Some(call) = self.call(at).cloned().filter(|_| !self.has_ended()) else {
            return Gate::Shut(CallOutcome::NotRun);
        };
        if let Some(rule) = self.broken_rule(&call) {
            return Gate::Shut(CallOutcome::Blocked { rule });
        }
        if call.server.is_empty() {
            return Gate::Shut(CallOutcome::Unknown);
        }
        let args = match call.arguments {
            Arguments::Json(args @ Value::Object(_)) => args,
            Arguments::Json(Value::Null) => json!({}),
            Arguments::Json(other) => {
                return malformed(format!("{} is not a JSON object", shape(&other)));
            }
            Arguments::Malformed(text) => return malformed(why_not_json(&text)),
        };
        Gate::Open {
            server: call.server,
            tool: call.tool,
            args,
        }
    }

    /// Counts the call, and writes down what it breaks.
    fn broken_rule(&mut self, call: &ToolCall) -> Option<String> {
        let trajectory = &mut self.conversation.trajectory;
        self.conversation.asked_calls = self.conversation.asked_calls.saturating_add(1);
        let is_known = !call.server.is_empty();
        let pattern = self.ports.policy.rule_against(&call.server, &call.tool);
        let mut rule = pattern
            .filter(|_| is_known)
            .map(|pattern| pattern.as_str().to_owned());
        if rule.is_some() {
            let tool = call.full_name();
            trajectory.violations.push(Violation::ForbiddenTool {
                tool,
                blocked: true,
            });
        }
        if let Some(allowed) = self.ports.limits.max_tool_calls
            && self.conversation.asked_calls > allowed
        {
            rule.get_or_insert_with(|| format!("max_tool_calls {allowed}"));
            trajectory
                .violations
                .push(Violation::TooManyToolCalls { allowed });
            trajectory.ending.get_or_insert(Ending::Violation);
        }
        rule
    }

    fn told(&self, at: usize, outcome: &CallOutcome) -> Told {
        let failed = |text: String| Told {
            text,
            is_error: true,
        };
        let full_name = || self.call(at).map(ToolCall::full_name).unwrap_or_default();
        match outcome {
            CallOutcome::Result { text, .. } => Told {
                text: text.clone(),
                is_error: false,
            },
            CallOutcome::Error { text, .. } => failed(text.clone()),
            CallOutcome::Blocked { .. } => failed(format!(
                "error: {} is not allowed here; it was not executed",
                full_name()
            )),
            CallOutcome::Malformed { why } => failed(format!(
                "error: the arguments must be one JSON object, and {why}; the call was not executed"
            )),
            CallOutcome::Unknown => {
                let known: Vec<&str> = self.names.names().collect();
                let asked = self.call(at).map_or("", |call| &call.tool);
                failed(format!(
                    "error: no tool is named `{asked}`; there are: {}",
                    known.join(", ")
                ))
            }
            _ => failed("error: not executed, because the run had ended before it".to_owned()),
        }
    }

    /// Gives the model the result of a call.
    pub(super) fn tell(&mut self, call_id: &str, told: Told) {
        self.conversation
            .request
            .messages
            .push(Message::ToolResult {
                call_id: call_id.to_owned(),
                text: told.text,
                is_error: told.is_error,
            });
    }

    /// Records a reply that is no action at all.
    pub(super) fn record_malformed(&mut self, text: &str, why: &str) {
        let at_ms = self.now_ms();
        if let Some(step) = self.conversation.trajectory.steps.last_mut() {
            step.calls.push(ToolCall {
                id: format!("turn_{}", step.index),
                server: String::new(),
                tool: String::new(),
                arguments: Arguments::Malformed(text.to_owned()),
                outcome: CallOutcome::Malformed {
                    why: why.to_owned(),
                },
                at_ms,
                took_ms: 0,
            });
        }
    }
}

/// The outcome of a call that was sent and has no answer yet; it stays when the drive is dropped.
fn in_flight() -> CallOutcome {
    CallOutcome::Error {
        text: "no answer before the run ended".to_owned(),
        protocol: true,
    }
}

fn outcome_of(reply: ToolReply) -> CallOutcome {
    if reply.is_error || reply.protocol_error {
        CallOutcome::Error {
            text: reply.text,
            protocol: reply.protocol_error,
        }
    } else {
        CallOutcome::Result {
            text: reply.text,
            structured: reply.structured,
        }
    }
}

fn malformed(why: String) -> Gate {
    Gate::Shut(CallOutcome::Malformed { why })
}

/// What is wrong with a text that should be JSON, and how it begins.
fn why_not_json(text: &str) -> String {
    let begins: String = text.chars().take(EXCERPT).collect();
    match serde_json::from_str::<Value>(text) {
        Ok(_) => format!("this was not taken as one: {begins}"),
        Err(error) => format!("this is not JSON ({error}): {begins}"),
    }
}

fn shape(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}
