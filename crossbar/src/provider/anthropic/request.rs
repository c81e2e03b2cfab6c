//! A request as the Messages API writes it.

use crate::domain::Arguments;
use crate::provider::{
    ChatRequest, DEFAULT_MAX_OUTPUT_TOKENS, Message, ToolCallRequest, ToolSpec, wire_safe,
};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// Keys of `params` that would change what the rest of crossbar relies on, and the cure.
const REFUSED: &[(&str, &str)] = &[
    ("max_tokens", "write `max_output_tokens`"),
    ("messages", "crossbar writes it"),
    ("model", "write it beside `params`"),
    (
        "response_format",
        "the Messages API has none; use the harness `text-json`",
    ),
    ("system", "write `instructions` at the harness"),
    ("tools", "tools come from the task's servers"),
];

/// Why one of the params can't be sent, if one can't.
pub(super) fn refused_param(params: &BTreeMap<String, Value>) -> Option<String> {
    REFUSED
        .iter()
        .find(|(key, _)| params.contains_key(*key))
        .map(|(key, cure)| format!("`params.{key}` is not sent: {cure}"))
}

/// The body, byte for byte as it is sent. What is unset is left out, never null; the ceiling on the
/// output alone must be there.
pub(super) fn body(model: &str, request: &ChatRequest) -> Vec<u8> {
    let mut body = Map::new();
    body.insert("model".to_owned(), json!(model));
    body.insert("max_tokens".to_owned(), json!(DEFAULT_MAX_OUTPUT_TOKENS));
    if let Some(system) = request.system.as_ref().filter(|text| !is_blank(text)) {
        body.insert("system".to_owned(), json!(system));
    }
    body.insert("messages".to_owned(), Value::Array(messages(request)));
    if !request.tools.is_empty() {
        let tools = request.tools.iter().map(tool).collect();
        body.insert("tools".to_owned(), tools);
    }
    for (key, value) in request.params.iter().filter(|(_, value)| !value.is_null()) {
        let name = match key.as_str() {
            "max_output_tokens" => "max_tokens",
            key => key,
        };
        body.insert(name.to_owned(), value.clone());
    }
    Value::Object(body).to_string().into_bytes()
}

/// Turns of the two sides. Whatever follows a reply up to the next one is one message of the user:
/// the results of all its calls first, as the API asks, since nothing else comes between.
fn messages(request: &ChatRequest) -> Vec<Value> {
    let mut turns: Vec<(&str, Vec<Value>)> = Vec::new();
    for message in &request.messages {
        let (role, blocks) = match message {
            Message::User(text) => ("user", vec![text_block(text)]),
            Message::Assistant { text, calls, own } => {
                ("assistant", said(text, calls, own.as_ref()))
            }
            Message::ToolResult {
                call_id,
                text,
                is_error,
            } => ("user", vec![result(call_id, text, *is_error)]),
        };
        match turns.last_mut() {
            Some((last, held)) if *last == role => held.extend(blocks),
            // The API refuses an empty message, and an empty reply says nothing anyway.
            _ if blocks.is_empty() => {}
            _ => turns.push((role, blocks)),
        }
    }
    turns
        .into_iter()
        .map(|(role, content)| json!({"role": role, "content": content}))
        .collect()
}

/// The blocks of a reply: its own, in their order and unchanged, or those made of text and calls.
fn said(text: &str, calls: &[ToolCallRequest], own: Option<&Value>) -> Vec<Value> {
    let Some(Value::Array(own)) = own else {
        let text = (!is_blank(text)).then(|| text_block(text));
        return text.into_iter().chain(calls.iter().map(call)).collect();
    };
    let mut calls = calls.iter();
    own.iter()
        .filter_map(|block| match block["type"].as_str() {
            // Ids may have been made unique. A call that nobody answers is left out.
            Some("tool_use") => calls.next().map(|call| with_id(block, call)),
            // The API writes such blocks at times, and refuses them.
            Some("text") if block["text"].as_str().is_some_and(is_blank) => None,
            _ => Some(block.clone()),
        })
        .collect()
}

fn with_id(block: &Value, call: &ToolCallRequest) -> Value {
    let mut block = block.clone();
    block["id"] = json!(call.id);
    if !block["input"].is_object() {
        // Arguments that are no JSON object, which the result of the call quotes.
        block["input"] = json!({});
    }
    block
}

fn is_blank(text: &str) -> bool {
    text.trim().is_empty()
}

fn text_block(text: &str) -> Value {
    json!({"type": "text", "text": text})
}

fn result(call_id: &str, text: &str, is_error: bool) -> Value {
    let mut block = json!({"type": "tool_result", "tool_use_id": call_id, "content": text});
    if is_error {
        block["is_error"] = json!(true);
    }
    block
}

