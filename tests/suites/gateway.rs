//! The gateway from outside: a program's requests over a socket, a scripted endpoint behind it. Whom
//! it answers, what it passes on, and what it writes down of an answer that came whole or was cut.

use crossbar::domain::{
    CellId, Clock, ExchangeEnd, Leash, LimitKind, Limits, Model, ModelLimits, Price, Recording,
    Relay, RelayStop, RolloutKey, TaskId,
};
use crossbar::gateway::{Gateway, Terms, protocol};
use crossbar::provider::{Lines, Tape, WorkClock};
use crossbar_suites::crowd::Crowd;
use crossbar_suites::scripted_model::{Move, ScriptedModel};
use serde_json::json;
use std::collections::BTreeMap;
use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::sync::Arc;
use std::time::Duration;
use tokio::runtime::Runtime;

const KEY: &str = "cb-the-real-key-0123456789";

struct Still;

impl Clock for Still {
    fn monotonic(&self) -> Duration {
        Duration::ZERO
    }

    fn since_epoch(&self) -> Duration {
        Duration::ZERO
    }
}

/// A gateway, and what it runs on as long as a request is under way.
struct Served {
    runtime: Runtime,
    gateway: Gateway,
}

fn served(base_url: &str, limits: Limits) -> Served {
    taped(base_url, limits, Tape::default())
}

fn taped(base_url: &str, limits: Limits, tape: Tape) -> Served {
    bounded(
        "claude-cli",
        (base_url, limits),
        (ModelLimits::default(), tape),
    )
}

fn served_by(provider: &str, base_url: &str, limits: Limits) -> Served {
    let free = (ModelLimits::default(), Tape::default());
    bounded(provider, (base_url, limits), free)
}

fn bounded(
    provider: &str,
    (base_url, limits): (&str, Limits),
    (of_model, tape): (ModelLimits, Tape),
) -> Served {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    let model = Model {
        id: "m".to_owned(),
        provider: provider.to_owned(),
        model: "m-1".to_owned(),
        base_url: Some(base_url.to_owned()),
        api_key_env: None,
        price: Price::Unknown,
        params: BTreeMap::from([("max_output_tokens".to_owned(), json!(64))]),
        limits: of_model,
        skill: 1.0,
        recover: 0.0,
    };
    let terms = Terms {
        protocol: protocol(provider).unwrap(),
        model: &model,
        secret: Some(KEY),
        limits,
        meter: None,
        bounds: Lines::default().bounds(&model),
        clock: Arc::new(WorkClock::new(Arc::new(Still))),
        tape,
    };
    let gateway = runtime.block_on(Gateway::open(terms)).unwrap();
    Served { runtime, gateway }
}

impl Served {
    /// Everything that comes back, the head with it.
    fn send(&self, head: &str, key: &str, body: &str) -> String {
        let address = self.gateway.base_url().strip_prefix("http://").unwrap();
        let address = address.to_owned();
        let request = format!(
            "{head} HTTP/1.1\r\nHost: here\r\nx-api-key: {key}\r\nConnection: close\r\n\
             Content-Length: {}\r\n\r\n{body}",
            body.len()
        );
        let answer = self.runtime.block_on(async {
            let exchanged = tokio::task::spawn_blocking(move || exchange(&address, &request));
            exchanged.await.unwrap()
        });
        String::from_utf8_lossy(&answer).into_owned()
    }

    fn ask(&self) -> String {
        self.offer(&[])
    }

    /// A model call that offers these tools.
    fn offer(&self, tools: &[&str]) -> String {
        let tools: Vec<_> = tools.iter().map(|name| json!({"name": name})).collect();
        let body = json!({
            "model": "m-1", "max_tokens": 10, "stream": true, "messages": [], "tools": tools,
        });
        let token = self.gateway.token().to_owned();
        self.send("POST /v1/messages?beta=true", &token, &body.to_string())
    }

