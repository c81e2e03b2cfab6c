//! The Responses protocol of the scripted model.

use super::{Answer, TOKENS, event};
use serde_json::{Value, json};
use std::io::{self, Write as _};
use std::net::TcpStream;

/// Answers with a message or a call.
pub(super) fn answer(stream: &mut TcpStream, answer: &Answer<'_>, item: &Value) -> io::Result<()> {
    begin(stream, answer)?;
    let of = |kind: &str| json!({"type": kind, "output_index": 0, "item": item});
    event(stream, &of("response.output_item.added"))?;
    if let Some(text) = item["content"][0]["text"].as_str() {
        let middle = text.floor_char_boundary(text.len() / 2);
        for piece in [&text[..middle], &text[middle..]] {
            let delta = json!({
                "type": "response.output_text.delta", "item_id": "item", "output_index": 0,
                "content_index": 0, "delta": piece,
            });
            event(stream, &delta)?;
        }
    }
    event(stream, &of("response.output_item.done"))?;
    let (input, written, read, output) = TOKENS;
    let mut response = response(answer, "completed");
    response["output"] = json!([item]);
    // Cached tokens are among the input, and reasoning is among the output.
    response["usage"] = json!({
        "input_tokens": input + written + read,
        "input_tokens_details": {"cached_tokens": read},
        "output_tokens": output,
        "output_tokens_details": {"reasoning_tokens": 5},
        "total_tokens": input + written + read + output,
    });
    event(
        stream,
        &json!({"type": "response.completed", "response": response}),
    )?;
    stream.write_all(b"0\r\n\r\n")
}

pub(super) fn text(text: &str) -> Value {
    json!({
        "type": "message", "id": "item", "role": "assistant", "status": "completed",
        "content": [{"type": "output_text", "text": text, "annotations": []}],
    })
}

/// A call by the name that the request offers it under: `namespace__name` for a tool of one.
pub(super) fn call(answer: &Answer<'_>, (body, name): (&Value, &str), input: &Value) -> Value {
    let mut call = json!({
        "type": "function_call", "id": "item", "call_id": format!("call_{}", answer.number),
        "name": name, "arguments": input.to_string(), "status": "completed",
    });
    let tools = body["tools"].as_array().into_iter().flatten();
    let namespaces = tools.filter(|tool| tool["type"] == "namespace");
    for namespace in namespaces.filter_map(|tool| tool["name"].as_str()) {
        if let Some(own) = name.strip_prefix(&format!("{namespace}__")) {
            call["namespace"] = json!(namespace);
            call["name"] = json!(own);
        }
    }
    call
}

/// How many answers a conversation has heard: each of them is one item.
pub(super) fn answers(body: &Value) -> usize {
    let items = body["input"].as_array().into_iter().flatten();
    let answers =
        items.filter(|item| item["type"] == "function_call" || item["role"] == "assistant");
    answers.count()
}

pub(super) fn begin(stream: &mut TcpStream, answer: &Answer<'_>) -> io::Result<()> {
    super::head(stream)?;
    event(
        stream,
        &json!({"type": "response.created", "response": response(answer, "in_progress")}),
    )
}

fn response(answer: &Answer<'_>, status: &str) -> Value {
    json!({
        "id": format!("resp_{}", answer.number), "object": "response", "model": answer.model,
        "status": status, "output": [], "usage": null,
    })
}