fn call(call: &ToolCallRequest) -> Value {
    let input = match &call.arguments {
        Arguments::Json(value @ Value::Object(_)) => value.clone(),
        Arguments::Json(_) | Arguments::Malformed(_) => json!({}),
    };
    json!({"type": "tool_use", "id": call.id, "name": wire_safe(&call.name), "input": input})
}

fn tool(tool: &ToolSpec) -> Value {
    json!({
        "name": tool.name,
        "description": tool.description,
        "input_schema": tool.input_schema,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(request: &ChatRequest) -> Value {
        serde_json::from_slice(&body("m-1", request)).unwrap()
    }

    fn asked(id: &str) -> ToolCallRequest {
        ToolCallRequest {
            id: id.to_owned(),
            name: "echo".to_owned(),
            arguments: Arguments::Json(json!({"n": 1})),
        }
    }

    fn reply(calls: Vec<ToolCallRequest>, own: Option<Value>) -> Message {
        Message::Assistant {
            text: String::new(),
            calls,
            own,
        }
    }

    #[test]
    fn the_system_prompt_stands_apart_and_a_ceiling_is_always_sent() {
        let bare = written(&ChatRequest::default());
        assert_eq!(
            bare,
            json!({"model": "m-1", "max_tokens": 4096, "messages": []})
        );
        let request = ChatRequest {
            system: Some("be brief".to_owned()),
            messages: vec![Message::User("hi".to_owned())],
            params: BTreeMap::from([
                ("max_output_tokens".to_owned(), json!(7)),
                ("temperature".to_owned(), Value::Null),
                ("stream".to_owned(), json!(true)),
            ]),
            ..ChatRequest::default()
        };
        let content = json!([{"type": "text", "text": "hi"}]);
        assert_eq!(
            written(&request),
            json!({
                "model": "m-1",
                "max_tokens": 7,
                "system": "be brief",
                "messages": [{"role": "user", "content": content}],
                "stream": true,
            })
        );
    }

    #[test]
    fn results_of_a_turn_are_one_message_and_come_before_other_words() {
        let result = |id: &str, is_error| Message::ToolResult {
            call_id: id.to_owned(),
            text: "r".to_owned(),
            is_error,
        };
        let request = ChatRequest {
            messages: vec![
                Message::User("go".to_owned()),
                reply(vec![asked("a"), asked("b")], None),
                result("a", false),
                result("b", true),
                Message::User("check".to_owned()),
            ],
            ..ChatRequest::default()
        };
        let messages = written(&request)["messages"].clone();
        assert_eq!(messages.as_array().unwrap().len(), 3);
        assert_eq!(
            messages[2]["content"],
            json!([
                {"type": "tool_result", "tool_use_id": "a", "content": "r"},
                {"type": "tool_result", "tool_use_id": "b", "content": "r", "is_error": true},
                {"type": "text", "text": "check"},
            ])
        );
    }

    #[test]
    fn own_blocks_go_back_unchanged_but_for_what_the_api_would_refuse() {
        let own = json!([
            {"type": "thinking", "thinking": "", "signature": "s"},
            {"type": "text", "text": ""},
            {"type": "tool_use", "id": "same", "name": "echo", "input": {"n": 1}, "caller": "x"},
            {"type": "tool_use", "id": "same", "name": "echo", "input": "{\"n\":"},
            {"type": "tool_use", "id": "unanswered", "name": "echo", "input": {}},
        ]);
        let calls = vec![asked("same"), asked("call_2")];
        let request = ChatRequest {
            messages: vec![reply(calls, Some(own.clone()))],
            ..ChatRequest::default()
        };
        assert_eq!(
            written(&request)["messages"][0]["content"],
            json!([
                own[0],
                own[2],
                {"type": "tool_use", "id": "call_2", "name": "echo", "input": {}},
            ])
        );
    }

    #[test]
    fn an_empty_reply_is_left_out_and_its_neighbours_are_one_message() {
        let request = ChatRequest {
            messages: vec![
                Message::User("go".to_owned()),
                reply(Vec::new(), Some(json!([]))),
                Message::User("check".to_owned()),
            ],
            ..ChatRequest::default()
        };
        let messages = written(&request)["messages"].clone();
        assert_eq!(messages.as_array().unwrap().len(), 1);
        assert_eq!(messages[0]["content"].as_array().unwrap().len(), 2);
    }

    #[test]
    fn a_call_without_blocks_goes_back_under_a_legal_name_with_an_object() {
        let made_up = ToolCallRequest {
            id: "c".to_owned(),
            name: "desk.no such".to_owned(),
            arguments: Arguments::Malformed("{".to_owned()),
        };
        let back = json!({"type": "tool_use", "id": "c", "name": "desk_no_such", "input": {}});
        assert_eq!(call(&made_up), back);
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
