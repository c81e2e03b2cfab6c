//! From the JSON of an answer to a reply.

use super::think::without_thoughts;
use super::usage::usage;
use crate::domain::{Arguments, CutShort};
use crate::provider::{ChatReply, ProviderError, ProviderErrorKind, ToolCallRequest};
use crate::wire::excerpt;
use serde_json::{Value, json};

/// Reads an answer that came whole, or that was put together from its parts.
pub(super) fn read(json: &Value) -> Result<ChatReply, ProviderError> {
    match json["choices"].get(0) {
        Some(choice) if choice["message"].is_object() => Ok(reply(json, choice)),
        _ => {
            let begins = excerpt(json.to_string().as_bytes());
            let what = format!("the answer has no choices: {begins}");
            Err(ProviderError::new(ProviderErrorKind::BadReply, what))
        }
    }
}

fn reply(json: &Value, choice: &Value) -> ChatReply {
    let message = &choice["message"];
    let raw = written(message);
    let (text, raw_text) = match without_thoughts(&raw) {
        Some(answer) => (answer.to_owned(), Some(raw)),
        None => (raw, None),
    };
    let calls = message["tool_calls"].as_array();
    ChatReply {
        text,
        raw_text,
        calls: calls.into_iter().flatten().map(call).collect(),
        usage: usage(&json["usage"]),
        answered_model: json["model"].as_str().map(str::to_owned),
        cut_short: cut_short(choice),
        ..ChatReply::default()
    }
}

/// Why the reply ends where it does, where the model did not choose to. Whether it calls tools is
/// never read from here: some servers say `stop` beside calls.
fn cut_short(choice: &Value) -> Option<CutShort> {
    let refused = |category: Option<&str>| CutShort::Refused {
        category: category.map(str::to_owned),
    };
    match choice["finish_reason"].as_str() {
        Some("length") => Some(CutShort::OutputCeiling),
        Some("content_filter") => Some(refused(Some("content_filter"))),
        _ => choice["message"]["refusal"]
            .as_str()
            .filter(|words| !words.is_empty())
            .map(|_| refused(None)),
    }
}

/// The text of a message: a string, a list of text parts, or the words of a refusal.
fn written(message: &Value) -> String {
    match &message["content"] {
        Value::String(text) => text.clone(),
        Value::Array(parts) => parts
            .iter()
            .filter_map(|part| part["text"].as_str())
            .collect(),
        _ => message["refusal"].as_str().unwrap_or_default().to_owned(),
    }
}

fn call(call: &Value) -> ToolCallRequest {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    ToolCallRequest {
        id: text(&call["id"]),
        name: text(&call["function"]["name"]),
        arguments: arguments(&call["function"]["arguments"]),
    }
}

/// Arguments are JSON in a string; some servers send the object itself, and nothing for none.
fn arguments(given: &Value) -> Arguments {
    match given {
        Value::Null => Arguments::Json(json!({})),
        Value::String(text) if text.trim().is_empty() => Arguments::Json(json!({})),
        Value::String(text) => match serde_json::from_str(text) {
            Ok(Value::Null) => Arguments::Json(json!({})),
            Ok(value) => Arguments::Json(value),
            Err(_) => Arguments::Malformed(text.clone()),
        },
        object => Arguments::Json(object.clone()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_may_come_in_parts_or_as_a_refusal() {
        let parts =
            json!({"content": [{"type": "text", "text": "4"}, {"type": "text", "text": "2"}]});
        assert_eq!(written(&parts), "42");
        assert_eq!(written(&json!({"content": null, "refusal": "no"})), "no");
    }

    #[test]
    fn what_the_model_did_not_choose_is_told() {
        let told = |choice: Value| cut_short(&choice);
        let refused = |category: Option<&str>| {
            let category = category.map(str::to_owned);
            Some(CutShort::Refused { category })
        };
        let message = json!({"content": "x"});
        for (reason, expected) in [
            (json!("length"), Some(CutShort::OutputCeiling)),
            (json!("content_filter"), refused(Some("content_filter"))),
            (json!("stop"), None),
            (json!("tool_calls"), None),
            (json!(null), None),
            (json!("something new"), None),
        ] {
            let choice = json!({"finish_reason": reason, "message": message});
            assert_eq!(told(choice), expected, "{reason}");
        }
        let no = json!({"finish_reason": "stop", "message": {"content": null, "refusal": "no"}});
        assert_eq!(told(no), refused(None));
        let yes = json!({"finish_reason": "stop", "message": {"content": "a", "refusal": ""}});
        assert_eq!(told(yes), None);
    }
}
