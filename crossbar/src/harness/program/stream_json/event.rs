//! The events. They are read by their keys: the order of keys, and what else stands there, differ between
//! programs and versions.

use super::Dialect;
use crate::domain::{CallOutcome, OwnFigures, Usd};
use crate::harness::program::event::{self, Asked, Said};
use serde_json::Value;

/// An event that says something about the rollout.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::harness) enum Event {
    /// It has started.
    Began(Began),
    /// A part of an answer of the model.
    Said(Said),
    /// Results of tool calls.
    Heard(Vec<Heard>),
    /// It has denied the call of this id.
    Denied(String),
    /// It has finished.
    Ended(Box<Ended>),
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(in crate::harness) struct Began {
    pub(in crate::harness) version: Option<String>,
    /// Servers with their status.
    pub(in crate::harness) servers: Vec<(String, String)>,
    pub(in crate::harness) tools: Vec<String>,
    /// The skills that it has, its own among them.
    pub(in crate::harness) skills: Vec<String>,
}

/// The result of a tool call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::harness) struct Heard {
    pub(super) id: String,
    pub(super) text: String,
    pub(super) structured: Option<Value>,
    pub(super) is_error: bool,
}

impl Heard {
    /// As all programs tell it.
    pub(in crate::harness) fn told(self, dialect: &Dialect) -> event::Heard {
        let outcome = if self.is_error && self.text.contains(dialect.no_such_tool) {
            CallOutcome::Unknown
        } else if self.is_error {
            CallOutcome::Error {
                text: self.text,
                protocol: false,
            }
        } else {
            CallOutcome::Result {
                text: self.text,
                structured: self.structured,
            }
        };
        event::Heard {
            id: self.id,
            outcome,
        }
    }
}

#[derive(Debug, Clone, PartialEq, Default)]
pub(in crate::harness) struct Ended {
    pub(in crate::harness) subtype: String,
    pub(in crate::harness) is_error: bool,
    /// The HTTP status of the request that failed for good.
    pub(in crate::harness) api_status: Option<u16>,
    pub(in crate::harness) terminal_reason: Option<String>,
    pub(in crate::harness) text: Option<String>,
    /// What it says of its error.
    pub(in crate::harness) errors: Vec<String>,
    /// Ids of calls that it denied.
    pub(in crate::harness) denied: Vec<String>,
    /// Its cost, where it says that it knows the price of every model.
    pub(in crate::harness) cost: Option<Usd>,
    /// What it says of its run.
    pub(in crate::harness) figures: OwnFigures,
}

/// The event of a line; `None` for lines that are none, or that say nothing here.
pub(in crate::harness) fn read(line: &str, dialect: &Dialect) -> Option<Event> {
    let event: Value = serde_json::from_str(line).ok()?;
    match (text(&event["type"])?, event["subtype"].as_str()) {
        ("system", Some("init")) => Some(Event::Began(began(&event, dialect))),
        ("system", Some("permission_denied")) => {
            Some(Event::Denied(text(&event["tool_use_id"])?.to_owned()))
        }
        ("assistant", _) => said(&event["message"], dialect).map(Event::Said),
        ("user", _) => Some(Event::Heard(heard(&event))),
        ("result", _) => Some(Event::Ended(Box::new(ended(&event)))),
        _ => None,
    }
}

fn text(value: &Value) -> Option<&str> {
    value.as_str()
}

