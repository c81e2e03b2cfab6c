//! MCP over streamable HTTP, against a server on loopback: the room `mcp` here; how it fails in
//! `refusals`; tasks with such a server, run by the built binary, in `tasks`.
#![cfg(target_os = "linux")]

use crossbar::mcp::{McpError, RemoteSpec, Server};
use crossbar_suites::http_mcp_server::{Asked, Event, HttpMcpServer, Said};
use serde_json::{Value, json};
use std::time::Duration;
use tokio::time::timeout;

#[path = "mcp_http/refusals.rs"]
mod refusals;
#[path = "mcp_http/tasks.rs"]
mod tasks;

/// Far above anything that a working client needs, far below a test runner's patience.
const SOON: Duration = Duration::from_secs(20);

fn at(url: &str) -> RemoteSpec {
    RemoteSpec {
        name: "desk".to_owned(),
        url: url.to_owned(),
        headers: Vec::new(),
        start_timeout: SOON,
    }
}

async fn connected(server: &HttpMcpServer) -> Server {
    Server::connect(&at(&server.url())).await.unwrap()
}

async fn echo(server: &Server, text: &str) -> String {
    let called = server.call("echo", json!({"text": text}));
    let result = timeout(SOON, called).await.unwrap().unwrap();
    result.content_text
}

async fn failure(server: &Server) -> McpError {
    let called = server.call("echo", json!({}));
    timeout(SOON, called).await.unwrap().unwrap_err()
}

/// A desk whose calls are answered so.
fn on_call(script: impl Fn(&Asked) -> Said + Send + Sync + 'static) -> HttpMcpServer {
    HttpMcpServer::start(move |asked| (asked.method() == "tools/call").then(|| script(asked)))
}

#[tokio::test]
async fn a_session_is_kept_said_and_ended_and_the_revision_is_said() {
    let desk = HttpMcpServer::desk();
    let mut spec = at(&desk.url());
    spec.headers = vec![("X-Desk".to_owned(), "seven".to_owned())];
    let server = Server::connect(&spec).await.unwrap();
    let names: Vec<_> = server.tools().iter().map(|tool| &*tool.name).collect();
    assert_eq!(names, ["add", "all", "echo"]);
    assert_eq!(echo(&server, "hello").await, "hello");
    server.stop().await;
    desk.wait_for("DELETE");
    let asked = desk.asked();
    let order: Vec<_> = asked
        .iter()
        .map(|one| (one.verb.as_str(), one.method()))
        .collect();
    assert_eq!(
        order,
        [
            ("POST", "initialize"),
            ("POST", "notifications/initialized"),
            ("GET", ""),
            ("POST", "tools/list"),
            ("POST", "tools/call"),
            ("DELETE", ""),
        ]
    );
    let first = &asked[0];
    assert_eq!(first.header("mcp-session-id"), "");
    assert_eq!(first.header("mcp-protocol-version"), "");
    for one in &asked {
        assert_eq!(one.header("x-desk"), "seven", "{one:?}");
        if one.verb == "POST" {
            let accept = one.header("accept");
            assert_eq!(accept, "application/json, text/event-stream");
            assert_eq!(one.header("content-type"), "application/json");
        }
    }
    for one in &asked[1..] {
        assert_eq!(one.header("mcp-session-id"), "s1", "{one:?}");
        assert_eq!(one.header("mcp-protocol-version"), "2025-06-18", "{one:?}");
    }
}

#[tokio::test]
async fn answers_come_as_json_as_a_list_or_as_a_stream() {
    let news = json!({"jsonrpc": "2.0", "method": "notifications/message", "params": {}});
    let desk = on_call(move |asked| {
        let mut reply = asked.text("ok");
        match asked.body["params"]["arguments"]["text"].as_str() {
            Some("json") => Said::json(&reply),
            Some("list") => Said::json(&json!([news, reply])),
            Some("text id") => {
                reply["id"] = json!(reply["id"].to_string());
                Said::json(&reply)
            }
            // Every event comes in pieces, and what follows the reply is nobody's.
            _ => Said::Stream(vec![
                Event::Raw(": hello\n\nevent: message\ndata".to_owned()),
                Event::Raw(format!(": {news}\n\n")),
                Event::Message(reply.clone()),
                Event::Message(reply),
            ]),
        }
    });
    let server = connected(&desk).await;
    for text in ["json", "list", "text id", "stream"] {
        assert_eq!(echo(&server, text).await, "ok", "{text}");
    }
}

/// What the client answered to the question with this id.
fn answer(desk: &HttpMcpServer, id: &Value) -> Value {
    let asked = desk.asked();
    let found = asked
        .iter()
        .find(|one| one.body["id"] == *id && one.method().is_empty());
    found.unwrap_or_else(|| panic!("{asked:?}")).body.clone()
}

