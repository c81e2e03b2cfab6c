//! The Gemini protocol of the scripted model.

use super::{Answer, TOKENS};
use serde_json::{Value, json};
use std::io::{self, Write as _};
use std::net::TcpStream;

/// Of the tokens of an answer, those that were thoughts.
const THOUGHTS: u64 = 10;

/// The model that a request line asks; `None` for what is no model call.
pub(super) fn model(line: &str) -> Option<&str> {
    let path = line.strip_prefix("POST /v1beta/models/")?;
    let (model, method) = path.split_once(':')?;
    method
        .starts_with("streamGenerateContent?alt=sse ")
        .then_some(model)
}

/// The functions that a request of this protocol offers; `None` for one of another protocol.
pub(super) fn functions(body: &Value) -> Option<Vec<String>> {
    let tools = body["tools"].as_array()?;
    let mut declared = tools
        .iter()
        .filter_map(|tool| tool["functionDeclarations"].as_array())
        .peekable();
    declared.peek()?;
    let names = declared
        .flatten()
        .filter_map(|function| function["name"].as_str());
    Some(names.map(str::to_owned).collect())
}

/// How many answers a conversation has heard.
pub(super) fn answers(body: &Value) -> usize {
    let contents = body["contents"].as_array().into_iter().flatten();
    contents
        .filter(|content| content["role"] == "model")
        .count()
}

pub(super) fn text(text: &str) -> Value {
    json!({"text": text})
}

/// A call by the name that the request offers it under: with single underscores.
pub(super) fn call(offered: &[String], name: &str, input: &Value) -> Value {
    let single = name.replace("__", "_");
    let name = match offered.contains(&single) {
        true => &single,
        false => name,
    };
    json!({"functionCall": {"name": name, "args": input}})
}

/// Answers with text, in two pieces, or a call.
pub(super) fn answer(stream: &mut TcpStream, answer: &Answer<'_>, part: &Value) -> io::Result<()> {
    super::head(stream)?;
    let mut rest = part.clone();
    if let Some(whole) = part["text"].as_str() {
        let middle = whole.floor_char_boundary(whole.len() / 2);
        piece(stream, answer, (&text(&whole[..middle]), None))?;
        rest = text(&whole[middle..]);
    }
    piece(stream, answer, (&rest, Some("STOP")))?;
    stream.write_all(b"0\r\n\r\n")
}

pub(super) fn begin(stream: &mut TcpStream, answer: &Answer<'_>) -> io::Result<()> {
    super::head(stream)?;
    piece(stream, answer, (&text("T-"), None))
}

/// Each piece counts what has been generated so far; cached tokens are among the prompt.
fn piece(
    stream: &mut TcpStream,
    answer: &Answer<'_>,
    (part, end): (&Value, Option<&str>),
) -> io::Result<()> {
    let (input, written, read, output) = TOKENS;
    let prompt = input + written + read;
    let said = match end {
        Some(_) => output - THOUGHTS,
        None => 1,
    };
    let mut candidate = json!({"content": {"role": "model", "parts": [part]}, "index": 0});
    if let Some(end) = end {
        candidate["finishReason"] = json!(end);
    }
    let event = json!({
        "candidates": [candidate],
        "usageMetadata": {
            "promptTokenCount": prompt, "cachedContentTokenCount": read,
            "candidatesTokenCount": said, "thoughtsTokenCount": THOUGHTS,
            "totalTokenCount": prompt + said + THOUGHTS,
        },
        "modelVersion": answer.model, "responseId": format!("resp_{}", answer.number),
    });
    let text = format!("data: {event}\r\n\r\n");
    write!(stream, "{:x}\r\n{text}\r\n", text.len())
}
