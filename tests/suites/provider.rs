//! The providers against a server on loopback that plays the answers which broke tools like this
//! one (cases B*, C*, A07, A09): here the exchange of `openai` itself, in `loops` what the harness
//! `react` makes of it, in `streams` answers in pieces, in `anthropic` the Messages API. The server counts connections and requests, and keeps what it was sent.

use crossbar::domain::{
    Budget, BudgetError, BudgetLimit, CellId, Model, Price, PricePerMtok, Reservation, RolloutKey,
    Script, TaskId, Usage, Usd,
};
use crossbar::provider::{
    ChatReply, ChatRequest, Message, Meter, Provider, ProviderError, ProviderErrorKind, Setup,
    WorkClock,
};
use serde_json::json;
use std::collections::BTreeMap;
use std::future::Future;
use std::sync::Arc;

#[path = "provider/anthropic.rs"]
mod anthropic;
#[path = "provider/loops.rs"]
mod loops;
#[path = "provider/server.rs"]
mod server;
#[path = "provider/settings.rs"]
mod settings;
#[path = "provider/streams.rs"]
mod streams;

use server::Server;

const KEY: &str = "tv-demo-0123456789abcdef";

fn run<F: Future>(future: F) -> F::Output {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build();
    runtime.unwrap().block_on(future)
}

fn model(base_url: &str) -> Model {
    Model {
        id: "small".to_owned(),
        provider: "openai".to_owned(),
        model: "vendor/small-1".to_owned(),
        base_url: Some(base_url.to_owned()),
        api_key_env: Some("DEMO_KEY".to_owned()),
        price: Price::Free,
        params: BTreeMap::new(),
        skill: 1.0,
        recover: 1.0,
    }
}

fn provider(model: &Model) -> Box<dyn Provider> {
    let setup = Setup {
        secret: Some(KEY.to_owned()),
        ..Setup::default()
    };
    crossbar::provider::build(model, &setup).unwrap()
}

/// The reply, or error, to a plain request that is answered with a case file.
fn answered_with(file: &str) -> Result<ChatReply, ProviderError> {
    let server = Server::playing(&[file]);
    let request = ChatRequest {
        messages: vec![Message::User("hi".to_owned())],
        ..ChatRequest::default()
    };
    run(provider(&model(&server.base_url())).chat(&request))
}

fn text_of(file: &str) -> (String, String) {
    let reply = answered_with(file).unwrap();
    (reply.text.clone(), reply.raw().to_owned())
}

fn error_of(file: &str) -> ProviderError {
    answered_with(file).unwrap_err()
}

#[test]
fn a_request_is_one_post_with_the_key_and_nothing_unset() {
    let server = Server::playing(&["B11.json"]);
    let mut model = model(&format!("{}/", server.base_url()));
    model.params = BTreeMap::from([
        ("temperature".to_owned(), json!(0)),
        ("max_output_tokens".to_owned(), json!(64)),
    ]);
    let request = ChatRequest {
        system: Some("be brief".to_owned()),
        messages: vec![Message::User("hi".to_owned())],
        params: model.params.clone(),
        response_format: Some(json!({"type": "json_object"})),
        ..ChatRequest::default()
    };
    let provider = provider(&model);
    let reply = run(provider.chat(&request)).unwrap();
    assert_eq!(reply.answered_model.as_deref(), Some("m"));
    assert_eq!((server.connections(), server.heads().len()), (1, 1));
    let head = server.heads().remove(0);
    assert!(
        head.starts_with("POST /v1/chat/completions HTTP/1.1\r\n"),
        "{head}"
    );
    assert!(
        head.contains(&format!("authorization: Bearer {KEY}")),
        "{head}"
    );
    assert!(head.contains("content-type: application/json"), "{head}");
    let body = server.bodies().remove(0);
    assert_eq!(body.to_string().len() as u64, provider.wire_bytes(&request));
    assert_eq!(
        body,
        json!({
            "model": "vendor/small-1",
            "messages": [{"role": "system", "content": "be brief"}, {"role": "user", "content": "hi"}],
            "temperature": 0,
            "max_tokens": 64,
            "response_format": {"type": "json_object"},
        })
    );
}

#[test]
fn b06_thoughts_are_taken_off_the_answer_and_kept_in_the_trace() {
    let (text, raw) = text_of("B06.json");
    assert_eq!(
        (text.as_str(), raw.as_str()),
        ("42", "<think>maybe 17?</think>\n42")
    );
    assert_eq!(text_of("B06b.json").0, "42");
    let (text, raw) = text_of("B06c.json");
    assert_eq!(text, raw);
    assert!(text.contains("`<think>x</think>`"));
}

#[test]
fn b09_an_error_under_status_200_is_an_error() {
    let error = error_of("B09.http");
    assert_eq!(error.kind, ProviderErrorKind::Refused(429));
    assert!(error.message.contains("upstream failed"), "{error}");
    assert!(
        error.message.contains("pool is busy, retry shortly"),
        "{error}"
    );
    assert_eq!(error_of("B09b.http").kind, ProviderErrorKind::BadReply);
    let empty = Server::answering(&[json!({"choices": []}), json!({"choices": [{}]}), json!([])]);
    let provider = provider(&model(&empty.base_url()));
    for _ in 0..3 {
        let error = run(provider.chat(&ChatRequest::default())).unwrap_err();
        assert_eq!(error.kind, ProviderErrorKind::BadReply);
    }
}

#[test]
fn b11_usage_is_derived_where_possible_and_unknown_otherwise() {
    assert_eq!(answered_with("B11.json").unwrap().usage, None);
    assert_eq!(answered_with("B11b.json").unwrap().usage, None);
    let derived = answered_with("B11c.json").unwrap();
    assert_eq!(derived.text, "42");
    assert_eq!(
        derived.usage,
        Some(Usage {
            input_uncached: 90,
            output: 30,
            ..Usage::default()
        })
    );
}

