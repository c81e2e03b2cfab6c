//! The chat completions protocol of the scripted model.

use super::{Answer, TOKENS, event};
use serde_json::{Value, json};
use std::io::{self, Write as _};
use std::net::TcpStream;

/// Answers with what a message says beside its role: text, or a call.
pub(super) fn answer(stream: &mut TcpStream, answer: &Answer<'_>, said: &Value) -> io::Result<()> {
    begin(stream, answer)?;
    let reason = match said["content"].as_str() {
        Some(text) => {
            let middle = text.floor_char_boundary(text.len() / 2);
            for piece in [&text[..middle], &text[middle..]] {
                choice(stream, answer, &json!({"content": piece}), None)?;
            }
            "stop"
        }
        None => {
            choice(stream, answer, said, None)?;
            "tool_calls"
        }
    };
    choice(stream, answer, &json!({}), Some(reason))?;
    let (input, written, read, output) = TOKENS;
    // Cached tokens are among the prompt's, and reasoning is among the completion's.
    let usage = json!({
        "prompt_tokens": input + written + read,
        "prompt_tokens_details": {"cached_tokens": read},
        "completion_tokens": output,
        "completion_tokens_details": {"reasoning_tokens": 5},
        "total_tokens": input + written + read + output,
    });
    let mut last = chunk(answer, &json!([]));
    last["usage"] = usage;
    event(stream, &last)?;
    let done = "data: [DONE]\n\n";
    write!(stream, "{:x}\r\n{done}\r\n0\r\n\r\n", done.len())
}

pub(super) fn text(text: &str) -> Value {
    json!({"content": text})
}

pub(super) fn call(answer: &Answer<'_>, name: &str, input: &Value) -> Value {
    let function = json!({"name": name, "arguments": input.to_string()});
    let id = format!("call_{}", answer.number);
    json!({"tool_calls": [{"index": 0, "id": id, "type": "function", "function": function}]})
}

/// How many answers a conversation has heard since somebody last spoke.
pub(super) fn answers(body: &Value) -> usize {
    let messages = body["messages"].as_array().into_iter().flatten();
    let since = messages
        .rev()
        .take_while(|message| message["role"] != "user");
    since
        .filter(|message| message["role"] == "assistant")
        .count()
}

pub(super) fn begin(stream: &mut TcpStream, answer: &Answer<'_>) -> io::Result<()> {
    super::head(stream)?;
    choice(
        stream,
        answer,
        &json!({"role": "assistant", "content": ""}),
        None,
    )
}

fn choice(
    stream: &mut TcpStream,
    answer: &Answer<'_>,
    delta: &Value,
    reason: Option<&str>,
) -> io::Result<()> {
    let choice = json!({"index": 0, "delta": delta, "finish_reason": reason});
    event(stream, &chunk(answer, &json!([choice])))
}

fn chunk(answer: &Answer<'_>, choices: &Value) -> Value {
    json!({
        "id": format!("chatcmpl-{}", answer.number), "object": "chat.completion.chunk",
        "created": 1, "model": answer.model, "choices": choices,
    })
}
