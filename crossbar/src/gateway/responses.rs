//! The Responses protocol of `OpenAI`: `POST /v1/responses`, answered by server-sent events or by one
//! JSON object. <https://platform.openai.com/docs/api-reference/responses-streaming>

use super::answer::{self, Heard};
use super::protocol::{Asked, Protocol, Told};
use crate::provider::responses_usage;
use serde_json::{Value, json};
use std::collections::BTreeSet;

pub(super) const PROTOCOL: Protocol = Protocol {
    provider: "codex-cli",
    metered: &["/v1/responses"],
    free: &[],
    ceiling: Some("max_output_tokens"),
    asked,
    answer: answer::reader::<Reader>,
    error: |message| {
        json!({"error": {"message": message, "type": "api_error", "code": null}}).to_string()
    },
};

fn asked(body: &[u8]) -> Asked {
    let json: Value = serde_json::from_slice(body).unwrap_or_default();
    Asked {
        model: json["model"].as_str().map(str::to_owned),
        max_output: json["max_output_tokens"].as_u64(),
        tools: tools(&json),
        lacks: None,
    }
}

/// Those of a namespace stand inside it.
fn tools(request: &Value) -> Vec<String> {
    let tools = request["tools"].as_array().into_iter().flatten();
    let names = tools.flat_map(|tool| match tool["tools"].as_array() {
        None => vec![name(tool)],
        Some(inner) => {
            let space = name(tool);
            let inner = inner.iter().map(|tool| format!("{space}__{}", name(tool)));
            inner.collect()
        }
    });
    names.collect()
}

/// What an answer has told.
#[derive(Default)]
struct Reader {
    told: Told,
    /// Places in the output whose call is counted.
    counted: BTreeSet<u64>,
}

impl Heard for Reader {
    fn event(&mut self, event: &Value) {
        let response = &event["response"];
        match event["type"].as_str().unwrap_or_default() {
            "response.created" | "response.in_progress" => self.begun(response),
            "response.output_item.added" | "response.output_item.done" => {
                self.item(
                    event["output_index"].as_u64().unwrap_or_default(),
                    &event["item"],
                );
            }
            // What failed or was cut short has not come whole, whatever it counts.
            "response.incomplete" | "response.failed" => self.response(response),
            "response.completed" => self.is_over(response),
            _ => {}
        }
    }

    fn whole(&mut self, response: &Value) {
        match response["status"] == "completed" {
            true => self.is_over(response),
            false => self.response(response),
        }
    }

    fn told(&self) -> &Told {
        &self.told
    }
}

impl Reader {
    fn begun(&mut self, response: &Value) {
        self.told.message = response["id"].as_str().map(str::to_owned);
        self.told.model = response["model"].as_str().map(str::to_owned);
    }

    /// A call is counted where it begins, before its program can have it whole.
    fn item(&mut self, index: u64, item: &Value) {
        let is_call = item["type"]
            .as_str()
            .is_some_and(|kind| kind.ends_with("_call"));
        if is_call && self.counted.insert(index) {
            self.told.calls.push(name(item));
        }
    }

    fn response(&mut self, response: &Value) {
        self.begun(response);
        let output = response["output"].as_array().into_iter().flatten();
        (0..)
            .zip(output)
            .for_each(|(index, item)| self.item(index, item));
        self.told.usage = responses_usage(&response["usage"]);
    }

    /// An answer whose tokens nobody knows did not come whole.
    fn is_over(&mut self, response: &Value) {
        self.response(response);
        self.told.is_complete = self.told.usage.is_some();
    }
}

