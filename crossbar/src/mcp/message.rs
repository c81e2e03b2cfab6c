//! One line of a server, understood.

use super::question::answer;
use serde_json::{Map, Value};

/// An error object of JSON-RPC, or our own words where the reply is none.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct RpcError {
    /// The code, where it is a whole number.
    pub(super) code: Option<i64>,
    /// What the server says.
    pub(super) message: String,
    /// The error as it came.
    pub(super) raw: Value,
}

/// What a line can be.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Message {
    /// The answer to the request with this id.
    Reply(u64, Result<Value, RpcError>),
    /// An error about a request that the server could not read: any pending one may be meant.
    Unaddressed(RpcError),
    /// The server asks; the answer goes back as it stands here.
    Question(Value),
    /// News that need no answer.
    Notification,
    /// An empty line.
    Nothing,
    /// Anything else: banners, log lines, half messages.
    Noise,
}

/// Reads a line. Lenient where a server's mistake leaves no doubt about its meaning: the id of a
/// reply may be a string or a float, `jsonrpc` may be missing from a reply.
pub(super) fn read(line: &[u8]) -> Message {
    let line = line.trim_ascii();
    if line.is_empty() {
        return Message::Nothing;
    }
    let Ok(Value::Object(mut object)) = serde_json::from_slice(line) else {
        return Message::Noise;
    };
    if let Some(Value::String(method)) = object.get("method") {
        // A log line in JSON may well have a `method`: GET.
        return if object.contains_key("jsonrpc") {
            match object.get("id") {
                Some(id) => Message::Question(answer(method, id, object.get("params"))),
                None => Message::Notification,
            }
        } else {
            Message::Noise
        };
    }
    match object.remove("id") {
        Some(Value::Null) | None => match object.remove("error") {
            Some(error) if object.contains_key("jsonrpc") => Message::Unaddressed(rpc_error(error)),
            _ => Message::Noise,
        },
        Some(id) => match number(&id) {
            Some(id) => replied(id, object),
            None => Message::Noise,
        },
    }
}

fn replied(id: u64, mut object: Map<String, Value>) -> Message {
    match (object.remove("error"), object.remove("result")) {
        (Some(error), _) if !error.is_null() => Message::Reply(id, Err(rpc_error(error))),
        (_, Some(result)) => Message::Reply(id, Ok(result)),
        _ if object.contains_key("jsonrpc") => {
            let message = "the reply has neither result nor error".to_owned();
            Message::Reply(
                id,
                Err(RpcError {
                    code: None,
                    message,
                    raw: Value::Object(object),
                }),
            )
        }
        _ => Message::Noise,
    }
}

/// Our ids are small whole numbers; servers return them as strings or floats too.
fn number(id: &Value) -> Option<u64> {
    match id {
        Value::String(text) => text.parse().ok(),
        Value::Number(number) => {
            let text = number.to_string();
            text.strip_suffix(".0").unwrap_or(&text).parse().ok()
        }
        _ => None,
    }
}

fn rpc_error(raw: Value) -> RpcError {
    let code = raw.get("code").and_then(Value::as_i64);
    let message = match raw.get("message").and_then(Value::as_str) {
        Some(message) => message.to_owned(),
        None => raw.to_string(),
    };
    RpcError { code, message, raw }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn ids_match_as_number_string_or_float_and_nothing_else() {
        for id in ["2", "\"2\"", "2.0"] {
            let line = format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},\"result\":7}}\r");
            assert_eq!(
                read(line.as_bytes()),
                Message::Reply(2, Ok(json!(7))),
                "{id}"
            );
        }
        for id in ["2.5", "-2", "\"two\"", "[2]"] {
            let line = format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},\"result\":7}}");
            assert_eq!(read(line.as_bytes()), Message::Noise, "{id}");
        }
    }

    #[test]
    fn log_lines_in_json_are_noise() {
        for line in [
            r#"{"level":"info","msg":"hello"}"#,
            r#"{"method":"GET","id":3,"path":"/"}"#,
            r#"{"id":3,"path":"/"}"#,
            r#"{"error":"disk slow"}"#,
            "[1,2]",
            "42",
            "null",
            "{\"jsonrpc\":",
            "server ready",
            "\u{fffd}",
        ] {
            assert_eq!(read(line.as_bytes()), Message::Noise, "{line}");
        }
        assert_eq!(read(b"\xff\xfe\n"), Message::Noise);
        assert_eq!(read(b" \r"), Message::Nothing);
    }

    #[test]
    fn a_broken_reply_with_our_id_is_an_error_and_never_a_wait() {
        let Message::Reply(4, Err(error)) =
            read(br#"{"jsonrpc":"2.0","id":4,"error":{"code":"E1","message":"boo"}}"#)
        else {
            panic!("not an error");
        };
        assert_eq!((error.code, error.message.as_str()), (None, "boo"));
        assert!(matches!(
            read(br#"{"jsonrpc":"2.0","id":4}"#),
            Message::Reply(4, Err(_))
        ));
        assert!(matches!(
            read(br#"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"parse"}}"#),
            Message::Unaddressed(RpcError {
                code: Some(-32700),
                ..
            })
        ));
        assert_eq!(
            read(br#"{"id":4,"error":null,"result":1}"#),
            Message::Reply(4, Ok(json!(1)))
        );
    }

    #[test]
    fn questions_are_answered_under_the_server_s_own_id() {
        let Message::Question(answer) = read(br#"{"jsonrpc":"2.0","id":"s1","method":"ping"}"#)
        else {
            panic!("no answer");
        };
        assert_eq!(answer, json!({"jsonrpc": "2.0", "id": "s1", "result": {}}));
        let Message::Question(answer) =
            read(br#"{"jsonrpc":"2.0","id":8,"method":"sampling/createMessage"}"#)
        else {
            panic!("no answer");
        };
        assert_eq!(answer["error"]["code"], json!(-32601));
    }
}
