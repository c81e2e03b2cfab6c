//! The provider `anthropic`: its requests and answers, whole and in pieces (cases C*).

use super::loops::{Looped, desk, driven};
use super::server::{self, Server};
use super::{KEY, provider, run};
use crossbar::domain::{CallOutcome, CutShort, Model, Price, PricePerMtok, Usage, Usd};
use crossbar::provider::{ChatReply, ChatRequest, Message, ProviderError, ProviderErrorKind};
use serde_json::{Value, json};

fn model(server: &Server) -> Model {
    let base = server.base_url();
    Model {
        provider: "anthropic".to_owned(),
        base_url: Some(base),
        ..super::model("")
    }
}

fn request() -> ChatRequest {
    ChatRequest {
        system: Some("be brief".to_owned()),
        messages: vec![Message::User("hi".to_owned())],
        ..ChatRequest::default()
    }
}

fn asked(server: &Server) -> Result<ChatReply, ProviderError> {
    run(provider(&model(server)).chat(&request()))
}

fn answered(file: &str) -> Result<ChatReply, ProviderError> {
    asked(&Server::playing(&[file]))
}

fn json_of(file: &str) -> Value {
    serde_json::from_slice(&server::case(file)).unwrap()
}

/// The events in which the API sends a message.
fn events_of(message: &Value) -> String {
    let mut start = message.clone();
    start["content"] = json!([]);
    start["stop_reason"] = Value::Null;
    start["usage"]["output_tokens"] = json!(1);
    let mut events = vec![
        json!({"type": "message_start", "message": start}),
        json!({"type": "ping"}),
    ];
    for (index, block) in message["content"].as_array().unwrap().iter().enumerate() {
        let mut begun = block.clone();
        let mut deltas = Vec::new();
        for (key, kind, name) in [
            ("text", "text_delta", "text"),
            ("thinking", "thinking_delta", "thinking"),
            ("signature", "signature_delta", "signature"),
        ] {
            if let Some(text) = block[key].as_str() {
                begun[key] = json!("");
                deltas.push(json!({"type": kind, name: text}));
            }
        }
        if block["type"] == "tool_use" {
            begun["input"] = json!({});
            let input = block["input"].to_string();
            let (first, second) = input.split_at(1);
            for piece in ["", first, second] {
                deltas.push(json!({"type": "input_json_delta", "partial_json": piece}));
            }
        }
        events.push(json!({"type": "content_block_start", "index": index, "content_block": begun}));
        let delta = |delta| json!({"type": "content_block_delta", "index": index, "delta": delta});
        events.extend(deltas.into_iter().map(delta));
        events.push(json!({"type": "content_block_stop", "index": index}));
    }
    let mut end = json!({"stop_reason": message["stop_reason"], "stop_sequence": null});
    end["stop_details"] = message["stop_details"].clone();
    let usage = json!({"output_tokens": message["usage"]["output_tokens"]});
    events.push(json!({"type": "message_delta", "delta": end, "usage": usage}));
    events.push(json!({"type": "message_stop"}));
    let event = |event: &Value| {
        format!(
            "event: {}\ndata: {event}\n\n",
            event["type"].as_str().unwrap()
        )
    };
    events.iter().map(event).collect()
}

#[test]
fn a_request_has_its_key_and_version_in_headers_and_the_system_prompt_apart() {
    let server = Server::playing(&["C05.json"]);
    let reply = asked(&server).unwrap();
    assert_eq!(reply.answered_model.as_deref(), Some("m"));
    assert_eq!((server.connections(), server.heads().len()), (1, 1));
    let head = server.heads().remove(0);
    assert!(head.starts_with("POST /v1/messages HTTP/1.1\r\n"), "{head}");
    for header in [
        &format!("x-api-key: {KEY}"),
        "anthropic-version: 2023-06-01",
    ] {
        assert!(head.contains(header), "{head}");
    }
    assert!(!head.contains("authorization"), "{head}");
    let content = json!([{"type": "text", "text": "hi"}]);
    let expected = json!({
        "model": "vendor/small-1",
        "max_tokens": 4096,
        "system": "be brief",
        "messages": [{"role": "user", "content": content}],
    });
    let body = server.bodies().remove(0);
    assert_eq!(body, expected);
    let bytes = provider(&model(&server)).wire_bytes(&request());
    assert_eq!(bytes, body.to_string().len() as u64);
}

