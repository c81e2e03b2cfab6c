//! A request as the chat completions protocol writes it.

use crate::domain::Arguments;
use crate::provider::{ChatRequest, Message, ToolCallRequest, ToolSpec, wire_safe};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// Keys of `params` that would change what the rest of crossbar relies on, and the cure.
const REFUSED: &[(&str, &str)] = &[
    ("max_tokens", "write `max_output_tokens`"),
    ("max_completion_tokens", "write `max_output_tokens`"),
    ("messages", "crossbar writes it"),
    ("model", "write it beside `params`"),
    ("n", "use `repeats`"),
    ("tools", "tools come from the task's servers"),
];

/// The param that says under which name the output ceiling is sent, and the names it knows.
const CEILING: &str = "max_output_tokens_as";
const CEILINGS: [&str; 2] = ["max_tokens", "max_completion_tokens"];

/// Why one of the params can't be sent, if one can't.
pub(super) fn refused_param(params: &BTreeMap<String, Value>) -> Option<String> {
    if params.get(CEILING).is_some() && ceiling_name(params).is_none() {
        let known = CEILINGS.join("` or `");
        return Some(format!("`params.{CEILING}` must be `{known}`"));
    }
    REFUSED
        .iter()
        .find(|(key, _)| params.contains_key(*key))
        .map(|(key, cure)| format!("`params.{key}` is not sent: {cure}"))
}

/// The name under which the output ceiling is sent; `None` for one that no endpoint knows.
fn ceiling_name(params: &BTreeMap<String, Value>) -> Option<&'static str> {
    match params.get(CEILING) {
        None => Some(CEILINGS[0]),
        Some(named) => CEILINGS.into_iter().find(|name| named == name),
    }
}

/// What to write when an endpoint refuses this setting.
pub(super) fn cure(param: &str) -> Option<String> {
    let other = match param {
        "max_tokens" => CEILINGS[1],
        "max_completion_tokens" => CEILINGS[0],
        _ => return None,
    };
    Some(format!("write `{CEILING}: {other}` under its `params`"))
}

/// The body, byte for byte as it is sent. What is unset is left out, never null.
pub(super) fn body(model: &str, request: &ChatRequest) -> Vec<u8> {
    let mut body = Map::new();
    body.insert("model".to_owned(), json!(model));
    body.insert("messages".to_owned(), Value::Array(messages(request)));
    if !request.tools.is_empty() {
        body.insert(
            "tools".to_owned(),
            request.tools.iter().map(function).collect(),
        );
    }
    if is_streamed(request) {
        // Usage comes in a stream only where it is asked for.
        body.insert("stream_options".to_owned(), json!({"include_usage": true}));
    }
    for (key, value) in &request.params {
        let name = match key.as_str() {
            CEILING => continue,
            "max_output_tokens" => ceiling_name(&request.params).unwrap_or(CEILINGS[0]),
            key => key,
        };
        if value.is_null() {
            body.remove(name);
        } else {
            body.insert(name.to_owned(), value.clone());
        }
    }
    if let Some(format) = request
        .response_format
        .as_ref()
        .filter(|format| !format.is_null())
    {
        body.insert("response_format".to_owned(), format.clone());
    }
    Value::Object(body).to_string().into_bytes()
}

/// Whether the answer is asked for in pieces.
fn is_streamed(request: &ChatRequest) -> bool {
    request.params.get("stream") == Some(&Value::Bool(true))
}

fn messages(request: &ChatRequest) -> Vec<Value> {
    let system = request
        .system
        .iter()
        .map(|text| json!({"role": "system", "content": text}));
    system.chain(request.messages.iter().map(message)).collect()
}

fn message(message: &Message) -> Value {
    match message {
        Message::User(text) => json!({"role": "user", "content": text}),
        Message::Assistant { text, calls, .. } if calls.is_empty() => {
            json!({"role": "assistant", "content": text})
        }
        Message::Assistant { text, calls, .. } => {
            let calls: Vec<Value> = calls.iter().map(call).collect();
            let content = (!text.is_empty()).then_some(text);
            json!({"role": "assistant", "content": content, "tool_calls": calls})
        }
        Message::ToolResult { call_id, text, .. } => {
            json!({"role": "tool", "tool_call_id": call_id, "content": text})
        }
    }
}