    fn stop(&self) -> RelayStop {
        self.runtime.block_on(self.gateway.stopped())
    }
}

fn exchange(address: &str, request: &str) -> Vec<u8> {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.write_all(request.as_bytes()).unwrap();
    let mut answer = Vec::new();
    // A connection that is broken off is what some tests are about.
    let _ = stream.read_to_end(&mut answer);
    answer
}

fn status(answer: &str) -> &str {
    answer.split(' ').nth(1).unwrap_or_default()
}

#[test]
fn it_answers_who_shows_the_token_and_puts_the_key_in() {
    let model = ScriptedModel::start(|_| Move::say("hello"));
    let served = served(&model.base_url(), Limits::default());
    for stranger in ["", "crossbar-00000000000000000000000000000000", KEY] {
        let answer = served.send("POST /v1/messages?beta=true", stranger, "{}");
        assert_eq!(status(&answer), "401", "{answer}");
    }
    assert_eq!(
        (model.asks().len(), served.gateway.exchanges().len()),
        (0, 0)
    );
    let answer = served.ask();
    assert!(
        answer.contains("text/event-stream") && answer.contains("message_stop"),
        "{answer}"
    );
    let ask = model.asks().remove(0);
    assert_eq!(ask.key.as_deref(), Some(KEY));
    assert!(
        ask.line.starts_with("POST /v1/messages?beta=true "),
        "{}",
        ask.line
    );
    let exchange = served.gateway.exchanges().remove(0);
    assert_eq!(exchange.end, ExchangeEnd::Complete);
    assert_eq!(exchange.requested.as_deref(), Some("m-1"));
    assert_eq!(exchange.usage.map(|usage| usage.budgeted()), Some(1240));
    // Without a price there is no cost, and it is not nothing.
    assert_eq!(exchange.cost, None);
}

#[test]
fn only_the_paths_of_the_protocol_lead_on() {
    let model = ScriptedModel::start(|_| Move::say("hello"));
    let served = served(&model.base_url(), Limits::default());
    let token = served.gateway.token().to_owned();
    for other in [
        "POST /v1/files",
        "POST /",
        "GET /v1/messages",
        "DELETE /v1/messages",
    ] {
        let answer = served.send(other, &token, "{}");
        assert_eq!(status(&answer), "404", "{other}: {answer}");
    }
    assert_eq!(status(&served.send("HEAD /", "", "")), "200");
    let counted = served.send("POST /v1/messages/count_tokens?beta=true", &token, "{}");
    assert!(counted.contains("\"input_tokens\""), "{counted}");
    assert_eq!(served.gateway.exchanges().len(), 0);
}

#[test]
fn what_was_counted_before_a_cut_is_kept_and_the_rest_is_unknown() {
    let model = ScriptedModel::start(|_| Move::Cut);
    let served = served(&model.base_url(), Limits::default());
    let answer = served.ask();
    assert!(answer.contains("message_start"), "{answer}");
    assert!(
        !answer.ends_with("0\r\n\r\n"),
        "the cut reaches the program: {answer}"
    );
    let exchange = served.gateway.exchanges().remove(0);
    assert_eq!(exchange.end, ExchangeEnd::Cut);
    assert_eq!(exchange.seen.map(|usage| usage.input()), Some(1500));
    assert_eq!((exchange.usage, exchange.cost), (None, None));
}

#[test]
fn a_program_without_a_turn_limit_has_one_here() {
    let model = ScriptedModel::start(|ask| match ask.number {
        1 => Move::refuse(529),
        _ => Move::say("again"),
    });
    let limits = Limits {
        max_steps: 2,
        ..Limits::default()
    };
    let served = served(&model.base_url(), limits);
    let statuses: Vec<String> = (0..4).map(|_| status(&served.ask()).to_owned()).collect();
    // A request that was turned away is no step.
    assert_eq!(statuses, ["529", "200", "200", "403"]);
    assert_eq!(served.stop(), RelayStop::Limit(LimitKind::Steps));
    assert_eq!(model.asks().len(), 3);
}

