//! What an API says when it says no, and what that means: for the money, for another try, and for
//! the other rollouts of the model.

use crate::provider::{ChatRequest, ProviderError, ProviderErrorKind};
use crate::wire::excerpt;
use serde_json::Value;

/// An error as an API wrote it.
pub(in crate::provider) struct Refusal {
    /// The HTTP status that it names or means; `None` when it does neither.
    code: Option<u16>,
    /// Its words, with those of the provider behind a gateway.
    words: String,
    /// The setting that it names.
    param: Option<String>,
}

/// Error types of the Messages API with their statuses
/// (<https://platform.claude.com/docs/en/api/errors>): inside a stream the type stands alone.
const TYPES: &[(&str, u16)] = &[
    ("invalid_request_error", 400),
    ("authentication_error", 401),
    ("billing_error", 402),
    ("permission_error", 403),
    ("not_found_error", 404),
    ("request_too_large", 413),
    ("rate_limit_error", 429),
    ("api_error", 500),
    ("timeout_error", 504),
    ("overloaded_error", 529),
];

/// The error in a body, if it has one: an object or a text under `error`, or an object that calls
/// itself one.
pub(in crate::provider) fn said(body: &Value) -> Option<Refusal> {
    let error = match &body["error"] {
        Value::Null if body["object"] == "error" => body,
        Value::Null => return None,
        error => error,
    };
    let words = match error {
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
    Some(Refusal {
        code: code(error),
        words: excerpt((words + &behind).as_bytes()),
        param: error["param"].as_str().map(str::to_owned),
    })
}

fn code(error: &Value) -> Option<u16> {
    let number = match &error["code"] {
        Value::String(text) => text.parse().ok(),
        number => number.as_u64().and_then(|code| u16::try_from(code).ok()),
    };
    let named = || {
        let name = error["type"].as_str()?;
        TYPES
            .iter()
            .find(|(of, _)| *of == name)
            .map(|(_, code)| *code)
    };
    number
        .filter(|code| (400..600).contains(code))
        .or_else(named)
}

impl Refusal {
    /// The error for a status that is no success. Without a refusal, see [`unexplained`].
    pub(in crate::provider) fn with_status(
        self,
        status: u16,
        request: &ChatRequest,
    ) -> ProviderError {
        let kind = match status {
            _ if self.is_about_settings(status, request) => ProviderErrorKind::Settings(status),
            408 | 504 => ProviderErrorKind::Status(status),
            _ => ProviderErrorKind::Refused(status),
        };
        self.told(kind, &format!("HTTP status {status}"))
    }

    /// The error for one that came under a status of success, before any part of an answer.
    pub(in crate::provider) fn within(self, request: &ChatRequest) -> ProviderError {
        let kind = match self.code {
            Some(code) if self.is_about_settings(code, request) => {
                ProviderErrorKind::Settings(code)
            }
            Some(code) if costs_nothing(code) => ProviderErrorKind::Refused(code),
            Some(code) => ProviderErrorKind::Status(code),
            None => ProviderErrorKind::BadReply,
        };
        let place = match self.code {
            Some(code) => format!("error {code} in the answer"),
            None => "error in the answer".to_owned(),
        };
        self.told(kind, &place)
    }

    /// The error for one that ended an answer which had begun.
    pub(in crate::provider) fn after_a_beginning(self) -> ProviderError {
        self.told(ProviderErrorKind::BadReply, "an error ended the answer")
    }

    fn told(self, kind: ProviderErrorKind, place: &str) -> ProviderError {
        let mut error = ProviderError::new(kind, format!("{place}: {}", self.words));
        error.param = self.param;
        error
    }

    /// Whether no request of this model will do better: the key or the name of the model is wrong,
    /// or a setting of the roster is refused.
    fn is_about_settings(&self, status: u16, request: &ChatRequest) -> bool {
        match status {
            401 | 404 => true,
            400 | 422 => match self.param.as_deref() {
                Some(param) => param.starts_with("max_") || request.params.contains_key(param),
                None => request
                    .params
                    .keys()
                    .any(|key| begins_with(&self.words, key)),
            },
            _ => false,
        }
    }
}

/// Whether an error begins by naming a setting.
fn begins_with(words: &str, key: &str) -> bool {
    let named = words.strip_prefix('`').unwrap_or(words).strip_prefix(key);
    named.is_some_and(|rest| rest.starts_with([':', '`', ' ']))
}

/// The error for a status that is no success, under which no API explains itself.
pub(super) fn unexplained(status: u16, body: &[u8]) -> ProviderError {
    let kind = match status {
        401 | 404 => ProviderErrorKind::Settings(status),
        _ if costs_nothing(status) => ProviderErrorKind::Refused(status),
        _ => ProviderErrorKind::Status(status),
    };
    ProviderError::new(kind, format!("HTTP status {status}: {}", excerpt(body)))
}

/// Whether an HTTP status says, whoever sends it, that no model has been at work.
#[must_use]
pub fn costs_nothing(status: u16) -> bool {
    matches!(status, 400..=407 | 409..=499 | 503 | 529)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;
    use std::collections::BTreeMap;

    fn request() -> ChatRequest {
        ChatRequest {
            params: BTreeMap::from([("temperature".to_owned(), json!(2))]),
            ..ChatRequest::default()
        }
    }

    fn kind(status: u16, error: Value) -> ProviderErrorKind {
        said(&json!({"error": error}))
            .unwrap()
            .with_status(status, &request())
            .kind
    }

    #[test]
    fn what_an_api_refuses_costs_nothing_and_what_nobody_explains_may() {
        let error = json!({"message": "no"});
        for (status, body, expected) in [
            (429, Some(&error), ProviderErrorKind::Refused(429)),
            (500, Some(&error), ProviderErrorKind::Refused(500)),
            (504, Some(&error), ProviderErrorKind::Status(504)),
            (429, None, ProviderErrorKind::Refused(429)),
            (503, None, ProviderErrorKind::Refused(503)),
            (500, None, ProviderErrorKind::Status(500)),
            (502, None, ProviderErrorKind::Status(502)),
            (307, None, ProviderErrorKind::Status(307)),
            (408, None, ProviderErrorKind::Status(408)),
        ] {
            let found = match body {
                Some(error) => kind(status, error.clone()),
                None => unexplained(status, b"<html>").kind,
            };
            assert_eq!(found, expected);
        }
    }

    #[test]
    fn a_wrong_key_model_or_setting_is_told_from_a_refused_conversation() {
        let settings = ProviderErrorKind::Settings;
        assert_eq!(kind(401, json!("bad key")), settings(401));
        assert_eq!(
            kind(404, json!({"message": "no such model"})),
            settings(404)
        );
        let named = |param: &str| json!({"message": "x", "param": param});
        assert_eq!(kind(400, named("max_tokens")), settings(400));
        assert_eq!(kind(422, named("temperature")), settings(422));
        let spelt = |words: &str| {
            kind(
                400,
                json!({"type": "invalid_request_error", "message": words}),
            )
        };
        assert_eq!(spelt("temperature: must be at most 1"), settings(400));
        assert_eq!(
            spelt("`temperature` and `top_p` exclude each other"),
            settings(400)
        );
        for conversation in [
            "messages.0: empty",
            "input length and temperature",
            "temperatures",
        ] {
            assert_eq!(
                spelt(conversation),
                ProviderErrorKind::Refused(400),
                "{conversation}"
            );
        }
        assert_eq!(
            kind(400, named("messages")),
            ProviderErrorKind::Refused(400)
        );
        assert_eq!(kind(403, json!("flagged")), ProviderErrorKind::Refused(403));
    }

    #[test]
    fn an_error_under_a_status_of_success_is_what_its_code_or_type_says() {
        let within = |body: Value| said(&body).unwrap().within(&request()).kind;
        let overloaded =
            json!({"type": "error", "error": {"type": "overloaded_error", "message": "x"}});
        assert_eq!(within(overloaded), ProviderErrorKind::Refused(529));
        assert_eq!(
            within(json!({"error": {"code": "429"}})),
            ProviderErrorKind::Refused(429)
        );
        assert_eq!(
            within(json!({"error": {"code": 502}})),
            ProviderErrorKind::Status(502)
        );
        assert_eq!(
            within(json!({"error": {"code": 7}})),
            ProviderErrorKind::BadReply
        );
        assert_eq!(
            within(json!({"error": "out of memory"})),
            ProviderErrorKind::BadReply
        );
        let own = json!({"object": "error", "message": "x", "code": 400});
        assert_eq!(within(own), ProviderErrorKind::Refused(400));
        assert!(said(&json!({"error": null, "choices": []})).is_none());
    }
}