fn questions() -> Vec<Value> {
    let ask = |id: &str, method: &str, params: Value| json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params});
    let form = json!({"message": "?", "requestedSchema": {"properties": {"n": {"default": 3}}}});
    vec![
        ask("a", "ping", json!({})),
        ask("b", "roots/list", json!({})),
        ask("c", "sampling/createMessage", json!({})),
        ask("d", "elicitation/create", form),
    ]
}

fn answered_like_over_stdio(desk: &HttpMcpServer) {
    let result = |id: &str| answer(desk, &json!(id))["result"].clone();
    assert_eq!(result("a"), json!({}));
    assert_eq!(result("b"), json!({"roots": []}));
    assert_eq!(answer(desk, &json!("c"))["error"]["code"], -32601);
    assert_eq!(
        result("d"),
        json!({"action": "accept", "content": {"n": 3}})
    );
}

#[tokio::test]
async fn questions_in_the_stream_of_a_pending_call_are_answered() {
    let desk = on_call(|asked| {
        let ask = |one: Value| {
            [
                Event::Message(one.clone()),
                Event::AnswerTo(one["id"].clone()),
            ]
        };
        let mut events: Vec<_> = questions().into_iter().flat_map(ask).collect();
        events.push(Event::Message(asked.text("ok")));
        Said::Stream(events)
    });
    let server = connected(&desk).await;
    assert_eq!(echo(&server, "").await, "ok");
    answered_like_over_stdio(&desk);
}

#[tokio::test]
async fn questions_outside_of_answers_are_answered_too() {
    let desk = HttpMcpServer::start(|asked| match (asked.verb.as_str(), asked.method()) {
        ("GET", _) => {
            let mut events: Vec<_> = questions().into_iter().map(Event::Message).collect();
            events.push(Event::Open);
            Some(Said::Stream(events))
        }
        (_, "tools/call") => {
            let mut events: Vec<_> = questions()
                .iter()
                .map(|one| Event::AnswerTo(one["id"].clone()))
                .collect();
            events.push(Event::Message(asked.text("ok")));
            Some(Said::Stream(events))
        }
        _ => None,
    });
    let server = connected(&desk).await;
    assert_eq!(echo(&server, "").await, "ok");
    answered_like_over_stdio(&desk);
}

#[tokio::test]
async fn a_stream_that_was_cut_is_gone_on_with_after_its_last_event() {
    let pending = std::sync::Mutex::new(Value::Null);
    let desk = HttpMcpServer::start(move |asked| {
        let mut pending = pending.lock().unwrap();
        match (asked.method(), asked.header("last-event-id")) {
            ("tools/call", _) => {
                *pending = asked.text("ok");
                Some(Said::Stream(vec![Event::Raw(
                    "id: one\nretry: 20\ndata: \n\nid: never\ndata: cut".to_owned(),
                )]))
            }
            (_, "one") => Some(Said::Stream(vec![Event::Raw(
                "id: two\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/x\"}\n\n"
                    .to_owned(),
            )])),
            (_, "two") => Some(Said::stream(&[pending.clone()])),
            _ => None,
        }
    });
    let server = connected(&desk).await;
    assert_eq!(echo(&server, "").await, "ok");
    let asked = desk.asked();
    let resumed = asked
        .iter()
        .filter(|one| one.verb == "GET" && !one.header("last-event-id").is_empty());
    assert_eq!(resumed.count(), 2);
}

#[tokio::test]
async fn calls_in_parallel_and_a_cancelled_call_leave_the_session_whole() {
    let desk = on_call(
        |asked| match asked.body["params"]["arguments"]["text"].as_str() {
            Some("never") => Said::Silence,
            Some(text) => Said::stream(&[asked.text(text)]),
            None => Said::status(500, ""),
        },
    );
    let server = connected(&desk).await;
    let never = server.call("echo", json!({"text": "never"}));
    assert!(timeout(Duration::from_millis(50), never).await.is_err());
    let (left, right) = tokio::join!(echo(&server, "left"), echo(&server, "right"));
    assert_eq!((left.as_str(), right.as_str()), ("left", "right"));
}

#[tokio::test]
async fn messages_of_many_megabytes_arrive_whole_in_both_directions() {
    let desk = on_call(|asked| {
        let big = asked.text(&"x".repeat(20_000_000));
        match asked.body["params"]["arguments"]["text"]
            .as_str()
            .map(str::len)
        {
            Some(5_000_000) => Said::json(&big),
            _ => Said::stream(&[big]),
        }
    });
    let server = connected(&desk).await;
    assert_eq!(
        echo(&server, &"y".repeat(5_000_000)).await.len(),
        20_000_000
    );
    assert_eq!(echo(&server, "stream").await.len(), 20_000_000);
}