#[test]
fn a_call_that_is_one_too_many_never_reaches_the_program() {
    let model = ScriptedModel::start(|_| Move::call("mcp__desk__drop", &json!({"id": 7})));
    let limits = Limits {
        max_tool_calls: Some(1),
        ..Limits::default()
    };
    let served = served(&model.base_url(), limits);
    assert!(served.ask().contains("mcp__desk__drop"));
    let second = served.ask();
    assert!(!second.contains("mcp__desk__drop"), "{second}");
    assert_eq!(served.stop(), RelayStop::ToolCalls { allowed: 1 });
    let exchange = served.gateway.exchanges().remove(1);
    assert_eq!(exchange.stopped_call.as_deref(), Some("mcp__desk__drop"));
}

#[test]
fn an_endpoint_that_is_not_there_took_nothing() {
    let served = served("http://127.0.0.1:9", Limits::default());
    let answer = served.ask();
    assert_eq!(status(&answer), "502", "{answer}");
    assert!(
        answer.contains("no connection to its `base_url`"),
        "{answer}"
    );
    assert_eq!(served.gateway.exchanges()[0].end, ExchangeEnd::Refused);
}

#[test]
fn what_the_roster_bounds_a_model_by_holds_for_a_program_too() {
    let crowd = Crowd::default();
    let seen = crowd.clone();
    let model = ScriptedModel::start(move |_| {
        let _here = seen.enter(1);
        Move::say("hello")
    });
    let limits = ModelLimits {
        concurrency: Some(1),
        requests_per_minute: None,
    };
    let served = bounded(
        "claude-cli",
        (&model.base_url(), Limits::default()),
        (limits, Tape::default()),
    );
    let address = served.gateway.base_url().replace("http://", "");
    let request = format!(
        "POST /v1/messages?beta=true HTTP/1.1\r\nHost: here\r\nx-api-key: {}\r\n\
         Connection: close\r\nContent-Length: 2\r\n\r\n{{}}",
        served.gateway.token()
    );
    let ask = || {
        let (address, request) = (address.clone(), request.clone());
        tokio::task::spawn_blocking(move || exchange(&address, &request))
    };
    let _guard = served.runtime.enter();
    let (one, two) = (ask(), ask());
    served.runtime.block_on(async {
        one.await.unwrap();
        two.await.unwrap();
    });
    assert_eq!((crowd.most(), model.asks().len()), (1, 2));
}

/// The recording of a tape that wrote down.
fn recording(tape: &Tape) -> Recording {
    Recording {
        key: RolloutKey {
            cell: CellId::parse("m+claude-code").unwrap(),
            task: TaskId::parse("desk::one").unwrap(),
            repeat: 1,
        },
        begun_at: "2026-11-30T10:00:00.000Z".to_owned(),
        exchanges: tape.exchanges().unwrap(),
    }
}

#[test]
fn a_recording_is_played_to_a_program_and_nobody_is_behind_the_gateway() {
    let model = ScriptedModel::start(|ask| match ask.number {
        1 => Move::refuse(529),
        2 => Move::Cut,
        _ => Move::say("hello"),
    });
    let (tape, limits) = (Tape::recording(), Limits::default);
    let live = taped(&model.base_url(), limits(), tape.clone());
    let body = |answer: String| answer.split_once("\r\n\r\n").unwrap().1.to_owned();
    let told = |answer: String| (status(&answer).to_owned(), without_chunks(&body(answer)));
    let then = [1, 2, 3].map(|_| told(live.ask()));
    assert_eq!(then[0].0, "529");
    assert!(then[2].1.contains("message_stop"), "{then:?}");
    let recording = recording(&tape);
    let text = serde_json::to_string(&recording).unwrap();
    assert!(
        !text.contains(KEY) && !text.contains(live.gateway.token()),
        "{text}"
    );
    let tape = Tape::playing(recording, Duration::ZERO);
    // Nobody listens there, and no key is needed.
    let played = taped("http://127.0.0.1:9", limits(), tape.clone());
    let now = [1, 2, 3].map(|_| told(played.ask()));
    assert_eq!(now, then);
    let seen = |served: &Served| {
        let exchanges = served.gateway.exchanges().into_iter();
        let seen = exchanges.map(|one| (one.end, one.status, one.seen, one.usage, one.message));
        seen.collect::<Vec<_>>()
    };
    assert_eq!(seen(&played), seen(&live));
    assert_eq!((tape.refused(), tape.left()), (None, None));
    assert_eq!(model.asks().len(), 3);
    let more = played.ask();
    assert_eq!(status(&more), "502");
    assert!(more.contains("request 4 is one too many"), "{more}");
    assert!(tape.refused().unwrap().contains("the recording has 3"));
}

