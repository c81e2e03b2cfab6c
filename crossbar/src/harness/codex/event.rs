//! The events that Codex writes, one JSON object a line. They are read by their keys: what else
//! stands there differs between versions.

use crate::domain::{CallOutcome, OwnFigures};
use serde_json::Value;

/// How it denies a call that nobody has approved.
const DENIED: &str = "requires approval";

/// An event that says something about the rollout.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Event {
    /// It has started.
    Began,
    /// A message of the model.
    Said(String),
    /// A call of a tool has begun.
    Called(Call),
    /// A call of a tool is over; `None` where it was denied.
    Over(Call, Option<CallOutcome>),
    /// It has finished its work, with what it says of it.
    Completed(OwnFigures),
    /// It has given up.
    Failed(String),
}

/// A call of a tool, as the program tells of it.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Call {
    pub(super) id: String,
    pub(super) server: String,
    pub(super) tool: String,
    pub(super) input: Value,
}

/// The event of a line; `None` for lines that are none, or that say nothing here: warnings come as
/// items of type `error`, and `error` itself is told again by what ends the turn.
pub(super) fn read(line: &str) -> Option<Event> {
    let event: Value = serde_json::from_str(line).ok()?;
    let item = &event["item"];
    match (event["type"].as_str()?, item["type"].as_str()) {
        ("thread.started", _) => Some(Event::Began),
        ("turn.completed", _) => Some(Event::Completed(figures(&event["usage"]))),
        ("turn.failed", _) => Some(Event::Failed(owned(&event["error"]["message"]))),
        ("item.completed", Some("agent_message")) => Some(Event::Said(owned(&item["text"]))),
        ("item.started", Some("mcp_tool_call")) => Some(Event::Called(call(item))),
        ("item.completed", Some("mcp_tool_call")) => Some(Event::Over(call(item), outcome(item))),
        _ => None,
    }
}

/// Its input counts what was read from a cache and what was written to one.
fn figures(usage: &Value) -> OwnFigures {
    let tokens = |name: &str| usage[name].as_u64();
    let (all, read) = (tokens("input_tokens"), tokens("cached_input_tokens"));
    let written = tokens("cache_write_input_tokens");
    let cached = read.unwrap_or(0).saturating_add(written.unwrap_or(0));
    OwnFigures {
        input_tokens: all.map(|all| all.saturating_sub(cached)),
        cache_read_tokens: read,
        cache_write_tokens: written,
        output_tokens: tokens("output_tokens"),
        ..OwnFigures::default()
    }
}

fn owned(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

fn call(item: &Value) -> Call {
    Call {
        id: owned(&item["id"]),
        server: owned(&item["server"]),
        tool: owned(&item["tool"]),
        input: item["arguments"].clone(),
    }
}

/// What became of a call: with an error it never had a result; with a result, its status says
/// whether the tool failed.
fn outcome(item: &Value) -> Option<CallOutcome> {
    if let Some(text) = item["error"]["message"].as_str() {
        let text = text.to_owned();
        return (!text.contains(DENIED)).then_some(CallOutcome::Error {
            text,
            protocol: true,
        });
    }
    let result = &item["result"];
    let parts = result["content"].as_array().into_iter().flatten();
    let text: String = parts.filter_map(|part| part["text"].as_str()).collect();
    if item["status"] == "failed" {
        let protocol = false;
        return Some(CallOutcome::Error { text, protocol });
    }
    let structured = &result["structured_content"];
    Some(CallOutcome::Result {
        text,
        structured: (!structured.is_null()).then(|| structured.clone()),
    })
}
