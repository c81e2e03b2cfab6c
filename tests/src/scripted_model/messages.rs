//! The Messages protocol of the scripted model.

use super::{Answer, TOKENS, event};
use serde_json::{Value, json};
use std::io::{self, Write as _};
use std::net::TcpStream;

/// Answers with text or a call.
pub(super) fn answer(stream: &mut TcpStream, answer: &Answer<'_>, block: &Value) -> io::Result<()> {
    begin(stream, answer)?;
    tell(stream, 0, block)?;
    end(stream, block)
}

pub(super) fn text(text: &str) -> Value {
    json!({"type": "text", "text": text})
}

pub(super) fn call(answer: &Answer<'_>, name: &str, input: &Value) -> Value {
    let id = format!("toolu_{}", answer.number);
    json!({"type": "tool_use", "id": id, "name": name, "input": input})
}

/// How many answers a conversation has heard.
pub(super) fn answers(body: &Value) -> usize {
    let messages = body["messages"].as_array().into_iter().flatten();
    let answers = messages.filter(|message| message["role"] == "assistant");
    answers.count()
}

pub(super) fn begin(stream: &mut TcpStream, answer: &Answer<'_>) -> io::Result<()> {
    super::head(stream)?;
    let (input, written, read, _) = TOKENS;
    let usage = json!({
        "input_tokens": input,
        "cache_creation_input_tokens": written,
        "cache_read_input_tokens": read,
        "output_tokens": 1,
    });
    let message = json!({
        "id": format!("msg_{}", answer.number), "type": "message", "role": "assistant", "model": answer.model, "content": [],
        "stop_reason": null, "stop_sequence": null, "usage": usage,
    });
    event(
        stream,
        &json!({"type": "message_start", "message": message}),
    )
}

/// One block, its text or its arguments in two pieces.
fn tell(stream: &mut TcpStream, index: usize, block: &Value) -> io::Result<()> {
    let mut start = block.clone();
    let (whole, kind, key) = if block["type"] == "text" {
        start["text"] = json!("");
        let text = block["text"].as_str().unwrap_or_default().to_owned();
        (text, "text_delta", "text")
    } else {
        start["input"] = json!({});
        (
            block["input"].to_string(),
            "input_json_delta",
            "partial_json",
        )
    };
    event(
        stream,
        &json!({"type": "content_block_start", "index": index, "content_block": start}),
    )?;
    let middle = whole.floor_char_boundary(whole.len() / 2);
    for piece in [&whole[..middle], &whole[middle..]] {
        let delta = json!({"type": kind, key: piece});
        event(
            stream,
            &json!({"type": "content_block_delta", "index": index, "delta": delta}),
        )?;
    }
    event(
        stream,
        &json!({"type": "content_block_stop", "index": index}),
    )
}

fn end(stream: &mut TcpStream, block: &Value) -> io::Result<()> {
    let reason = match block["type"] == "text" {
        true => "end_turn",
        false => "tool_use",
    };
    let delta = json!({"stop_reason": reason, "stop_sequence": null});
    let usage = json!({"output_tokens": TOKENS.3});
    event(
        stream,
        &json!({"type": "message_delta", "delta": delta, "usage": usage}),
    )?;
    event(stream, &json!({"type": "message_stop"}))?;
    stream.write_all(b"0\r\n\r\n")
}
