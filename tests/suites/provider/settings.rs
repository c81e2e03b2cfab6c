//! Settings that an endpoint refuses (B15), and a context that a server cuts in silence (B17).

use super::server::{self, Server};
use super::{error_of, model, provider, run};
use crossbar::provider::{ChatRequest, Message, ProviderErrorKind};
use serde_json::{Value, json};

#[test]
fn b15_a_refused_setting_is_told_with_its_cure_and_the_cure_is_sent() {
    let error = error_of("B15.http");
    assert_eq!(error.kind, ProviderErrorKind::Settings(400));
    let cure = "help: write `max_output_tokens_as: max_completion_tokens` under its `params`";
    assert!(error.message.contains(cure), "{error}");
    let server = Server::playing(&["B11.json"]);
    let mut model = model(&server.base_url());
    for (key, value) in [
        ("max_output_tokens_as", json!("max_completion_tokens")),
        ("max_output_tokens", json!(64)),
    ] {
        model.params.insert(key.to_owned(), value);
    }
    let request = ChatRequest {
        params: model.params.clone(),
        ..ChatRequest::default()
    };
    run(provider(&model).chat(&request)).unwrap();
    let body = server.bodies().remove(0);
    assert_eq!(body["max_completion_tokens"], json!(64));
    assert_eq!(
        body.get("max_tokens").or(body.get("max_output_tokens_as")),
        None
    );
}

#[test]
fn b15_a_refused_setting_is_told_from_a_refused_conversation() {
    let server = Server::playing(&["B15b.http"]);
    let ask = |params: Value| {
        let request = ChatRequest {
            params: serde_json::from_value(params).unwrap(),
            ..ChatRequest::default()
        };
        let asked = provider(&model(&server.base_url()));
        run(asked.chat(&request)).unwrap_err().kind
    };
    assert_eq!(
        ask(json!({"temperature": 0})),
        ProviderErrorKind::Settings(400)
    );
    assert_eq!(ask(json!({})), ProviderErrorKind::Refused(400));
}

#[test]
fn b17_a_longer_conversation_of_fewer_tokens_was_cut_by_the_server() {
    let turns: Value = serde_json::from_slice(&server::case("B17.json")).unwrap();
    let answer =
        |turn: &Value| json!({"choices": [{"message": {"content": "42"}}], "usage": turn["usage"]});
    let answers: Vec<Value> = turns.as_array().unwrap().iter().map(answer).collect();
    let said = |chars: u64| {
        let text = "x".repeat(usize::try_from(chars).unwrap());
        ChatRequest {
            messages: vec![Message::User(text)],
            ..ChatRequest::default()
        }
    };
    let server = Server::answering(&answers);
    let asked = provider(&model(&server.base_url()));
    let chars = |at: usize| turns[at]["sent_chars"].as_u64().unwrap();
    run(asked.chat(&said(chars(0)))).unwrap();
    let error = run(asked.chat(&said(chars(1)))).unwrap_err();
    assert_eq!(error.kind, ProviderErrorKind::BadReply);
    assert!(error.message.contains("(3900, then 2048)"), "{error}");
    assert!(error.message.contains("OLLAMA_CONTEXT_LENGTH"), "{error}");

    // A shorter request may well have fewer tokens.
    let server = Server::answering(&answers);
    let asked = provider(&model(&server.base_url()));
    for chars in [chars(0), 10] {
        run(asked.chat(&said(chars))).unwrap();
    }
}