/// A body without the sizes of its chunks: a recording has it in one.
fn without_chunks(body: &str) -> String {
    let is_size = |line: &&str| !line.is_empty() && line.bytes().all(|b| b.is_ascii_hexdigit());
    let lines = body.split("\r\n").filter(|line| !is_size(line));
    lines.collect()
}

#[test]
fn a_first_request_that_offers_other_tools_than_it_has_to_goes_no_further() {
    let model = ScriptedModel::start(|_| Move::say("hello"));
    for (offered, status_of_it) in [
        (&["put", "get"][..], "200"),
        (&["get"], "403"),
        (&[], "403"),
    ] {
        let served = served(&model.base_url(), Limits::default());
        let tools = Some(vec!["get".to_owned(), "put".to_owned()]);
        let tries = None;
        served.gateway.hold_to(Leash { tools, tries });
        assert_eq!(status(&served.offer(offered)), status_of_it, "{offered:?}");
        if status_of_it == "200" {
            // What it offers later on is its own business.
            assert_eq!(status(&served.ask()), "200");
        } else {
            let offered = offered.iter().map(|name| (*name).to_owned()).collect();
            assert_eq!(served.stop(), RelayStop::Offered(offered));
        }
    }
    assert_eq!(model.asks().len(), 2);
}

#[test]
fn a_model_that_fails_again_and_again_is_not_asked_any_more() {
    let model = ScriptedModel::start(|ask| match ask.number {
        1 | 3 => Move::refuse(529),
        4 => Move::Cut,
        _ => Move::say("again"),
    });
    let served = served(&model.base_url(), Limits::default());
    let (tools, tries) = (None, Some(2));
    served.gateway.hold_to(Leash { tools, tries });
    let statuses: Vec<String> = (0..5).map(|_| status(&served.ask()).to_owned()).collect();
    // An answer that came whole begins the count again.
    assert_eq!(statuses, ["529", "200", "529", "200", "403"]);
    assert_eq!(served.stop(), RelayStop::Failed { tries: 2 });
    assert_eq!(model.asks().len(), 4);
}

#[test]
fn a_stream_of_a_chat_completion_is_asked_for_its_tokens_and_bounded() {
    let model = ScriptedModel::start(|_| Move::say("hello"));
    let served = served_by("opencode-cli", &model.base_url(), Limits::default());
    let token = served.gateway.token().to_owned();
    let body = json!({"model": "m-1", "stream": true, "messages": []}).to_string();
    let answer = served.send("POST /v1/chat/completions", &token, &body);
    assert!(answer.contains("[DONE]"), "{answer}");
    let ask = model.asks().remove(0);
    assert_eq!(ask.body["stream_options"], json!({"include_usage": true}));
    assert_eq!(ask.body["max_tokens"], 64);
    assert_eq!(ask.key.as_deref(), Some(KEY));
    let exchange = served.gateway.exchanges().remove(0);
    assert_eq!(exchange.end, ExchangeEnd::Complete);
    assert_eq!(exchange.usage.map(|usage| usage.budgeted()), Some(1240));
}