#[test]
fn a_base_url_may_end_with_the_version_or_without_it() {
    let server = Server::playing(&["C05.json"]);
    let with = server.base_url();
    let without = with.strip_suffix("/v1").unwrap();
    for base in [&with, without, &format!("{with}/")] {
        let mut model = model(&server);
        model.base_url = Some(base.to_owned());
        run(provider(&model).chat(&request())).unwrap();
    }
    for head in server.heads() {
        assert!(head.starts_with("POST /v1/messages "), "{head}");
    }
}

#[test]
fn without_a_base_url_the_own_host_is_asked_and_wants_a_key() {
    let mut model = model(&Server::playing(&["C05.json"]));
    model.base_url = None;
    model.api_key_env = None;
    let refused = crossbar::provider::build(&model, &crossbar::provider::Setup::default());
    let message = refused.err().unwrap().message;
    assert!(
        message.contains("https://api.anthropic.com wants a key"),
        "{message}"
    );
}

#[test]
fn c01_an_overloaded_api_is_refused_whole_and_in_a_stream() {
    let whole = answered("C01.http").unwrap_err();
    assert_eq!(whole.kind, ProviderErrorKind::Refused(529));
    assert!(whole.message.contains("Overloaded"), "{whole}");
    let error = "event: error\ndata: {\"type\": \"error\", \"error\": {\"type\": \"overloaded_error\", \"message\": \"Overloaded\"}}\n\n";
    let first = asked(&Server::raw(vec![server::streamed(error, 7)])).unwrap_err();
    assert_eq!(first.kind, ProviderErrorKind::Refused(529));
    // Once the message has begun, its input may have to be paid.
    let events = events_of(&json_of("C05.json"));
    let begun = events.find("event: ping").unwrap();
    let late = server::streamed(&format!("{}{error}", &events[..begun]), 7);
    let late = asked(&Server::raw(vec![late])).unwrap_err();
    assert_eq!(late.kind, ProviderErrorKind::BadReply);
    assert!(
        late.message
            .contains("an error ended the answer: Overloaded"),
        "{late}"
    );
}

#[test]
fn c03_a_refusal_is_an_end_with_its_category() {
    let refused = CutShort::Refused {
        category: Some("cyber".to_owned()),
    };
    let whole = answered("C03.json").unwrap();
    let streamed = server::streamed(&events_of(&json_of("C03.json")), 50);
    let streamed = asked(&Server::raw(vec![streamed])).unwrap();
    for reply in [whole, streamed] {
        assert_eq!(reply.cut_short.as_ref(), Some(&refused));
        assert_eq!((reply.text.as_str(), reply.calls.len()), ("", 0));
        assert_eq!(reply.usage.unwrap().output, 10);
    }
    let looped = looped(&["C03.json"]);
    let trajectory = looped.conversation.trajectory();
    assert_eq!((looped.sent.len(), trajectory.steps.len()), (1, 1));
    assert_eq!(trajectory.steps[0].cut_short, Some(refused));
}

fn looped(files: &[&str]) -> Looped {
    let server = Server::playing(files);
    let tools = ["echo", "slow"].map(|tool| desk(tool, json!({})));
    driven(&model(&server), &server, tools.to_vec())
}

#[test]
fn c05_blocks_go_back_unchanged_and_in_order() {
    let expected = json_of("C05.json")["content"].clone();
    let echoed = |looped: &Looped| {
        assert_eq!(looped.calls, [("echo".to_owned(), json!({}))]);
        assert_eq!(looped.sent[1]["messages"][1]["content"], expected);
        let result = &looped.sent[1]["messages"][2]["content"];
        assert_eq!(result[0]["tool_use_id"], "toolu_1");
    };
    echoed(&looped(&["C05.json", "C03.json"]));
    for size in [1, 10, 10_000] {
        let stream = server::streamed(&events_of(&json_of("C05.json")), size);
        let end = server::streamed(&events_of(&json_of("C03.json")), size);
        let server = Server::raw(vec![stream, end]);
        echoed(&driven(
            &model(&server),
            &server,
            vec![desk("echo", json!({}))],
        ));
    }
}

