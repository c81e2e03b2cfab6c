//! Answers of the provider `openai` in pieces: however they are cut into chunks, they mean what the
//! same answer means whole; and a stream that breaks off is nobody's answer.

use super::server::{self, Server};
use super::{model, provider, run};
use crossbar::domain::{Arguments, Usage};
use crossbar::provider::{ChatReply, ChatRequest, ProviderError, ProviderErrorKind};
use serde_json::{Value, json};

/// What a model sends that says a word and calls two tools, as one server or another writes it.
const EVENTS: &str = concat!(
    ": keep-alive\n\n",
    "data: {\"model\":\"m\",\"choices\":[{\"index\":0,\"delta\":{\"role\":\"assistant\",\"content\":\"\"}}]}\n\n",
    "data: {\"model\":\"m\",\"choices\":[{\"index\":0,\"delta\":{\"content\":\"ü→\u{1f600}\"}}]}\r\n\r\n",
    "data: {\"choices\":[{\"index\":0,\"delta\":{\"tool_calls\":[{\"index\":0,\"id\":\"a\",\"function\":{\"name\":\"echo\",\"arguments\":\"{\\\"n\\\":\"}}]}}]}\n\n",
    "data: {\"choices\":[{\"index\":0,\"delta\":{\"tool_calls\":[{\"index\":1,\"id\":\"b\",\"function\":{\"name\":\"echo\",\"arguments\":\"{}\"}}]}}]}\n\n",
    "data: {\"choices\":[{\"index\":0,\"delta\":{\"tool_calls\":[{\"index\":0,\"function\":{\"arguments\":\"1}\"}}]}}]}\n\n",
    "data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"tool_calls\"}]}\n\n",
    "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":50,\"completion_tokens\":9,\"prompt_tokens_details\":{\"cached_tokens\":20}}}\n\n",
    "data: [DONE]\n\n",
);

fn asked(server: &Server) -> Result<ChatReply, ProviderError> {
    let mut model = model(&server.base_url());
    model.params.insert("stream".to_owned(), json!(true));
    let request = ChatRequest {
        params: model.params.clone(),
        ..ChatRequest::default()
    };
    run(provider(&model).chat(&request))
}

fn answered(answer: Vec<u8>) -> Result<ChatReply, ProviderError> {
    asked(&Server::raw(vec![answer]))
}

fn bad(answer: Vec<u8>) -> String {
    let error = answered(answer).unwrap_err();
    assert_eq!(error.kind, ProviderErrorKind::BadReply, "{error}");
    error.message
}

#[test]
fn a_stream_means_the_same_however_it_is_cut_into_chunks() {
    let expected = Usage {
        input_uncached: 30,
        cache_read: 20,
        output: 9,
        ..Usage::default()
    };
    for size in [1, 2, 3, 7, 64, 500, EVENTS.len()] {
        let reply = answered(server::streamed(EVENTS, size)).unwrap();
        assert_eq!(
            (reply.text.as_str(), reply.usage),
            ("ü→\u{1f600}", Some(expected))
        );
        assert_eq!(reply.answered_model.as_deref(), Some("m"));
        let calls: Vec<(&str, &Arguments)> = reply
            .calls
            .iter()
            .map(|call| (call.id.as_str(), &call.arguments))
            .collect();
        let (first, second) = (Arguments::Json(json!({"n": 1})), Arguments::Json(json!({})));
        assert_eq!(calls, [("a", &first), ("b", &second)], "chunks of {size}");
    }
}

#[test]
fn the_request_asks_for_a_stream_with_its_usage() {
    let server = Server::raw(vec![server::streamed(EVENTS, 64)]);
    asked(&server).unwrap();
    let body = server.bodies().remove(0);
    assert_eq!(body["stream"], json!(true));
    assert_eq!(body["stream_options"], json!({"include_usage": true}));
}

#[test]
fn a_stream_that_breaks_off_is_no_answer_and_says_what_came_last() {
    let end = EVENTS.find("\"finish_reason\"").unwrap();
    for length in [0, 40, end / 2, end] {
        let message = bad(server::cut(EVENTS, length));
        assert!(message.contains("was cut off"), "after {length}: {message}");
    }
    let words = "data: {\"choices\":[{\"delta\":{\"content\":\"41\"}}]}\n\n";
    let message = bad(server::streamed(words, 999));
    assert!(
        message.contains("before its last event") && message.contains("41"),
        "{message}"
    );
}

#[test]
fn an_answer_that_ended_stands_when_only_its_usage_is_missing() {
    let end = EVENTS.find("data: {\"choices\":[],\"usage\"").unwrap();
    for answer in [
        server::cut(EVENTS, end),
        server::streamed(&EVENTS[..end], 64),
    ] {
        let reply = answered(answer).unwrap();
        assert_eq!((reply.calls.len(), reply.usage), (2, None));
    }
}

#[test]
fn an_error_before_the_answer_is_refused_and_one_within_it_is_not() {
    let error = "data: {\"error\": {\"message\": \"slow down\", \"code\": 429}}\n\n";
    let first = answered(server::streamed(error, 9)).unwrap_err();
    assert_eq!(first.kind, ProviderErrorKind::Refused(429));
    assert!(first.message.contains("slow down"), "{first}");
    let begun = format!(
        "{}{error}",
        &EVENTS[..200 + EVENTS[200..].find("\n\n").unwrap() + 2]
    );
    let message = bad(server::streamed(&begun, 9));
    assert!(
        message.contains("an error ended the answer: slow down"),
        "{message}"
    );
}

#[test]
fn a_server_that_does_not_stream_or_says_another_type_is_understood() {
    let whole = Server::playing(&["B01.json"]);
    assert_eq!(asked(&whole).unwrap().calls.len(), 1);
    let head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\n\r\n";
    let reply =
        answered(format!("{head}{}", EVENTS.trim_start_matches(": keep-alive\n\n")).into_bytes());
    assert_eq!(reply.unwrap().calls.len(), 2);
    let broken = bad(server::streamed("data: {\"choices\": [\n\n", 99));
    assert!(broken.contains("is not JSON: {\"choices\": ["), "{broken}");
}

#[test]
fn a_call_whose_stream_was_cut_by_the_ceiling_is_malformed() {
    let call: Value = json!({"choices": [{"delta": {"tool_calls": [
        {"index": 0, "id": "a", "function": {"name": "echo", "arguments": "{\"n\":"}},
    ]}, "finish_reason": "length"}]});
    let reply = answered(server::streamed(&format!("data: {call}\n\n"), 11)).unwrap();
    assert_eq!(
        reply.calls[0].arguments,
        Arguments::Malformed("{\"n\":".to_owned())
    );
}