/// A call's name, that of its namespace before it; the kind of a call that has no name.
fn name(item: &Value) -> String {
    let text = |key: &str| item[key].as_str();
    let name = text("name").or_else(|| text("type")).unwrap_or_default();
    match text("namespace") {
        Some(namespace) => format!("{namespace}__{name}"),
        None => name.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn event(event: &Value) -> String {
        format!("data: {event}\n\n")
    }

    fn begun() -> String {
        let response = json!({"id": "resp_1", "model": "m-1", "usage": null, "output": []});
        event(&json!({"type": "response.created", "response": response}))
    }

    fn call() -> Value {
        json!({"type": "function_call", "name": "get", "namespace": "mcp__desk", "call_id": "c"})
    }

    fn item(kind: &str, index: u64) -> String {
        let kind = format!("response.output_item.{kind}");
        event(&json!({"type": kind, "output_index": index, "item": call()}))
    }

    fn ended(kind: &str, output: &Value) -> String {
        let usage = json!({
            "input_tokens": 1500, "input_tokens_details": {"cached_tokens": 300},
            "output_tokens": 40, "output_tokens_details": {"reasoning_tokens": 30},
        });
        let response = json!({
            "id": "resp_1", "model": "m-1", "status": kind, "usage": usage, "output": output,
        });
        event(&json!({"type": format!("response.{kind}"), "response": response}))
    }

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
        read("text/event-stream", &pieces)
    }

    #[test]
    fn a_stream_tells_its_tokens_in_disjoint_buckets_and_each_call_once() {
        let told = streamed(&[
            begun(),
            item("added", 0),
            item("done", 0),
            // Some endpoints tell of an item only once it is whole, or in the last event alone.
            item("done", 1),
            ended(
                "completed",
                &json!([call(), call(), call(), {"type": "message"}]),
            ),
        ]);
        let usage = told.usage.unwrap_or_default();
        let buckets = (usage.input_uncached, usage.cache_read, usage.output);
        assert_eq!(buckets, (1200, 300, 40));
        assert_eq!(told.message.as_deref(), Some("resp_1"));
        assert_eq!(told.model.as_deref(), Some("m-1"));
        assert_eq!(told.calls, ["mcp__desk__get"; 3]);
        assert!(told.is_complete);
    }

    #[test]
    fn only_a_completed_response_of_known_tokens_came_whole() {
        for kind in ["incomplete", "failed"] {
            let told = streamed(&[begun(), ended(kind, &json!([]))]);
            assert_eq!(
                (told.usage.is_some(), told.is_complete),
                (true, false),
                "{kind}"
            );
        }
        let cut = streamed(&[begun(), item("added", 0)]);
        assert_eq!(
            (cut.usage, cut.calls.len(), cut.is_complete),
            (None, 1, false)
        );
        let unknown = event(&json!({"type": "response.completed", "response": {"id": "r"}}));
        assert!(!streamed(&[begun(), unknown]).is_complete);
    }

    #[test]
    fn an_object_tells_the_same() {
        let body = |status: &str| {
            let output = json!([{"type": "message"}, {"type": "function_call", "name": "t"}]);
            let usage = json!({"input_tokens": 4, "output_tokens": 2});
            json!({"id": "r", "status": status, "output": output, "usage": usage}).to_string()
        };
        let whole = body("completed");
        let told = read("application/json", &[&whole[..30], &whole[30..]]);
        assert_eq!(told.usage.map(|usage| usage.budgeted()), Some(6));
        assert_eq!((told.calls, told.is_complete), (vec!["t".to_owned()], true));
        assert!(!read("application/json", &[&body("incomplete")]).is_complete);
        assert_eq!(read("application/json", &["{\"error\":1}"]).usage, None);
    }

    #[test]
    fn a_request_names_its_model_and_its_ceiling() {
        let tools = json!([
            {"type": "function", "name": "plain"},
            {"type": "tool_search"},
            {"type": "namespace", "name": "mcp__desk", "tools": [{"name": "get"}, {"name": "put"}]},
        ]);
        let body = json!({"model": "m", "max_output_tokens": 900, "tools": tools});
        let read = asked(body.to_string().as_bytes());
        let offered = ["plain", "tool_search", "mcp__desk__get", "mcp__desk__put"];
        assert_eq!(read.tools, offered);
        assert_eq!(
            (read.model.as_deref(), read.max_output),
            (Some("m"), Some(900))
        );
        assert_eq!(asked(b"no json"), Asked::default());
    }
}
