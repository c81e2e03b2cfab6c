//! The messages between crossbar and the executable of a `command` harness, version 1: one JSON
//! object a line, its kind in `type`.
//!
//! | from | type | keys |
//! |---|---|---|
//! | crossbar | start | protocol, prompt, instructions, tools, limits |
//! | executable | hello | protocol, version |
//! | executable | ask | system, messages, tools |
//! | crossbar | reply | text, calls, cut_short, own |
//! | executable | call | id, or name and arguments |
//! | crossbar | result | id, text, is_error |
//! | executable | answer | text |
//! | crossbar | stop | |

use crate::domain::{Arguments, Limits};
use crate::provider::{ChatReply, Message, ToolCallRequest, ToolSpec};
use serde::Deserialize;
use serde_json::{Map, Value, json};

/// The version of the protocol.
pub(super) const VERSION: u64 = 1;

/// What the executable says.
#[derive(Debug, PartialEq)]
pub(super) enum Said {
    /// Its greeting.
    Hello {
        protocol: u64,
        version: Option<String>,
    },
    /// It wants a model call.
    Ask(Asked),
    /// It wants a tool call.
    Call(Call),
    /// It is done.
    Answer(String),
}

/// A request to the model.
#[derive(Debug, PartialEq)]
pub(super) struct Asked {
    pub(super) system: Option<String>,
    pub(super) messages: Vec<Message>,
    pub(super) tools: Tools,
}

impl Asked {
    /// What makes it no request that a model could be sent; `None` for one that it could.
    pub(super) fn lacks(&self, tools: &[ToolSpec]) -> Option<String> {
        if self.messages.is_empty() {
            return Some("it asks its model without a message".to_owned());
        }
        if let Tools::These(names) = &self.tools {
            let is_there = |name: &&String| tools.iter().any(|tool| tool.name == **name);
            if let Some(name) = names.iter().find(|name| !is_there(name)) {
                return Some(format!(
                    "it offers the tool `{name}`, which the task has not"
                ));
            }
        }
        let mut called = Vec::new();
        for message in &self.messages {
            match message {
                Message::Assistant { calls, .. } => called.extend(calls.iter().map(|one| &one.id)),
                Message::ToolResult { call_id, .. } if !called.contains(&call_id) => {
                    return Some(format!(
                        "it has a result of `{call_id}`, which no message calls"
                    ));
                }
                _ => {}
            }
        }
        None
    }
}

/// Which tools the model is offered.
#[derive(Debug, PartialEq)]
pub(super) enum Tools {
    All,
    These(Vec<String>),
}

/// A tool call.
#[derive(Debug, PartialEq)]
pub(super) enum Call {
    /// One that the last reply asked for.
    Asked { id: String },
    /// One of the executable's own.
    Own { name: String, arguments: Arguments },
}

#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
enum Line {
    Hello {
        protocol: u64,
        #[serde(default)]
        version: Option<String>,
    },
    Ask {
        #[serde(default)]
        system: Option<String>,
        messages: Vec<Told>,
        #[serde(default)]
        tools: Option<Vec<String>>,
    },
    Call {
        #[serde(default)]
        id: Option<String>,
        #[serde(default)]
        name: Option<String>,
        #[serde(default)]
        arguments: Option<Value>,
    },
    Answer {
        text: String,
    },
}

/// A message of a conversation, as the executable writes it.
#[derive(Deserialize)]
#[serde(tag = "role", rename_all = "snake_case", deny_unknown_fields)]
enum Told {
    User {
        text: String,
    },
    Assistant {
        #[serde(default)]
        text: String,
        #[serde(default)]
        calls: Vec<Called>,
        #[serde(default)]
        own: Option<Value>,
    },
    Tool {
        id: String,
        text: String,
        #[serde(default)]
        is_error: bool,
    },
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Called {
    id: String,
    name: String,
    arguments: Value,
}

/// Reads a line; the error says what is wrong with it.
pub(super) fn read(line: &str) -> Result<Said, String> {
    let read: Line = serde_json::from_str(line)
        .map_err(|error| format!("it wrote a line that is no message of the protocol: {error}"))?;
    Ok(match read {
        Line::Hello { protocol, version } => Said::Hello { protocol, version },
        Line::Answer { text } => Said::Answer(text),
        Line::Ask {
            system,
            messages,
            tools,
        } => Said::Ask(Asked {
            system,
            messages: messages.into_iter().map(message).collect(),
            tools: tools.map_or(Tools::All, Tools::These),
        }),
        Line::Call {
            id: Some(id),
            name: None,
            arguments: None,
        } => Said::Call(Call::Asked { id }),
        Line::Call {
            id: None,
            name: Some(name),
            arguments,
        } => Said::Call(Call::Own {
            name,
            arguments: Arguments::Json(arguments.unwrap_or_else(|| json!({}))),
        }),
        Line::Call { .. } => {
            return Err("a `call` has an `id`, or a `name` with `arguments`".to_owned());
        }
    })
}

fn message(told: Told) -> Message {
    match told {
        Told::User { text } => Message::User(text),
        Told::Assistant { text, calls, own } => Message::Assistant {
            text,
            calls: calls.into_iter().map(request).collect(),
            own,
        },
        Told::Tool { id, text, is_error } => Message::ToolResult {
            call_id: id,
            text,
            is_error,
        },
    }
}

/// Arguments that are no JSON were told as a text, and go back as one.
fn request(called: Called) -> ToolCallRequest {
    ToolCallRequest {
        id: called.id,
        name: called.name,
        arguments: match called.arguments {
            Value::String(text) => Arguments::Malformed(text),
            value => Arguments::Json(value),
        },
    }
}

/// What the executable begins with.
pub(super) fn start(
    prompt: &str,
    instructions: Option<&str>,
    tools: &[ToolSpec],
    limits: &Limits,
) -> Value {
    let tools = tools.iter().map(|tool| {
        json!({
            "name": tool.name,
            "description": tool.description,
            "input_schema": tool.input_schema,
        })
    });
    json!({
        "type": "start",
        "protocol": VERSION,
        "prompt": prompt,
        "instructions": instructions,
        "tools": tools.collect::<Vec<_>>(),
        "limits": {
            "max_steps": limits.max_steps,
            "max_tool_calls": limits.max_tool_calls,
            "timeout_s": limits.timeout_s,
        },
    })
}

/// What its model answered.
pub(super) fn reply(reply: &ChatReply) -> Value {
    let calls = reply.calls.iter().map(|call| {
        let arguments = match &call.arguments {
            Arguments::Json(value) => value.clone(),
            Arguments::Malformed(text) => json!(text),
        };
        json!({"id": call.id, "name": call.name, "arguments": arguments})
    });
    let mut told = Map::new();
    told.insert("type".to_owned(), json!("reply"));
    told.insert("text".to_owned(), json!(reply.text));
    told.insert("calls".to_owned(), calls.collect());
    if let Some(cut_short) = &reply.cut_short {
        told.insert("cut_short".to_owned(), json!(cut_short));
    }
    if let Some(own) = &reply.own {
        told.insert("own".to_owned(), own.clone());
    }
    Value::Object(told)
}

/// What became of a tool call.
pub(super) fn result(id: &str, text: &str, is_error: bool) -> Value {
    json!({"type": "result", "id": id, "text": text, "is_error": is_error})
}

/// Something has ended the rollout: nothing more is answered.
pub(super) fn stop() -> Value {
    json!({"type": "stop"})
}
