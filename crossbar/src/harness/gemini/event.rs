//! The events that Gemini CLI writes, one JSON object a line. They are read by their keys: what else
//! stands there differs between versions.

use crate::domain::CallOutcome;
use crate::harness::program::event::Asked;
use serde_json::Value;

/// An event that says something about the rollout.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Event {
    /// Its servers are up, or have failed, and it begins.
    Began,
    /// A piece of a message of the model.
    Said(String),
    /// A call of a tool has begun.
    Called(Asked),
    /// The call of this id is over; `None` where it was denied.
    Over(String, Option<CallOutcome>),
    /// Something went wrong that it will end with.
    Complained(String),
    /// It has ended.
    Ended(Ended),
}

/// How it says that it ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Ended {
    pub(super) is_success: bool,
    /// The kind of its error, where it names one.
    pub(super) kind: Option<String>,
    pub(super) message: Option<String>,
}

/// The event of a line; `None` for lines that are none, or that say nothing here.
pub(super) fn read(line: &str) -> Option<Event> {
    let event: Value = serde_json::from_str(line).ok()?;
    Some(match event["type"].as_str()? {
        "init" => Event::Began,
        "message" if event["role"] == "assistant" => Event::Said(owned(&event["content"])),
        "tool_use" => Event::Called(Asked {
            id: owned(&event["tool_id"]),
            name: owned(&event["tool_name"]),
            input: event["parameters"].clone(),
        }),
        "tool_result" => Event::Over(owned(&event["tool_id"]), outcome(&event)),
        "error" if event["severity"] == "error" => Event::Complained(owned(&event["message"])),
        "result" => Event::Ended(Ended {
            is_success: event["status"] == "success",
            kind: event["error"]["type"].as_str().map(str::to_owned),
            message: event["error"]["message"].as_str().map(str::to_owned),
        }),
        _ => return None,
    })
}

fn owned(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

/// What became of a call: the kind of an error says whether the tool failed, or never ran.
fn outcome(event: &Value) -> Option<CallOutcome> {
    if event["status"] == "success" {
        let text = owned(&event["output"]);
        let structured = None;
        return Some(CallOutcome::Result { text, structured });
    }
    let message = owned(&event["error"]["message"]);
    Some(match event["error"]["type"].as_str().unwrap_or_default() {
        "policy_violation" => return None,
        "tool_not_registered" => CallOutcome::Unknown,
        "mcp_tool_error" => CallOutcome::Error {
            text: said(&message).unwrap_or(message),
            protocol: false,
        },
        _ => CallOutcome::Error {
            text: message,
            protocol: true,
        },
    })
}

/// What the tool itself said, which stands in the message as the JSON of an answer of functions.
fn said(message: &str) -> Option<String> {
    let (_, answer) = message.split_once(" with response: ")?;
    let answer: Value = serde_json::from_str(answer).ok()?;
    let parts = answer[0]["functionResponse"]["response"]["content"].as_array()?;
    Some(
        parts
            .iter()
            .filter_map(|part| part["text"].as_str())
            .collect(),
    )
}