#[test]
fn c06_all_results_of_a_turn_are_one_message_with_their_ids() {
    let looped = looped(&["C06.json", "C03.json"]);
    let outcomes = looped.outcomes();
    assert!(matches!(outcomes[2], CallOutcome::Unknown));
    let messages = looped.sent[1]["messages"].as_array().unwrap();
    assert_eq!(messages.len(), 3);
    let results = messages[2]["content"].as_array().unwrap();
    let told: Vec<(&str, bool)> = results
        .iter()
        .map(|block| {
            assert_eq!(block["type"], "tool_result");
            let id = block["tool_use_id"].as_str().unwrap();
            (id, block["is_error"] == true)
        })
        .collect();
    assert_eq!(
        told,
        [("toolu_a", false), ("toolu_b", false), ("toolu_c", true)]
    );
}

#[test]
fn c08_cache_reads_and_writes_are_priced_by_their_buckets() {
    let case = json_of("C08.json");
    let body = json!({"model": "m", "content": [], "usage": case["usage"]});
    let mut streamed = body.clone();
    streamed["stop_reason"] = json!("end_turn");
    let streamed = server::streamed(&events_of(&streamed), 33);
    let dollars = |key: &str| Usd::from_dollars(case["price_per_mtok"][key].as_f64().unwrap());
    let price = Price::PerMtok(PricePerMtok {
        input: dollars("input").unwrap(),
        output: dollars("output").unwrap(),
        cache_read: dollars("cache_read"),
        cache_write_5m: dollars("cache_write_5m"),
        cache_write_1h: dollars("cache_write_1h"),
        as_of: None,
    });
    for server in [Server::answering(&[body]), Server::raw(vec![streamed])] {
        let usage = asked(&server).unwrap().usage.unwrap();
        let expected = Usage {
            input_uncached: 19,
            cache_read: 39_000,
            cache_write_5m: 3000,
            cache_write_1h: 5000,
            output: 700,
        };
        assert_eq!(usage, expected);
        let expected = Usd::from_dollars(case["expect_usd"].as_f64().unwrap());
        assert_eq!(price.cost(&usage), expected);
    }
}

#[test]
fn a_stream_that_breaks_off_is_no_answer() {
    let events = events_of(&json_of("C05.json"));
    let end = events.find("event: message_delta").unwrap();
    for length in [0, 20, end / 2, end] {
        let server = Server::raw(vec![server::cut(&events, length)]);
        let error = asked(&server).unwrap_err();
        assert_eq!(error.kind, ProviderErrorKind::BadReply, "{error}");
    }
    let without_stop = events.find("event: message_stop").unwrap();
    let server = Server::raw(vec![server::cut(&events, without_stop)]);
    assert_eq!(asked(&server).unwrap().calls.len(), 1);
}

#[test]
fn a_paused_turn_is_sent_back_and_goes_on() {
    let search =
        json!([{"type": "server_tool_use", "id": "srv", "name": "web_search", "input": {}}]);
    let usage = json!({"input_tokens": 9, "output_tokens": 1, "server_tool_use": {"web_search_requests": 1}});
    let paused = json!({"content": search, "stop_reason": "pause_turn", "usage": usage});
    let answer = json!({"content": [{"type": "text", "text": "42"}], "stop_reason": "end_turn"});
    let server = Server::answering(&[paused, answer]);
    let looped = driven(&model(&server), &server, Vec::new());
    let trajectory = looped.conversation.trajectory();
    assert_eq!(trajectory.final_text.as_deref(), Some("42"));
    assert_eq!(looped.sent[1]["messages"][1]["content"], search);
    // A search is billed by the use, so no tokens tell what it cost.
    assert_eq!(trajectory.steps[0].usage, None);
}

#[test]
fn the_key_is_in_no_message_and_follows_no_redirect() {
    let error = json!({"type": "error", "error": {"type": "authentication_error", "message": format!("bad {KEY}")}});
    let answer = format!("HTTP/1.1 401 Unauthorized\r\n\r\n{error}");
    let refused = asked(&Server::raw(vec![answer.into_bytes()])).unwrap_err();
    assert_eq!(refused.kind, ProviderErrorKind::Settings(401));
    assert!(refused.message.contains("bad ***"), "{refused}");
    let elsewhere = Server::playing(&["C05.json"]);
    let to = format!(
        "HTTP/1.1 308 Moved\r\nLocation: {}/messages\r\n\r\n",
        elsewhere.base_url()
    );
    let moved = asked(&Server::raw(vec![to.into_bytes()])).unwrap_err();
    assert_eq!(moved.kind, ProviderErrorKind::Status(308));
    assert_eq!(elsewhere.connections(), 0);
}
