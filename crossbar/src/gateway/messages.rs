//! The Messages protocol of Anthropic: `POST /v1/messages`, answered by server-sent events or by
//! one JSON object. <https://platform.claude.com/docs/en/build-with-claude/streaming>

use super::protocol::{Answer, Asked, Protocol, Told};
use crate::domain::Usage;
use crate::provider::SseDecoder;
use serde_json::{Value, json};

pub(super) const PROTOCOL: Protocol = Protocol {
    provider: "claude-cli",
    metered: &["/v1/messages"],
    free: &["/v1/messages/count_tokens"],
    asked,
    answer: |content_type| {
        if content_type.starts_with("text/event-stream") {
            Box::new(Stream::default())
        } else {
            Box::new(Whole::default())
        }
    },
    error: |message| {
        json!({"type": "error", "error": {"type": "api_error", "message": message}}).to_string()
    },
};

fn asked(body: &[u8]) -> Asked {
    let json: Value = serde_json::from_slice(body).unwrap_or_default();
    Asked {
        model: json["model"].as_str().map(str::to_owned),
        max_output: json["max_tokens"].as_u64(),
    }
}

/// An answer that comes as events.
#[derive(Default)]
struct Stream {
    decoder: SseDecoder,
    told: Told,
}

impl Answer for Stream {
    fn feed(&mut self, piece: &[u8]) {
        for event in self.decoder.feed(piece) {
            if let Ok(event) = serde_json::from_str(&event.data) {
                heard(&event, &mut self.told);
            }
        }
    }

    /// The end of a stream is an event; that of its bytes says nothing.
    fn end(&mut self) {}

    fn told(&self) -> &Told {
        &self.told
    }
}

fn heard(event: &Value, told: &mut Told) {
    match event["type"].as_str().unwrap_or_default() {
        "message_start" => begun(&event["message"], told),
        "content_block_start" => called(&event["content_block"], told),
        "message_delta" => {
            if let Some(usage) = &mut told.usage {
                count(&event["usage"], usage);
            }
        }
        "message_stop" => told.is_complete = told.usage.is_some(),
        _ => {}
    }
}

fn begun(message: &Value, told: &mut Told) {
    told.message = message["id"].as_str().map(str::to_owned);
    told.model = message["model"].as_str().map(str::to_owned);
    if message["usage"]["input_tokens"].is_u64() {
        let mut usage = Usage::default();
        count(&message["usage"], &mut usage);
        told.usage = Some(usage);
    }
}

fn called(block: &Value, told: &mut Told) {
    if block["type"] == "tool_use" {
        let name = block["name"].as_str().unwrap_or_default();
        told.calls.push(name.to_owned());
    }
}

/// Takes over what is named. Each figure is a sum from the beginning of the answer on, and a later
/// event repeats only some; cache writes whose kind is not told are those of five minutes.
fn count(given: &Value, usage: &mut Usage) {
    let number = |value: &Value| value.as_u64();
    let set = |slot: &mut u64, value: Option<u64>| *slot = value.unwrap_or(*slot);
    set(&mut usage.input_uncached, number(&given["input_tokens"]));
    set(
        &mut usage.cache_read,
        number(&given["cache_read_input_tokens"]),
    );
    set(&mut usage.output, number(&given["output_tokens"]));
    let hour = number(&given["cache_creation"]["ephemeral_1h_input_tokens"]);
    set(&mut usage.cache_write_1h, hour);
    let written = number(&given["cache_creation_input_tokens"]);
    let written = written.map(|all| all.saturating_sub(usage.cache_write_1h));
    set(&mut usage.cache_write_5m, written);
}

/// An answer that is one JSON object.
#[derive(Default)]
struct Whole {
    body: Vec<u8>,
    told: Told,
}

impl Answer for Whole {
    fn feed(&mut self, piece: &[u8]) {
        self.body.extend_from_slice(piece);
    }

    fn end(&mut self) {
        let message: Value = serde_json::from_slice(&self.body).unwrap_or_default();
        begun(&message, &mut self.told);
        for block in message["content"].as_array().into_iter().flatten() {
            called(block, &mut self.told);
        }
        self.told.is_complete = self.told.usage.is_some();
    }

    fn told(&self) -> &Told {
        &self.told
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: &str = r#"event: message_start
data: {"type":"message_start","message":{"id":"msg_1","model":"m-1","usage":{"input_tokens":10,"cache_read_input_tokens":300,"cache_creation_input_tokens":70,"cache_creation":{"ephemeral_5m_input_tokens":20,"ephemeral_1h_input_tokens":50},"output_tokens":1}}}

"#;
    const CALL: &str = r#"data: {"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"t","name":"mcp__a__b","input":{}}}

"#;
    const END: &str = r#"data: {"type":"message_delta","delta":{"stop_reason":"tool_use"},"usage":{"output_tokens":40}}

data: {"type":"message_stop"}

"#;

    fn usage(output: u64) -> Usage {
        Usage {
            input_uncached: 10,
            cache_read: 300,
            cache_write_5m: 20,
            cache_write_1h: 50,
            output,
        }
    }

    fn read(content_type: &str, pieces: &[&str]) -> Told {
        let mut answer = (PROTOCOL.answer)(content_type);
        for piece in pieces {
            answer.feed(piece.as_bytes());
        }
        answer.end();
        answer.told().clone()
    }

    #[test]
    fn a_stream_tells_its_tokens_in_disjoint_buckets() {
        let told = read("text/event-stream; charset=utf-8", &[START, CALL, END]);
        assert_eq!(told.usage, Some(usage(40)));
        assert_eq!(told.message.as_deref(), Some("msg_1"));
        assert_eq!(told.model.as_deref(), Some("m-1"));
        assert_eq!(told.calls, ["mcp__a__b"]);
        assert!(told.is_complete);
    }

    #[test]
    fn a_stream_that_is_cut_has_told_its_input_and_is_not_complete() {
        let told = read("text/event-stream", &[START, &CALL[..40]]);
        assert_eq!(told.usage, Some(usage(1)));
        assert_eq!((told.calls.len(), told.is_complete), (0, false));
        let nothing = read(
            "text/event-stream",
            &["data: {\"type\":\"message_stop\"}\n\n"],
        );
        assert_eq!((nothing.usage, nothing.is_complete), (None, false));
    }

    #[test]
    fn an_object_tells_the_same() {
        let body = r#"{"id":"msg_2","model":"m-2","content":[{"type":"text","text":"x"},{"type":"tool_use","name":"t"}],"usage":{"input_tokens":4,"output_tokens":2}}"#;
        let told = read("application/json", &[&body[..30], &body[30..]]);
        assert_eq!(told.usage.map(|usage| usage.budgeted()), Some(6));
        assert_eq!((told.calls.len(), told.is_complete), (1, true));
        assert_eq!(read("application/json", &["{\"error\":1}"]).usage, None);
    }

    #[test]
    fn a_request_names_its_model_and_its_ceiling() {
        let read = asked(br#"{"model":"m","max_tokens":32000}"#);
        assert_eq!(
            (read.model.as_deref(), read.max_output),
            (Some("m"), Some(32000))
        );
        assert_eq!(asked(b"no json"), Asked::default());
    }
}
