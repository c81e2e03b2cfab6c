//! A streamed message, put together again from its events
//! (<https://platform.claude.com/docs/en/build-with-claude/streaming>).
//!
//! Blocks are kept whole, fields that nobody here knows among them. Usage comes with the first event
//! and is written over, key by key, by the last ones. The message has come to its end with
//! `message_stop`, or once its stop reason was given.

use super::usage::write_over;
use crate::provider::http::Stream;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// What has come so far.
#[derive(Default)]
pub(super) struct Events {
    message: Value,
    blocks: BTreeMap<u64, Block>,
    has_begun: bool,
    is_over: bool,
}

/// A block under way, with the text of its input where that comes in pieces.
struct Block {
    value: Value,
    input: Option<String>,
}

impl Stream for Events {
    fn take(&mut self, event: &Value) -> Result<(), String> {
        match event["type"].as_str() {
            Some("message_start") => {
                self.has_begun = true;
                self.message.clone_from(&event["message"]);
            }
            Some("content_block_start") => self.start(event),
            Some("content_block_delta") => self.delta(event)?,
            Some("message_delta") => self.close(event),
            Some("message_stop") => self.is_over = true,
            // `ping`, the end of a block, and what is yet to be invented.
            _ => {}
        }
        Ok(())
    }

    fn has_begun(&self) -> bool {
        self.has_begun
    }

    fn is_over(&self) -> bool {
        self.is_over
    }

    fn whole(&self) -> Option<Value> {
        let mut message = self.message.as_object()?.clone();
        let has_ended = self.is_over || message.get("stop_reason").is_some_and(Value::is_string);
        let blocks = self.blocks.values().map(Block::whole).collect();
        message.insert("content".to_owned(), Value::Array(blocks));
        has_ended.then_some(Value::Object(message))
    }
}

impl Events {
    fn start(&mut self, event: &Value) {
        self.has_begun = true;
        let block = Block {
            value: event["content_block"].clone(),
            input: None,
        };
        self.blocks.insert(index(event), block);
    }

    fn delta(&mut self, event: &Value) -> Result<(), String> {
        let at = index(event);
        let Some(block) = self.blocks.get_mut(&at) else {
            return Err(format!("a part of block {at}, which was not begun"));
        };
        let delta = &event["delta"];
        match delta["type"].as_str() {
            Some("text_delta") => append(&mut block.value, "text", &delta["text"]),
            Some("thinking_delta") => append(&mut block.value, "thinking", &delta["thinking"]),
            Some("signature_delta") => append(&mut block.value, "signature", &delta["signature"]),
            Some("input_json_delta") => {
                let piece = delta["partial_json"].as_str().unwrap_or_default();
                block.input.get_or_insert_default().push_str(piece);
            }
            Some("citations_delta") => {
                let citation = delta["citation"].clone();
                match &mut block.value["citations"] {
                    Value::Array(citations) => citations.push(citation),
                    none => *none = json!([citation]),
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn close(&mut self, event: &Value) {
        write_over(&mut self.message, &event["delta"]);
        write_over(&mut self.message["usage"], &event["usage"]);
    }
}

fn index(event: &Value) -> u64 {
    event["index"].as_u64().unwrap_or(0)
}

/// Adds a piece to a text of a block.
fn append(block: &mut Value, key: &str, piece: &Value) {
    let mut text = block[key].as_str().unwrap_or_default().to_owned();
    text.push_str(piece.as_str().unwrap_or_default());
    if block.is_object() {
        block[key] = Value::String(text);
    }
}

impl Block {
    fn whole(&self) -> Value {
        let mut block = self.value.clone();
        if let Some(text) = self.input.as_ref().filter(|text| !text.trim().is_empty())
            && block.is_object()
        {
            // What is no JSON stays as it was written, so that nobody runs it.
            let read = serde_json::from_str(text).unwrap_or_else(|_| json!(text));
            block["input"] = read;
        }
        block
    }
}

#[cfg(test)]
mod tests;