#[test]
fn b21_pages_and_cut_bodies_are_provider_errors_with_an_excerpt() {
    let page = error_of("B21.http");
    assert_eq!(page.kind, ProviderErrorKind::Status(502));
    assert!(page.message.contains("<h1>502</h1>"), "{page}");
    let cut = error_of("B21b.http");
    assert_eq!(cut.kind, ProviderErrorKind::BadReply);
    assert!(cut.message.contains("{\"id\":\"c1\",\"choices\""), "{cut}");
}

#[test]
fn no_tools_means_no_tools_key_and_a_script_is_never_sent() {
    let server = Server::playing(&["B11.json"]);
    let mut script = Script::default();
    script
        .call("desk.echo", json!({"n": "words of the demo"}))
        .say("words of the demo");
    let setup = Setup {
        secret: Some(KEY.to_owned()),
        script: Some(&script),
        seed: 1,
        ..Setup::default()
    };
    let provider = crossbar::provider::build(&model(&server.base_url()), &setup).unwrap();
    run(provider.chat(&ChatRequest::default())).unwrap();
    let body = server.bodies().remove(0);
    assert_eq!(body.get("tools"), None);
    assert!(!body.to_string().contains("words of the demo"), "{body}");
}

#[test]
fn the_key_is_in_no_message() {
    let echo = format!(
        "HTTP/1.1 401 Unauthorized\r\n\r\n{{\"error\": {{\"message\": \"bad key {KEY}\"}}}}"
    );
    let server = Server::raw(vec![echo.into_bytes()]);
    let error =
        run(provider(&model(&server.base_url())).chat(&ChatRequest::default())).unwrap_err();
    assert_eq!(error.kind, ProviderErrorKind::Settings(401));
    assert!(error.message.contains("bad key ***"), "{error}");
    let nowhere = model(&format!("http://user:{KEY}@127.0.0.1:1/v1?key={KEY}"));
    let error = run(provider(&nowhere).chat(&ChatRequest::default())).unwrap_err();
    assert_eq!(error.kind, ProviderErrorKind::Unreachable);
    assert!(!error.message.contains(KEY), "{error}");
}

#[test]
fn a_redirect_is_not_followed_and_nothing_is_sent_twice() {
    let elsewhere = Server::playing(&["B11.json"]);
    let to = format!(
        "HTTP/1.1 307 Moved\r\nLocation: {}/chat/completions\r\n\r\n",
        elsewhere.base_url()
    );
    let server = Server::raw(vec![to.into_bytes()]);
    let error =
        run(provider(&model(&server.base_url())).chat(&ChatRequest::default())).unwrap_err();
    assert_eq!(error.kind, ProviderErrorKind::Status(307));
    assert_eq!((server.heads().len(), elsewhere.connections()), (1, 0));
}

#[test]
fn what_the_roster_lacks_is_said_before_anything_is_sent() {
    let refused = |change: fn(&mut Model), secret: Option<&str>| {
        let mut model = model("http://127.0.0.1:1/v1");
        change(&mut model);
        let setup = Setup {
            secret: secret.map(str::to_owned),
            ..Setup::default()
        };
        let error = crossbar::provider::build(&model, &setup).err().unwrap();
        assert_eq!(error.kind, ProviderErrorKind::Configuration);
        error.message
    };
    assert!(refused(|m| m.base_url = None, Some(KEY)).contains("base_url"));
    assert!(refused(|m| m.base_url = Some("ftp://x".to_owned()), Some(KEY)).contains("base_url"));
    assert!(refused(|_| (), None).contains("DEMO_KEY"));
    assert!(
        refused(
            |m| drop(m.params.insert("messages".to_owned(), json!([]))),
            Some(KEY)
        )
        .contains("messages")
    );
    assert!(!refused(|_| (), Some("line\nbreak-in-the-key")).contains("break-in-the-key"));
}

/// Refuses everything.
struct Empty;

impl Budget for Empty {
    fn reserve(&self, _: &RolloutKey, worst_case: Usd) -> Result<Reservation, BudgetError> {
        Err(BudgetError::Refused { asked: worst_case })
    }

    fn settle(&self, _: Reservation, _: Option<Usd>) -> Result<(), BudgetError> {
        panic!("nothing was reserved")
    }
}

#[test]
fn a_refused_reservation_opens_no_connection() {
    let server = Server::playing(&["B11.json"]);
    let mut model = model(&server.base_url());
    model.price = Price::PerMtok(PricePerMtok {
        input: Usd::from_micros(1_000_000),
        output: Usd::from_micros(1_000_000),
        cache_read: None,
        cache_write_5m: None,
        cache_write_1h: None,
        as_of: None,
    });
    let meter = Meter {
        budget: Arc::new(Empty),
        limit: BudgetLimit::Usd(Usd::ZERO),
        clock: Arc::new(WorkClock::new(Arc::new(loops::Still))),
        key: RolloutKey {
            cell: CellId::parse("small+react").unwrap(),
            task: TaskId::parse("p::t").unwrap(),
            repeat: 1,
        },
    };
    let kind = crossbar::provider::kind("openai").unwrap();
    let metered = crossbar::provider::metered(provider(&model), &model, kind, meter).unwrap();
    let error = run(metered.chat(&ChatRequest::default())).unwrap_err();
    assert!(matches!(
        error.kind,
        ProviderErrorKind::Budget(BudgetError::Refused { .. })
    ));
    assert_eq!(server.connections(), 0);
}
