//! The Gemini protocol: `POST /v1beta/models/MODEL:streamGenerateContent`, answered by server-sent
//! events or by JSON. <https://ai.google.dev/api/generate-content>

use super::answer::{self, Heard};
use super::protocol::{Asked, Protocol, Told};
use crate::provider::gemini_usage;
use serde_json::{Value, json};

pub(super) const PROTOCOL: Protocol = Protocol {
    provider: "gemini-cli",
    metered: &[
        "/v1beta/models/*:generateContent",
        "/v1beta/models/*:streamGenerateContent",
    ],
    free: &["/v1beta/models/*:countTokens"],
    ceiling: Some("generationConfig.maxOutputTokens"),
    asked,
    answer: answer::reader::<Reader>,
    error: |message| json!({"error": {"message": message, "status": "UNKNOWN"}}).to_string(),
};

/// The path names the model, the body does not.
fn asked(body: &[u8]) -> Asked {
    let json: Value = serde_json::from_slice(body).unwrap_or_default();
    Asked {
        model: None,
        max_output: json["generationConfig"]["maxOutputTokens"].as_u64(),
        tools: tools(&json),
        lacks: None,
    }
}

/// Functions by their names; what the vendor runs by itself, such as a search, by its key.
fn tools(request: &Value) -> Vec<String> {
    let tools = request["tools"].as_array().into_iter().flatten();
    let kinds = tools.filter_map(Value::as_object).flatten();
    let names = kinds.flat_map(|(kind, tool)| match tool.as_array() {
        Some(functions) if kind == "functionDeclarations" => functions.iter().map(name).collect(),
        _ => vec![kind.clone()],
    });
    names.collect()
}

fn name(function: &Value) -> String {
    function["name"].as_str().unwrap_or_default().to_owned()
}

/// What an answer has told.
#[derive(Default)]
struct Reader {
    told: Told,
}

impl Heard for Reader {
    /// Each event is a piece of the answer, with all that has been counted until then.
    fn event(&mut self, piece: &Value) {
        if let Some(id) = piece["responseId"].as_str() {
            self.told.message = Some(id.to_owned());
        }
        if let Some(model) = piece["modelVersion"].as_str() {
            self.told.model = Some(model.to_owned());
        }
        let candidate = &piece["candidates"][0];
        let parts = candidate["content"]["parts"].as_array();
        let calls = parts
            .into_iter()
            .flatten()
            .map(|part| &part["functionCall"]);
        self.told
            .calls
            .extend(calls.filter(|call| call.is_object()).map(name));
        if let Some(usage) = gemini_usage(&piece["usageMetadata"]) {
            self.told.usage = Some(usage);
        }
        // A prompt that is blocked has no candidate. An answer whose tokens nobody knows did not
        // come whole.
        let is_over = candidate["finishReason"].is_string()
            || piece["promptFeedback"]["blockReason"].is_string();
        self.told.is_complete |= is_over && self.told.usage.is_some();
    }

    /// A stream that was not asked for as events comes as an array of the same pieces.
    fn whole(&mut self, answer: &Value) {
        match answer.as_array() {
            Some(pieces) => pieces.iter().for_each(|piece| self.event(piece)),
            None => self.event(answer),
        }
    }

    fn told(&self) -> &Told {
        &self.told
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn piece(parts: &Value, end: &Value, output: u64) -> Value {
        json!({
            "candidates": [{"content": {"role": "model", "parts": parts}, "finishReason": end}],
            "usageMetadata": {
                "promptTokenCount": 1500, "cachedContentTokenCount": 300,
                "candidatesTokenCount": output, "thoughtsTokenCount": 10,
                "totalTokenCount": 1510 + output,
            },
            "modelVersion": "m-1", "responseId": "r-1",
        })
    }

    fn events(pieces: &[Value]) -> String {
        pieces
            .iter()
            .map(|one| format!("data: {one}\r\n\r\n"))
            .collect()
    }

    fn read(content_type: &str, body: &str) -> Told {
        let mut answer = (PROTOCOL.answer)(content_type);
        let (front, back) = body.split_at(body.len() / 2);
        answer.feed(front.as_bytes());
        answer.feed(back.as_bytes());
        answer.end();
        answer.told().clone()
    }

    #[test]
    fn the_last_piece_counts_and_each_call_is_told_once() {
        let calls = json!([{"functionCall": {"name": "a"}}, {"functionCall": {"name": "b"}}]);
        let pieces = [
            piece(&json!([{"text": "x", "thought": true}]), &json!(null), 5),
            piece(&calls, &json!("STOP"), 30),
        ];
        for told in [
            read("text/event-stream", &events(&pieces)),
            read("application/json", &json!(pieces).to_string()),
        ] {
            let counted = told
                .usage
                .map(|u| (u.input_uncached, u.cache_read, u.output));
            assert_eq!(counted, Some((1200, 300, 40)));
            assert_eq!(told.calls, ["a", "b"]);
            assert_eq!(told.message.as_deref(), Some("r-1"));
            assert_eq!(told.model.as_deref(), Some("m-1"));
            assert!(told.is_complete);
        }
    }

    #[test]
    fn only_an_answer_with_a_reason_for_its_end_and_known_tokens_came_whole() {
        let cut = piece(&json!([{"text": "x"}]), &json!(null), 5);
        let told = read("text/event-stream", &events(&[cut]));
        assert_eq!(told.usage.map(|usage| usage.output), Some(15));
        assert!(!told.is_complete);
        let mut uncounted = piece(&json!([{"text": "x"}]), &json!("STOP"), 5);
        uncounted["usageMetadata"] = json!({});
        assert!(!read("application/json", &uncounted.to_string()).is_complete);
        let blocked = json!({
            "promptFeedback": {"blockReason": "SAFETY"},
            "usageMetadata": {"promptTokenCount": 7, "totalTokenCount": 7},
        });
        assert!(read("application/json", &blocked.to_string()).is_complete);
        assert_eq!(read("application/json", "{\"error\":1}").usage, None);
    }

    #[test]
    fn a_request_names_its_tools_and_its_ceiling() {
        let body = json!({
            "tools": [{"functionDeclarations": [{"name": "a"}, {"name": "b"}]}, {"googleSearch": {}}],
            "generationConfig": {"maxOutputTokens": 900},
        });
        let read = asked(body.to_string().as_bytes());
        assert_eq!(read.tools, ["a", "b", "googleSearch"]);
        assert_eq!((read.model, read.max_output), (None, Some(900)));
        assert_eq!(asked(b"no json"), Asked::default());
    }
}
