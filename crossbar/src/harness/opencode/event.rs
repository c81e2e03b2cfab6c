//! The events that opencode writes, one JSON object a line. They are read by their keys: what else
//! stands there differs between versions.

use serde_json::Value;

/// The tool in whose name it answers a call that can't be carried out.
const INVALID: &str = "invalid";

/// An event that says something about the rollout.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Event {
    /// The answer of this id has begun.
    Began(String),
    /// A text of an answer.
    Said {
        /// The answer.
        id: String,
        text: String,
    },
    /// A call of a tool is over.
    Called {
        /// The answer.
        id: String,
        call: Box<Call>,
    },
    /// An answer is over, for this reason.
    Finished(String),
    /// It has given up.
    Failed(String),
}

/// A call of a tool, with what became of it.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Call {
    pub(super) id: String,
    pub(super) name: String,
    pub(super) input: Value,
    pub(super) outcome: Outcome,
}

/// What it says of a call's end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Outcome {
    /// A result.
    Result(String),
    /// An error.
    Error(String),
    /// It could not be carried out: no such tool, or arguments that are none.
    Invalid(String),
}

/// The event of a line; `None` for lines that are none, or that say nothing here.
pub(super) fn read(line: &str) -> Option<Event> {
    let event: Value = serde_json::from_str(line).ok()?;
    let part = &event["part"];
    let id = || owned(&part["messageID"]);
    match event["type"].as_str()? {
        "step_start" => Some(Event::Began(id())),
        "text" => Some(Event::Said {
            id: id(),
            text: owned(&part["text"]),
        }),
        "tool_use" => Some(Event::Called {
            id: id(),
            call: Box::new(call(part)),
        }),
        "step_finish" => Some(Event::Finished(owned(&part["reason"]))),
        "error" => Some(Event::Failed(failure(&event["error"]))),
        _ => None,
    }
}

fn owned(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

fn call(part: &Value) -> Call {
    let state = &part["state"];
    let input = &state["input"];
    let id = owned(&part["callID"]);
    if part["tool"] == INVALID {
        return Call {
            id,
            name: owned(&input["tool"]),
            // It keeps the name alone of what was asked for.
            input: Value::Null,
            outcome: Outcome::Invalid(owned(&input["error"])),
        };
    }
    let outcome = match state["error"].as_str() {
        Some(error) => Outcome::Error(error.to_owned()),
        None => Outcome::Result(owned(&state["output"])),
    };
    Call {
        id,
        name: owned(&part["tool"]),
        input: input.clone(),
        outcome,
    }
}

fn failure(error: &Value) -> String {
    let message = error["data"]["message"].as_str();
    let message = message.or_else(|| error["name"].as_str());
    let message = message.unwrap_or("an error without words").to_owned();
    match error["data"]["statusCode"].as_u64() {
        Some(status) => format!("{message} (HTTP status {status})"),
        None => message,
    }
}
