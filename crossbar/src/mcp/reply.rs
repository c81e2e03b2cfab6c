//! What a tool call gave, as the model and the checks see it.

use super::message::RpcError;
use serde_json::{Value, json};

/// The outcome of a call that the server answered.
#[derive(Debug, Clone, PartialEq)]
pub struct CallResult {
    /// What the model is shown. The text blocks, a line apart, and a note in brackets for each
    /// block that is no text; without any text, the JSON of `structured` comes first.
    pub content_text: String,
    /// The structured content, where there is any.
    pub structured: Option<Value>,
    /// The call failed, by the tool's or by the protocol's word.
    pub is_error: bool,
    /// It was the protocol's: a JSON-RPC error, not a result.
    pub protocol_error: bool,
    /// The result as it came; the error object of a protocol error.
    pub raw: Value,
}

impl CallResult {
    pub(super) fn new(reply: Result<Value, RpcError>) -> Self {
        match reply {
            Ok(result) => Self::from_result(result),
            Err(error) => Self {
                content_text: match error.code {
                    Some(code) => format!("MCP error {code}: {}", error.message),
                    None => format!("MCP error: {}", error.message),
                },
                structured: None,
                is_error: true,
                protocol_error: true,
                raw: error.raw,
            },
        }
    }

    fn from_result(raw: Value) -> Self {
        let structured = raw
            .get("structuredContent")
            .filter(|value| !value.is_null())
            .cloned();
        Self {
            content_text: content_text(raw.get("content"), structured.as_ref()),
            structured,
            is_error: raw.get("isError").and_then(Value::as_bool).unwrap_or(false),
            protocol_error: false,
            raw,
        }
    }
}

fn content_text(content: Option<&Value>, structured: Option<&Value>) -> String {
    let single;
    let blocks = match content {
        Some(Value::Array(blocks)) => blocks.as_slice(),
        // Against the protocol, but there is no doubt what is meant.
        Some(Value::String(text)) => {
            single = [json!({"type": "text", "text": text})];
            &single
        }
        _ => &[],
    };
    let mut parts = Vec::with_capacity(blocks.len() + 1);
    if let Some(structured) = structured
        && !blocks
            .iter()
            .any(|block| text_of(block).is_some_and(|text| !text.is_empty()))
    {
        parts.push(structured.to_string());
    }
    for block in blocks {
        match text_of(block) {
            Some("") => {}
            Some(text) => parts.push(text.to_owned()),
            None => parts.push(note(block)),
        }
    }
    parts.join("\n")
}

/// The text of a text block or of an embedded text resource.
fn text_of(block: &Value) -> Option<&str> {
    match block.get("type")?.as_str()? {
        "text" => block.get("text")?.as_str(),
        "resource" => block.get("resource")?.get("text")?.as_str(),
        _ => None,
    }
}

/// Type and size of a block that a text model can't be shown.
fn note(block: &Value) -> String {
    let field = |name: &str| {
        let inner = block.get("resource").unwrap_or(block);
        block
            .get(name)
            .or_else(|| inner.get(name))
            .and_then(Value::as_str)
    };
    let kind = block
        .get("type")
        .and_then(Value::as_str)
        .unwrap_or("block of unknown type");
    let mut words = vec![kind.to_owned()];
    words.extend(field("uri").map(ToOwned::to_owned));
    words.extend(field("mimeType").map(ToOwned::to_owned));
    let head = words.join(" ");
    match (field("data").or_else(|| field("blob")), kind) {
        (Some(base64), _) => format!("[{head}, {} bytes]", decoded_len(base64)),
        (None, "resource_link") => format!("[{head}]"),
        (None, _) => format!("[{head}, {} bytes of JSON]", block.to_string().len()),
    }
}

/// Bytes that base64 text stands for: three for each four characters, padding aside.
fn decoded_len(base64: &str) -> usize {
    base64.trim_end_matches('=').len() * 3 / 4
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(result: Value) -> String {
        CallResult::new(Ok(result)).content_text
    }

    #[test]
    fn text_wins_over_structured_content_and_both_are_kept_apart() {
        let result = CallResult::new(Ok(json!({
            "content": [{"type": "text", "text": "two rows"}, {"type": "text", "text": "done"}],
            "structuredContent": {"rows": [1, 2]}})));
        assert_eq!(result.content_text, "two rows\ndone");
        assert_eq!(result.structured, Some(json!({"rows": [1, 2]})));
        assert!(!result.is_error && !result.protocol_error);
    }

    #[test]
    fn without_text_the_structured_content_is_shown() {
        assert_eq!(
            text(json!({"content": [], "structuredContent": {"a": 1}})),
            r#"{"a":1}"#
        );
        assert_eq!(text(json!({"structuredContent": 5})), "5");
        assert_eq!(
            text(json!({"content": [{"type": "text", "text": ""}], "structuredContent": [1]})),
            "[1]"
        );
        assert_eq!(text(json!({"content": [], "structuredContent": null})), "");
        assert_eq!(text(json!({})), "");
    }

    #[test]
    fn blocks_that_are_no_text_become_notes() {
        let blocks = json!({"content": [
            {"type": "text", "text": "see"},
            {"type": "image", "data": "iVBORw0KGgo=", "mimeType": "image/png"},
            {"type": "resource", "resource": {"uri": "file:///a", "mimeType": "text/plain", "text": "inside"}},
            {"type": "resource", "resource": {"uri": "file:///b", "blob": "AAAA"}},
            {"type": "resource_link", "uri": "file:///c"},
            {"type": "hologram"}]});
        assert_eq!(
            text(blocks),
            "see\n[image image/png, 8 bytes]\ninside\n[resource file:///b, 3 bytes]\n\
             [resource_link file:///c]\n[hologram, 19 bytes of JSON]"
        );
        assert_eq!(text(json!({"content": "plain"})), "plain");
    }

    #[test]
    fn protocol_errors_keep_code_and_object() {
        let raw = json!({"code": -32602, "message": "unknown argument"});
        let error = RpcError {
            code: Some(-32602),
            message: "unknown argument".into(),
            raw: raw.clone(),
        };
        let result = CallResult::new(Err(error));
        assert_eq!(result.content_text, "MCP error -32602: unknown argument");
        assert!(result.is_error && result.protocol_error);
        assert_eq!(result.raw, raw);
    }
}
