//! From an HTTP answer to a reply, or to an error that says what came instead.

use super::think::without_thoughts;
use crate::domain::{Arguments, Usage};
use crate::provider::{ChatReply, ProviderError, ProviderErrorKind, ToolCallRequest};
use serde_json::{Value, json};

/// How much of a foreign body an error quotes, in characters.
const EXCERPT: usize = 200;

/// Reads an answer that came whole.
pub(super) fn read(status: u16, body: &[u8]) -> Result<ChatReply, ProviderError> {
    let json: Option<Value> = serde_json::from_slice(body).ok();
    if !(200..300).contains(&status) {
        let said = json.as_ref().and_then(|json| error_text(&json["error"]));
        let said = said.unwrap_or_else(|| excerpt(body));
        return Err(ProviderError::new(
            ProviderErrorKind::Status(status),
            format!("HTTP status {status}: {said}"),
        ));
    }
    let Some(json) = json else {
        return Err(bad(format!("the answer is not JSON: {}", excerpt(body))));
    };
    if let Some(said) = error_text(&json["error"]) {
        return Err(error_in_body(&json["error"], &said));
    }
    match json["choices"].get(0).map(|choice| &choice["message"]) {
        Some(message @ Value::Object(_)) => Ok(reply(&json, message)),
        _ => Err(bad(format!("the answer has no choices: {}", excerpt(body)))),
    }
}

/// The error for an answer that ended too early.
pub(super) fn cut(status: u16, body: &[u8], why: &str) -> ProviderError {
    let kind = match status {
        200..300 => ProviderErrorKind::BadReply,
        _ => ProviderErrorKind::Status(status),
    };
    let begins = excerpt(body);
    ProviderError::new(
        kind,
        format!("the answer (HTTP status {status}) was cut ({why}); it begins: {begins}"),
    )
}

fn bad(message: String) -> ProviderError {
    ProviderError::new(ProviderErrorKind::BadReply, message)
}

/// An error that came under a status of success: its own code says what it is.
fn error_in_body(error: &Value, said: &str) -> ProviderError {
    let code = match &error["code"] {
        Value::String(text) => text.parse().ok(),
        number => number.as_u64().and_then(|code| u16::try_from(code).ok()),
    };
    match code.filter(|code| (400..600).contains(code)) {
        Some(code) => ProviderError::new(
            ProviderErrorKind::Status(code),
            format!("error {code} in the answer: {said}"),
        ),
        None => bad(format!("error in the answer: {said}")),
    }
}

/// What an error object says, with what the provider behind a gateway said; `None` for no error.
fn error_text(error: &Value) -> Option<String> {
    let said = match error {
        Value::Null => return None,
        Value::String(text) => text.clone(),
        Value::Object(fields) => match fields.get("message") {
            Some(Value::String(text)) => text.clone(),
            _ => error.to_string(),
        },
        other => other.to_string(),
    };
    let behind = match &error["metadata"]["raw"] {
        Value::Null => String::new(),
        Value::String(raw) => format!(" ({raw})"),
        raw => format!(" ({raw})"),
    };
    Some(excerpt((said + &behind).as_bytes()))
}

/// The beginning of a text on one line.
fn excerpt(body: &[u8]) -> String {
    let text = String::from_utf8_lossy(body);
    let mut words = String::new();
    for word in text.split_whitespace() {
        if !words.is_empty() {
            words.push(' ');
        }
        words.push_str(word);
        if words.len() > 4 * EXCERPT {
            break;
        }
    }
    match words.char_indices().nth(EXCERPT) {
        Some((end, _)) => format!("{}..", &words[..end]),
        None if words.is_empty() => "(empty)".to_owned(),
        None => words,
    }
}

fn reply(json: &Value, message: &Value) -> ChatReply {
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

/// More tokens than any request can have.
const MOST_TOKENS: u64 = 1_000_000_000_000;

/// Tokens in disjoint buckets. Of prompt, completion and total, one may be missing; otherwise they
/// are unknown. Where the total is more than prompt and completion, a server counts reasoning apart,
/// and it is output all the same.
fn usage(given: &Value) -> Option<Usage> {
    let number = |key: &str| given[key].as_u64();
    let (prompt, completion, total) = (
        number("prompt_tokens"),
        number("completion_tokens"),
        number("total_tokens"),
    );
    let (prompt, output) = match (prompt, completion, total) {
        (Some(prompt), Some(completion), None) => (prompt, completion),
        (Some(prompt), Some(completion), Some(total)) => {
            (prompt, completion.max(total.saturating_sub(prompt)))
        }
        (Some(prompt), None, Some(total)) => (prompt, total.checked_sub(prompt)?),
        (None, Some(completion), Some(total)) => (total.checked_sub(completion)?, completion),
        _ => return None,
    };
    // No request is without tokens, and none has a million million of them: a server that says so
    // does not count.
    if prompt == 0 || prompt.max(output) > MOST_TOKENS {
        return None;
    }
    let cached = given["prompt_tokens_details"]["cached_tokens"].as_u64();
    let cache_read = cached.unwrap_or(0).min(prompt);
    Some(Usage {
        input_uncached: prompt - cache_read,
        cache_read,
        output,
        ..Usage::default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buckets_do_not_overlap_and_what_is_missing_is_derived_or_unknown() {
        let of = |value: Value| usage(&value).map(|u| (u.input_uncached, u.cache_read, u.output));
        let details = json!({"cached_tokens": 60});
        assert_eq!(
            of(
                json!({"prompt_tokens": 100, "completion_tokens": 7, "prompt_tokens_details": details})
            ),
            Some((40, 60, 7))
        );
        assert_eq!(
            of(json!({"prompt_tokens": 90, "total_tokens": 120})),
            Some((90, 0, 30))
        );
        assert_eq!(
            of(json!({"completion_tokens": 30, "total_tokens": 120})),
            Some((90, 0, 30))
        );
        let reasoned = json!({"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 40});
        assert_eq!(of(reasoned), Some((10, 0, 30)));
        for unknown in [
            json!(null),
            json!({}),
            json!({"prompt_tokens": 9}),
            json!({"total_tokens": 9}),
        ] {
            assert_eq!(of(unknown.clone()), None, "{unknown}");
        }
    }

    #[test]
    fn no_request_is_without_tokens_and_none_has_a_million_million() {
        let of = |prompt: u64, completion: u64| {
            usage(&json!({"prompt_tokens": prompt, "completion_tokens": completion}))
        };
        let most = MOST_TOKENS;
        for (prompt, completion) in [(0, 0), (0, 7), (1 << 41, 7), (7, 1 << 41), (most + 1, 0)] {
            assert_eq!(of(prompt, completion), None, "{prompt} and {completion}");
        }
        assert_eq!(
            usage(&json!({"prompt_tokens": 0, "completion_tokens": 0, "total_tokens": 0})),
            None
        );
        assert!(of(1, 0).is_some() && of(most, most).is_some());
    }

    #[test]
    fn text_may_come_in_parts_or_as_a_refusal() {
        let parts =
            json!({"content": [{"type": "text", "text": "4"}, {"type": "text", "text": "2"}]});
        assert_eq!(written(&parts), "42");
        assert_eq!(written(&json!({"content": null, "refusal": "no"})), "no");
    }

    #[test]
    fn a_long_body_is_quoted_briefly_on_one_line() {
        let quoted = excerpt("a\n b".repeat(9000).as_bytes());
        assert!(quoted.chars().count() <= EXCERPT + 2 && !quoted.contains('\n'));
        assert_eq!(excerpt(b""), "(empty)");
    }
}