fn owned(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

fn items(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

fn began(event: &Value, dialect: &Dialect) -> Began {
    let server = |server: &Value| (owned(&server["name"]), owned(&server["status"]));
    Began {
        version: event[dialect.version].as_str().map(str::to_owned),
        servers: items(&event["mcp_servers"]).map(server).collect(),
        tools: items(&event["tools"]).map(owned).collect(),
        skills: items(&event["skills"]).map(owned).collect(),
    }
}

fn said(message: &Value, dialect: &Dialect) -> Option<Said> {
    if (dialect.is_its_own)(message) {
        return None;
    }
    let mut said = Said {
        id: Some(owned(&message["id"])),
        ..Said::default()
    };
    for block in items(&message["content"]) {
        match text(&block["type"]) {
            Some("text") => said.text.push_str(text(&block["text"]).unwrap_or_default()),
            Some("tool_use") => said.calls.push(Asked {
                id: owned(&block["id"]),
                name: owned(&block["name"]),
                input: block["input"].clone(),
            }),
            _ => {}
        }
    }
    Some(said)
}

fn heard(event: &Value) -> Vec<Heard> {
    let blocks = items(&event["message"]["content"]);
    let results: Vec<&Value> = blocks.filter(|one| one["type"] == "tool_result").collect();
    // It stands beside the message, and not in it: whose it is shows only where there is one result.
    let beside = &event["tool_use_result"]["structuredContent"];
    let structured = (results.len() == 1 && !beside.is_null()).then_some(beside);
    results
        .iter()
        .map(|block| Heard {
            id: owned(&block["tool_use_id"]),
            text: match &block["content"] {
                Value::String(text) => text.clone(),
                parts => items(parts)
                    .filter_map(|part| text(&part["text"]))
                    .collect(),
            },
            structured: structured.cloned(),
            is_error: block["is_error"] == true,
        })
        .collect()
}

fn ended(event: &Value) -> Ended {
    let status = event["api_error_status"].as_u64();
    let denied = items(&event["permission_denials"]).map(|one| owned(&one["tool_use_id"]));
    Ended {
        subtype: owned(&event["subtype"]),
        is_error: event["is_error"] == true,
        api_status: status.and_then(|status| u16::try_from(status).ok()),
        terminal_reason: event["terminal_reason"].as_str().map(str::to_owned),
        text: event["result"].as_str().map(str::to_owned),
        errors: items(&event["errors"]).map(owned).collect(),
        denied: denied.collect(),
        cost: cost(event),
        figures: figures(event),
    }
}

fn figures(event: &Value) -> OwnFigures {
    let tokens = |name: &str| event["usage"][name].as_u64();
    OwnFigures {
        input_tokens: tokens("input_tokens"),
        cache_read_tokens: tokens("cache_read_input_tokens"),
        cache_write_tokens: tokens("cache_creation_input_tokens"),
        output_tokens: tokens("output_tokens"),
        cost: event["total_cost_usd"].as_f64().and_then(Usd::from_dollars),
        took_ms: event["duration_ms"].as_u64(),
        waited_ms: event["duration_api_ms"].as_u64(),
        turns: event["num_turns"].as_u64(),
    }
}

/// Its total, if it takes the price of every model that it used from its own list. For a model that
/// it does not know it guesses, and says so.
fn cost(event: &Value) -> Option<Usd> {
    let models = event["modelUsage"].as_object()?;
    let knows = !models.is_empty() && models.values().all(|model| model["costBasis"] == "list");
    let total = event["total_cost_usd"].as_f64().filter(|_| knows)?;
    Usd::from_dollars(total)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::harness::claude_code::DIALECT;
    use serde_json::json;

    fn of(event: &Value) -> Option<Event> {
        read(&event.to_string(), &DIALECT)
    }

    #[test]
    fn lines_that_say_nothing_are_passed_over() {
        for line in [
            "",
            "no json",
            "[1]",
            "{\"type\":\"stream_event\"}",
            "{\"type\":7}",
        ] {
            assert_eq!(read(line, &DIALECT), None, "{line}");
        }
        let own = json!({"type": "assistant", "message": {"model": "<synthetic>", "content": []}});
        assert_eq!(of(&own), None);
    }

    #[test]
    fn a_cost_counts_only_where_every_price_is_on_its_list() {
        let with = |bases: &[&str]| {
            let models: serde_json::Map<String, Value> = bases
                .iter()
                .enumerate()
                .map(|(at, basis)| (format!("m{at}"), json!({"costBasis": basis})))
                .collect();
            cost(&json!({"total_cost_usd": 0.00888, "modelUsage": models}))
        };
        assert_eq!(with(&["list"]), Some(Usd::from_micros(8880)));
        for guessed in [&["unknown"][..], &["list", "unknown"], &[]] {
            assert_eq!(with(guessed), None, "{guessed:?}");
        }
        let silent = json!({"total_cost_usd": 0.1, "modelUsage": {"m": {"costUSD": 0.1}}});
        assert_eq!(cost(&silent), None);
    }

    #[test]
    fn a_structured_result_belongs_to_the_only_result_beside_it() {
        let block = json!({"type": "tool_result", "tool_use_id": "t", "content": "5"});
        let with = |blocks: Value| {
            let beside = json!({"content": "5", "structuredContent": {"sum": 5}});
            let event = json!({
                "type": "user", "message": {"content": blocks}, "tool_use_result": beside,
            });
            match of(&event) {
                Some(Event::Heard(heard)) => heard.into_iter().map(|one| one.structured).collect(),
                other => panic!("{other:?}"),
            }
        };
        let one: Vec<Option<Value>> = with(json!([block]));
        assert_eq!(one, [Some(json!({"sum": 5}))]);
        assert_eq!(with(json!([block, block])), [None, None]);
    }

    #[test]
    fn results_come_as_text_or_in_parts() {
        let event = |content: Value| {
            let block = json!({"type": "tool_result", "tool_use_id": "t", "content": content});
            let event = of(&json!({"type": "user", "message": {"content": [block]}}));
            match event {
                Some(Event::Heard(heard)) => heard[0].text.clone(),
                other => panic!("{other:?}"),
            }
        };
        assert_eq!(event(json!("plain")), "plain");
        let parts = json!([{"type": "text", "text": "a"}, {"type": "image"}, {"text": "b"}]);
        assert_eq!(event(parts), "ab");
    }
}
