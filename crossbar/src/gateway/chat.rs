//! The chat completions protocol: `POST /v1/chat/completions`, answered by server-sent events or by one
//! JSON object. <https://platform.openai.com/docs/api-reference/chat-streaming>

use super::answer::{self, Heard};
use super::protocol::{Asked, Protocol, Told};
use crate::provider::chat_usage;
use serde_json::{Value, json};

pub(super) const PROTOCOL: Protocol = Protocol {
    provider: "opencode-cli",
    metered: &["/v1/chat/completions"],
    free: &[],
    ceiling: Some("max_tokens"),
    asked,
    answer: answer::reader::<Reader>,
    error: |message| {
        json!({"error": {"message": message, "type": "api_error", "code": null}}).to_string()
    },
};

/// Without it a stream tells no tokens.
const COUNTED: (&str, &str) = ("stream_options", r#"{"include_usage":true}"#);

fn asked(body: &[u8]) -> Asked {
    let json: Value = serde_json::from_slice(body).unwrap_or_default();
    let ceilings = ["max_completion_tokens", "max_tokens"];
    let tells = json["stream"] != true || json["stream_options"]["include_usage"] == true;
    Asked {
        model: json["model"].as_str().map(str::to_owned),
        max_output: ceilings.iter().find_map(|key| json[key].as_u64()),
        tools: tools(&json),
        lacks: (!tells).then_some(COUNTED),
    }
}

fn tools(request: &Value) -> Vec<String> {
    let tools = request["tools"].as_array().into_iter().flatten();
    tools.map(|tool| name(&tool["function"])).collect()
}

fn name(function: &Value) -> String {
    function["name"].as_str().unwrap_or_default().to_owned()
}

/// What an answer has told.
#[derive(Default)]
struct Reader {
    told: Told,
    /// The calls that it has begun, by what tells them apart.
    begun: Vec<(Option<u64>, String)>,
    has_finished: bool,
}

impl Heard for Reader {
    fn event(&mut self, chunk: &Value) {
        self.named(chunk);
        for choice in chunk["choices"].as_array().into_iter().flatten() {
            self.choice(choice, &choice["delta"]);
        }
    }

    /// An answer whose tokens nobody knows did not come whole.
    fn done(&mut self) {
        self.told.is_complete = self.has_finished && self.told.usage.is_some();
    }

    fn whole(&mut self, completion: &Value) {
        self.named(completion);
        let choice = &completion["choices"][0];
        self.choice(choice, &choice["message"]);
        self.done();
    }

    fn told(&self) -> &Told {
        &self.told
    }
}

impl Reader {
    /// What stands in every chunk, or in some. Tokens may be told again and again: the last ones count.
    fn named(&mut self, chunk: &Value) {
        let text = |key: &str| chunk[key].as_str().map(str::to_owned);
        self.told.message = text("id").or(self.told.message.take());
        self.told.model = text("model").or(self.told.model.take());
        self.told.usage = chat_usage(&chunk["usage"]).or(self.told.usage);
    }

    /// There is one choice unless a program asks for more, and then the first one is its answer.
    fn choice(&mut self, choice: &Value, said: &Value) {
        if choice["index"].as_u64().unwrap_or_default() != 0 {
            return;
        }
        for call in said["tool_calls"].as_array().into_iter().flatten() {
            self.call(call);
        }
        self.has_finished |= choice["finish_reason"].is_string();
    }

    /// A call is counted where it begins, before its program can have it whole. Calls are told apart
    /// by index; where a server gives each the same one, or none, a new id begins a new call.
    fn call(&mut self, call: &Value) {
        let index = call["index"].as_u64();
        let id = call["id"].as_str().unwrap_or_default();
        let goes_on = |(at, known): &(Option<u64>, String)| {
            let same_id = id.is_empty() || known.is_empty() || known == id;
            same_id && (index.is_none() || *at == index)
        };
        let last = self.begun.len().checked_sub(1);
        let found = match index {
            Some(_) => self.begun.iter().rposition(goes_on),
            None => last.filter(|at| goes_on(&self.begun[*at])),
        };
        if found.is_none() {
            self.begun.push((index, id.to_owned()));
            self.told.calls.push(name(&call["function"]));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chunk(delta: &Value, finish: &Value) -> String {
        let choice = json!({"index": 0, "delta": delta, "finish_reason": finish});
        format!(
            "data: {}\n\n",
            json!({"id": "chatcmpl-1", "model": "m-1", "choices": [choice]})
        )
    }

    fn call(index: u64, id: &str, name: &str) -> String {
        let call = json!({"index": index, "id": id, "function": {"name": name, "arguments": ""}});
        chunk(&json!({"tool_calls": [call]}), &Value::Null)
    }

    fn arguments(index: u64) -> String {
        let call = json!({"index": index, "function": {"arguments": "{}"}});
        chunk(&json!({"tool_calls": [call]}), &Value::Null)
    }

    fn usage() -> String {
        let usage = json!({
            "prompt_tokens": 1500, "prompt_tokens_details": {"cached_tokens": 300},
            "completion_tokens": 40, "completion_tokens_details": {"reasoning_tokens": 30},
            "total_tokens": 1540,
        });
        format!(
            "data: {}\n\n",
            json!({"id": "chatcmpl-1", "choices": [], "usage": usage})
        )
    }

    const DONE: &str = "data: [DONE]\n\n";

    fn read(content_type: &str, pieces: &[&str]) -> Told {
        let mut answer = (PROTOCOL.answer)(content_type);
        for piece in pieces {
            answer.feed(piece.as_bytes());
        }
        answer.end();
        answer.told().clone()
    }

    fn streamed(pieces: &[String]) -> Told {
        let pieces: Vec<&str> = pieces.iter().map(String::as_str).collect();
        read("text/event-stream; charset=utf-8", &pieces)
    }

    fn finished() -> String {
        chunk(&json!({}), &json!("tool_calls"))
    }

    #[test]
    fn a_stream_tells_its_tokens_in_disjoint_buckets_and_each_call_once() {
        let told = streamed(&[
            call(0, "a", "desk_get"),
            arguments(0),
            call(1, "b", "desk_put"),
            // Some servers give every call the same index.
            call(1, "c", "desk_get"),
            finished(),
            usage(),
            DONE.to_owned(),
        ]);
        let usage = told.usage.unwrap_or_default();
        let buckets = (usage.input_uncached, usage.cache_read, usage.output);
        assert_eq!(buckets, (1200, 300, 40));
        assert_eq!(told.message.as_deref(), Some("chatcmpl-1"));
        assert_eq!(told.model.as_deref(), Some("m-1"));
        assert_eq!(told.calls, ["desk_get", "desk_put", "desk_get"]);
        assert!(told.is_complete);
    }

    #[test]
    fn a_stream_came_whole_with_a_reason_its_tokens_and_its_end() {
        let done = DONE.to_owned();
        let parts = [finished(), usage(), done];
        for missing in 0..parts.len() {
            let mut parts = parts.to_vec();
            parts.remove(missing);
            assert!(!streamed(&parts).is_complete, "{missing}");
        }
        assert!(streamed(&parts).is_complete);
        let cut = streamed(&[call(0, "a", "t")]);
        assert_eq!((cut.usage, cut.calls.len()), (None, 1));
    }

    #[test]
    fn an_object_tells_the_same() {
        let calls = json!([{"id": "a", "function": {"name": "t", "arguments": "{}"}}]);
        let body = |finish: Value| {
            let choice = json!({
                "index": 0, "message": {"content": null, "tool_calls": calls},
                "finish_reason": finish,
            });
            let usage = json!({"prompt_tokens": 4, "completion_tokens": 2});
            json!({"id": "c", "model": "m", "choices": [choice], "usage": usage}).to_string()
        };
        let whole = body(json!("tool_calls"));
        let told = read("application/json", &[&whole[..30], &whole[30..]]);
        assert_eq!(told.usage.map(|usage| usage.budgeted()), Some(6));
        assert_eq!((told.calls, told.is_complete), (vec!["t".to_owned()], true));
        assert!(!read("application/json", &[&body(Value::Null)]).is_complete);
        assert_eq!(read("application/json", &["{\"error\":1}"]).usage, None);
    }

    #[test]
    fn a_request_names_its_model_its_tools_and_its_ceiling() {
        let tools = json!([{"type": "function", "function": {"name": "desk_get"}}]);
        let body = json!({"model": "m", "max_tokens": 900, "tools": tools});
        let read = asked(body.to_string().as_bytes());
        assert_eq!(read.tools, ["desk_get"]);
        assert_eq!(
            (read.model.as_deref(), read.max_output),
            (Some("m"), Some(900))
        );
        let newer = asked(br#"{"max_completion_tokens":7}"#);
        assert_eq!(newer.max_output, Some(7));
        assert_eq!(asked(b"no json"), Asked::default());
    }

    #[test]
    fn a_stream_that_would_not_tell_its_tokens_is_asked_to() {
        for (body, lacks) in [
            (json!({"stream": true}), Some(COUNTED)),
            (
                json!({"stream": true, "stream_options": {"include_usage": false}}),
                Some(COUNTED),
            ),
            (
                json!({"stream": true, "stream_options": {"include_usage": true}}),
                None,
            ),
            (json!({"stream": false}), None),
            (json!({}), None),
        ] {
            assert_eq!(asked(body.to_string().as_bytes()).lacks, lacks, "{body}");
        }
    }
}
