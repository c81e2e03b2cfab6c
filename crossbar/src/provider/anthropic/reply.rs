//! From a message of the API to a reply.

use super::usage::usage;
use crate::domain::{Arguments, CutShort};
use crate::provider::{ChatReply, ProviderError, ProviderErrorKind, ToolCallRequest};
use crate::wire::excerpt;
use serde_json::{Value, json};

/// Reads a message that came whole, or that was put together from its events.
pub(super) fn read(message: &Value) -> Result<ChatReply, ProviderError> {
    let Value::Array(blocks) = &message["content"] else {
        let begins = excerpt(message.to_string().as_bytes());
        let what = format!("the answer has no content: {begins}");
        return Err(ProviderError::new(ProviderErrorKind::BadReply, what));
    };
    let cut_short = cut_short(message);
    let calls = match cut_short {
        // A refusal ends the turn, whatever had been begun before it.
        Some(CutShort::Refused { .. }) => Vec::new(),
        _ => of_type(blocks, "tool_use").map(call).collect(),
    };
    let text: String = of_type(blocks, "text")
        .filter_map(|one| one["text"].as_str())
        .collect();
    let thoughts: Vec<&str> = of_type(blocks, "thinking")
        .filter_map(|one| one["thinking"].as_str())
        .filter(|thought| !thought.is_empty())
        .collect();
    Ok(ChatReply {
        raw_text: (!thoughts.is_empty())
            .then(|| format!("<think>{}</think>\n{text}", thoughts.join("\n"))),
        text,
        calls,
        usage: usage(&message["usage"]),
        answered_model: message["model"].as_str().map(str::to_owned),
        cut_short,
        own: Some(message["content"].clone()),
        ..ChatReply::default()
    })
}

fn of_type<'b>(blocks: &'b [Value], kind: &'static str) -> impl Iterator<Item = &'b Value> {
    blocks.iter().filter(move |block| block["type"] == kind)
}

fn call(block: &Value) -> ToolCallRequest {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    ToolCallRequest {
        id: text(&block["id"]),
        name: text(&block["name"]),
        arguments: arguments(&block["input"]),
    }
}

/// The input of a call: an object, or the text of one that could not be read.
fn arguments(input: &Value) -> Arguments {
    match input {
        Value::Null => Arguments::Json(json!({})),
        Value::String(text) => match serde_json::from_str(text) {
            Ok(object @ Value::Object(_)) => Arguments::Json(object),
            _ => Arguments::Malformed(text.clone()),
        },
        value => Arguments::Json(value.clone()),
    }
}

/// Why the message ends where it does, where the model did not choose to
/// (<https://platform.claude.com/docs/en/build-with-claude/handling-stop-reasons>).
fn cut_short(message: &Value) -> Option<CutShort> {
    match message["stop_reason"].as_str()? {
        "max_tokens" => Some(CutShort::OutputCeiling),
        "model_context_window_exceeded" => Some(CutShort::ContextFull),
        "pause_turn" => Some(CutShort::Paused),
        "refusal" => Some(CutShort::Refused {
            category: message["stop_details"]["category"]
                .as_str()
                .map(str::to_owned),
        }),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(content: Value, stop: Value) -> ChatReply {
        read(&json!({"model": "m", "content": content, "stop_reason": stop})).unwrap()
    }

    #[test]
    fn text_calls_and_thoughts_are_told_apart() {
        let content = json!([
            {"type": "thinking", "thinking": "17?", "signature": "s"},
            {"type": "redacted_thinking", "data": "x"},
            {"type": "text", "text": "4"},
            {"type": "server_tool_use", "id": "srv", "name": "web_search", "input": {}},
            {"type": "text", "text": "2"},
            {"type": "tool_use", "id": "a", "name": "echo", "input": {"n": 1}},
        ]);
        let reply = of(content.clone(), json!("tool_use"));
        assert_eq!(
            (reply.text.as_str(), reply.raw()),
            ("42", "<think>17?</think>\n42")
        );
        assert_eq!(reply.calls.len(), 1);
        assert_eq!(reply.calls[0].arguments, Arguments::Json(json!({"n": 1})));
        assert_eq!(reply.own, Some(content));
        assert_eq!(reply.cut_short, None);
    }

    #[test]
    fn what_the_model_did_not_choose_is_told() {
        let told = |stop: &str| of(json!([]), json!(stop)).cut_short;
        assert_eq!(told("max_tokens"), Some(CutShort::OutputCeiling));
        assert_eq!(
            told("model_context_window_exceeded"),
            Some(CutShort::ContextFull)
        );
        assert_eq!(told("pause_turn"), Some(CutShort::Paused));
        assert_eq!(told("refusal"), Some(CutShort::Refused { category: None }));
        for chosen in ["end_turn", "stop_sequence", "tool_use", "something new"] {
            assert_eq!(told(chosen), None, "{chosen}");
        }
        assert_eq!(of(json!([]), Value::Null).cut_short, None);
    }

    #[test]
    fn a_refusal_calls_nothing_and_a_message_without_content_is_none() {
        let call = json!([{"type": "tool_use", "id": "a", "name": "echo", "input": {}}]);
        assert_eq!(of(call, json!("refusal")).calls, []);
        for none in [json!({}), json!({"content": null}), json!([])] {
            assert_eq!(read(&none).unwrap_err().kind, ProviderErrorKind::BadReply);
        }
    }

    #[test]
    fn input_that_is_no_object_is_malformed() {
        assert_eq!(arguments(&Value::Null), Arguments::Json(json!({})));
        assert_eq!(
            arguments(&json!("{\"n\":1}")),
            Arguments::Json(json!({"n": 1}))
        );
        let cut = Arguments::Malformed("{\"n\":".to_owned());
        assert_eq!(arguments(&json!("{\"n\":")), cut);
    }
}
