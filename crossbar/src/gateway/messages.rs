//! The Messages protocol of Anthropic: `POST /v1/messages`, answered by server-sent events or by
//! one JSON object. <https://platform.claude.com/docs/en/build-with-claude/streaming>

use super::answer::{self, Heard};
use super::protocol::{Asked, Protocol, Told};
use crate::provider::messages_usage;
use serde_json::{Value, json};

pub(super) const PROTOCOL: Protocol = Protocol {
    provider: "claude-cli",
    metered: &["/v1/messages"],
    free: &["/v1/messages/count_tokens"],
    ceiling: None,
    asked,
    answer: answer::reader::<Reader>,
    error: |message| {
        json!({"type": "error", "error": {"type": "api_error", "message": message}}).to_string()
    },
};

fn asked(body: &[u8]) -> Asked {
    let json: Value = serde_json::from_slice(body).unwrap_or_default();
    Asked {
        model: json["model"].as_str().map(str::to_owned),
        max_output: json["max_tokens"].as_u64(),
        tools: tools(&json),
        lacks: None,
    }
}

fn tools(request: &Value) -> Vec<String> {
    let tools = request["tools"].as_array().into_iter().flatten();
    let names = tools.filter_map(|tool| tool["name"].as_str());
    names.map(str::to_owned).collect()
}

/// What an answer has told, and its tokens as it has counted them.
#[derive(Default)]
struct Reader {
    told: Told,
    counted: Value,
}

impl Heard for Reader {
    fn event(&mut self, event: &Value) {
        match event["type"].as_str().unwrap_or_default() {
            "message_start" => self.begun(&event["message"]),
            "content_block_start" => self.called(&event["content_block"]),
            "message_delta" => self.count(&event["usage"]),
            "message_stop" => self.is_over(),
            _ => {}
        }
    }

    fn whole(&mut self, message: &Value) {
        self.begun(message);
        for block in message["content"].as_array().into_iter().flatten() {
            self.called(block);
        }
        self.is_over();
    }

    fn told(&self) -> &Told {
        &self.told
    }
}

impl Reader {
    fn begun(&mut self, message: &Value) {
        self.told.message = message["id"].as_str().map(str::to_owned);
        self.told.model = message["model"].as_str().map(str::to_owned);
        self.count(&message["usage"]);
    }

    fn called(&mut self, block: &Value) {
        if block["type"] == "tool_use" {
            let name = block["name"].as_str().unwrap_or_default();
            self.told.calls.push(name.to_owned());
        }
    }

    fn count(&mut self, given: &Value) {
        messages_usage::write_over(&mut self.counted, given);
        self.told.usage = messages_usage::usage(&self.counted);
    }

    /// An answer whose tokens nobody knows did not come whole.
    fn is_over(&mut self) {
        self.told.is_complete = self.told.usage.is_some();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::Usage;

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
        // Unknown is not nothing.
        let half = read("application/json", &[r#"{"usage":{"input_tokens":4}}"#]);
        assert_eq!((half.usage, half.is_complete), (None, false));
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