/// Servers parse the arguments of earlier calls again, and refuse the whole request for one that is
/// malformed; so those go back empty, and the call's result quotes them.
fn call(call: &ToolCallRequest) -> Value {
    let arguments = match &call.arguments {
        Arguments::Json(value @ Value::Object(_)) => value.to_string(),
        Arguments::Json(_) | Arguments::Malformed(_) => "{}".to_owned(),
    };
    json!({
        "id": call.id,
        "type": "function",
        "function": {"name": wire_safe(&call.name), "arguments": arguments},
    })
}

fn function(tool: &ToolSpec) -> Value {
    json!({
        "type": "function",
        "function": {
            "name": tool.name,
            "description": tool.description,
            "parameters": tool.input_schema,
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(request: &ChatRequest) -> Value {
        serde_json::from_slice(&body("m-1", request)).unwrap()
    }

    #[test]
    fn what_is_unset_is_left_out() {
        let bare = written(&ChatRequest::default());
        assert_eq!(bare, json!({"model": "m-1", "messages": []}));
        let request = ChatRequest {
            params: BTreeMap::from([
                ("temperature".to_owned(), json!(0)),
                ("max_output_tokens".to_owned(), json!(7)),
                ("top_p".to_owned(), Value::Null),
            ]),
            response_format: Some(json!({"type": "json_object"})),
            ..ChatRequest::default()
        };
        let full = written(&request);
        assert_eq!(full["temperature"], json!(0));
        assert_eq!(full["max_tokens"], json!(7));
        assert_eq!(full["response_format"], json!({"type": "json_object"}));
        assert_eq!(full.as_object().unwrap().len(), 5);
    }

    #[test]
    fn a_stream_asks_for_its_usage_unless_the_roster_says_otherwise() {
        let sent = |params: Value| {
            let params = serde_json::from_value(params).unwrap();
            written(&ChatRequest {
                params,
                ..ChatRequest::default()
            })
        };
        let streamed = sent(json!({"stream": true}));
        assert_eq!(streamed["stream"], json!(true));
        assert_eq!(streamed["stream_options"], json!({"include_usage": true}));
        let plain = sent(json!({"stream": true, "stream_options": null}));
        assert_eq!(plain.get("stream_options"), None);
        assert_eq!(sent(json!({"stream": false})).get("stream_options"), None);
    }

    #[test]
    fn the_output_ceiling_goes_under_the_name_that_the_endpoint_takes() {
        let params = |name: Value| {
            BTreeMap::from([
                (CEILING.to_owned(), name),
                ("max_output_tokens".to_owned(), json!(7)),
            ])
        };
        let request = ChatRequest {
            params: params(json!("max_completion_tokens")),
            ..ChatRequest::default()
        };
        let sent = json!({"model": "m-1", "messages": [], "max_completion_tokens": 7});
        assert_eq!(written(&request), sent);
        assert!(
            refused_param(&params(json!("most")))
                .unwrap()
                .contains("must be")
        );
        assert_eq!(refused_param(&request.params), None);
        let cure = cure("max_tokens").unwrap();
        assert!(cure.contains("max_output_tokens_as: max_completion_tokens"));
    }

    #[test]
    fn a_call_goes_back_under_a_legal_name_with_arguments_that_parse() {
        let made_up = ToolCallRequest {
            id: "c".to_owned(),
            name: "desk.no such".to_owned(),
            arguments: Arguments::Malformed("{\"a\":".to_owned()),
        };
        let back = call(&made_up);
        assert_eq!(back["function"]["name"], "desk_no_such");
        assert_eq!(back["function"]["arguments"], "{}");
    }

    #[test]
    fn params_that_break_the_contract_are_refused_with_the_cure() {
        let params = BTreeMap::from([("max_tokens".to_owned(), json!(5))]);
        assert!(
            refused_param(&params)
                .unwrap()
                .contains("max_output_tokens")
        );
        assert_eq!(refused_param(&BTreeMap::new()), None);
    }
}
