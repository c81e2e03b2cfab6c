//! The rooms `process` and `mcp` against real processes: servers that print banners and answer
//! oddly, here; servers that die, hang and leave children behind, in `ends`. `cases/mcp_replay.py`
//! plays the faults.
#![cfg(target_os = "linux")]

use crossbar::mcp::{McpError, Server, ServerSpec};
use crossbar::process::Exit;
use serde_json::{Value, json};
use std::io::Write as _;
use std::time::Duration;
use tempfile::NamedTempFile;
use tokio::time::timeout;

#[path = "mcp/ends.rs"]
mod ends;

const CASES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/cases");

/// Far above anything that a working client needs, far below a test runner's patience.
const SOON: Duration = Duration::from_secs(20);

/// A rollout id that no other test and no other run has.
fn rollout(test: &str) -> String {
    format!("{test}-{}", std::process::id())
}

fn python(args: &[&str]) -> ServerSpec {
    let mut spec = ServerSpec::new("demo", "python3");
    spec.args = args.iter().map(|arg| (*arg).to_owned()).collect();
    spec
}

fn recorded(case: &str) -> ServerSpec {
    python(&[
        &format!("{CASES}/mcp_replay.py"),
        &format!("{CASES}/{case}.replay.json"),
    ])
}

/// A case of the test's own; the file lives as long as the value.
fn written(case: &Value) -> (ServerSpec, NamedTempFile) {
    let mut file = NamedTempFile::new().unwrap();
    file.write_all(case.to_string().as_bytes()).unwrap();
    let spec = python(&[
        &format!("{CASES}/mcp_replay.py"),
        file.path().to_str().unwrap(),
    ]);
    (spec, file)
}

async fn started(spec: &ServerSpec, test: &str) -> Server {
    timeout(SOON, Server::start(spec, &rollout(test)))
        .await
        .unwrap()
        .unwrap()
}

async fn refused(spec: &ServerSpec, test: &str) -> McpError {
    timeout(SOON, Server::start(spec, &rollout(test)))
        .await
        .unwrap()
        .unwrap_err()
}

async fn text(server: &Server, args: Value) -> String {
    timeout(SOON, server.call("echo", args))
        .await
        .unwrap()
        .unwrap()
        .content_text
}

async fn failure(server: &Server) -> McpError {
    timeout(SOON, server.call("echo", json!({})))
        .await
        .unwrap()
        .unwrap_err()
}

/// Actions upon `tools/call` that answer with `result`.
fn answer(result: &Value) -> Value {
    json!({"send": {"jsonrpc": "2.0", "id": "$id", "result": result}})
}

fn ok() -> Value {
    answer(&json!({"content": [{"type": "text", "text": "ok"}]}))
}

#[tokio::test]
async fn a01_banners_and_log_lines_are_skipped_and_counted() {
    let server = started(&recorded("A01"), "a01").await;
    assert_eq!(text(&server, json!({})).await, "ok");
    assert_eq!(text(&server, json!({})).await, "ok");
    let noise = server.noise();
    assert_eq!(noise.count, 3);
    assert_eq!(
        noise.sample,
        ["demo-server 1.4.2 ready", "[tool] called", "[tool] called"]
    );
}

#[tokio::test]
async fn a01_log_lines_in_json_and_bytes_that_are_no_text_are_noise_too() {
    let (spec, _file) = written(&json!({"eol": "\r\n", "on": {"tools/call": [
        {"send": {"level": "info", "msg": "hello"}}, {"send": [1, 2]}, {"hex": "fffe41420a"}, {"raw": "\n"}, ok()]}}));
    let server = started(&spec, "a01-json").await;
    assert_eq!(text(&server, json!({})).await, "ok");
    assert_eq!(server.noise().count, 3);
}

#[tokio::test]
async fn a03_notifications_are_consumed_and_a_string_id_is_matched() {
    let server = started(&recorded("A03"), "a03").await;
    assert_eq!(text(&server, json!({})).await, "ok");
    assert_eq!(server.noise().count, 0);
}

#[tokio::test]
async fn a05_all_pages_of_tools_are_read() {
    let server = started(&recorded("A05"), "a05").await;
    let names: Vec<&str> = server
        .tools()
        .iter()
        .map(|tool| tool.name.as_str())
        .collect();
    assert_eq!(names, ["one", "two", "three"]);
}

#[tokio::test]
async fn a05_a_list_that_never_ends_is_refused() {
    let (spec, _file) = written(&json!({"on": {"tools/list": [
        answer(&json!({"tools": [{"name": "a", "inputSchema": {}}], "nextCursor": "same"}))]}}));
    let error = refused(&spec, "a05-loop").await.to_string();
    assert_eq!(
        error,
        "server `demo` can't be used: tools/list gives the same nextCursor twice"
    );
}

#[tokio::test]
async fn a07_names_that_models_refuse_stay_as_they_are_here() {
    let server = started(&recorded("A07"), "a07").await;
    let names: Vec<&str> = server
        .tools()
        .iter()
        .map(|tool| tool.name.as_str())
        .collect();
    assert_eq!(
        names,
        [
            "calendar.read",
            "user-profile/update",
            "disk check",
            &"a".repeat(80)
        ]
    );
}

#[tokio::test]
async fn a09_poor_schemas_cost_no_tool() {
    let server = started(&recorded("A09"), "a09").await;
    let schemas: Vec<&Value> = server
        .tools()
        .iter()
        .map(|tool| &tool.input_schema)
        .collect();
    assert_eq!(schemas, [&json!({"type": "object"}), &json!({})]);
    let (spec, _file) = written(&json!({"on": {"tools/list": [
        answer(&json!({"tools": [{"name": "a"}, {"name": "b", "inputSchema": null}]}))]}}));
    let server = started(&spec, "a09-none").await;
    let schemas: Vec<&Value> = server
        .tools()
        .iter()
        .map(|tool| &tool.input_schema)
        .collect();
    assert_eq!(schemas, [&json!({}), &json!({})]);
}

#[tokio::test]
async fn a13_tool_errors_and_protocol_errors_are_told_apart() {
    let server = started(&recorded("A13"), "a13").await;
    let mut seen = Vec::new();
    for _ in 0..3 {
        let result = server.call("echo", json!({})).await.unwrap();
        seen.push((result.content_text, result.is_error, result.protocol_error));
    }
    let expected = [
        ("order 17 not found", true, false),
        ("MCP error -32602: unknown argument", true, true),
        ("ok", false, false),
    ];
    assert_eq!(
        seen,
        expected.map(|(text, error, protocol)| (text.to_owned(), error, protocol))
    );
}

#[tokio::test]
async fn a14_a_text_that_reads_like_an_error_is_none() {
    let server = started(&recorded("A14"), "a14").await;
    let result = server.call("echo", json!({})).await.unwrap();
    assert_eq!(
        (result.content_text.as_str(), result.is_error),
        ("Lookup error: connection refused", false)
    );
}

#[tokio::test]
async fn a15_results_without_text_still_say_something() {
    let server = started(&recorded("A15"), "a15").await;
    assert_eq!(text(&server, json!({})).await, r#"{"rows":[1,2]}"#);
    assert_eq!(text(&server, json!({})).await, "[image image/png, 8 bytes]");
}

#[tokio::test]
async fn a20_ids_are_small_and_increase() {
    let (spec, _file) = written(&json!({"on": {"tools/call": [
        answer(&json!({"content": [], "structuredContent": {"id": "$id"}}))]}}));
    let server = started(&spec, "a20").await;
    assert_eq!(text(&server, json!({})).await, r#"{"id":3}"#);
    assert_eq!(text(&server, json!({})).await, r#"{"id":4}"#);
}

#[tokio::test]
async fn replies_that_break_the_protocol_never_hang_a_call() {
    let broken = [
        (
            json!({"send": {"jsonrpc": "2.0", "id": "$id", "error": {"code": "E1", "message": "boo"}}}),
            "MCP error: boo",
        ),
        (
            json!({"send": {"jsonrpc": "2.0", "id": null, "error": {"code": -32700, "message": "boo"}}}),
            "MCP error -32700: boo",
        ),
        (
            json!({"send": {"jsonrpc": "2.0", "id": "$id"}}),
            "MCP error: the reply has neither result nor error",
        ),
        (
            json!({"send": {"id": "$id", "result": {"content": "plain"}}}),
            "plain",
        ),
        (
            answer(&json!({"content": [{"type": "hologram"}, {"type": "text", "text": "hi"}]})),
            "[hologram, 19 bytes of JSON]\nhi",
        ),
    ];
    for (action, expected) in broken {
        let (spec, _file) = written(&json!({"on": {"tools/call": [action]}}));
        let server = started(&spec, "broken").await;
        assert_eq!(text(&server, json!({})).await, expected);
    }
}

#[tokio::test]
async fn lines_of_many_megabytes_and_lines_in_pieces_arrive_whole() {
    let (spec, _file) = written(&json!({"on": {"tools/call": [
        [{"big": 20_000_000}],
        [{"split": {"jsonrpc": "2.0", "id": "$id", "result": {"content": [{"type": "text", "text": "in pieces"}]}}, "chunk": 7}]]}}));
    let server = started(&spec, "big").await;
    // As much in the other direction: neither side may block the other.
    assert_eq!(
        text(&server, json!({"text": "y".repeat(5_000_000)}))
            .await
            .len(),
        20_000_000
    );
    assert_eq!(text(&server, json!({})).await, "in pieces");
}

#[tokio::test]
async fn questions_of_the_server_are_answered_while_a_call_is_pending() {
    let (spec, _file) = written(&json!({"on": {"tools/call": [[
        {"send": {"jsonrpc": "2.0", "id": "s1", "method": "ping"}},
        {"send": {"jsonrpc": "2.0", "id": 7, "method": "roots/list"}},
        {"send": {"jsonrpc": "2.0", "id": 8, "method": "sampling/createMessage", "params": {}}},
        ok()], [{"exit": 0}]]}}));
    let server = started(&spec, "questions").await;
    assert_eq!(text(&server, json!({})).await, "ok");
    let error = failure(&server).await;
    let McpError::Died {
        exit: Exit::Code(0),
        stderr,
        ..
    } = error
    else {
        panic!("{error}")
    };
    for reply in [
        r#"client replied {"jsonrpc": "2.0", "id": "s1", "result": {}}"#,
        r#"client replied {"jsonrpc": "2.0", "id": 7, "result": {"roots": []}}"#,
        r#""id": 8, "error": {"code": -32601"#,
    ] {
        assert!(stderr.contains(reply), "no {reply} in {stderr}");
    }
}

#[tokio::test]
async fn calls_in_parallel_and_a_cancelled_call_leave_the_session_whole() {
    let late = json!({"send": {"jsonrpc": "2.0", "id": 3, "result": {"content": "late"}}});
    let (spec, _file) = written(&json!({"on": {"tools/call": [[{"sleep": 0}], [late, ok()]]}}));
    let server = started(&spec, "cancel").await;
    assert!(
        timeout(Duration::from_millis(50), server.call("echo", json!({})))
            .await
            .is_err()
    );
    let (left, right) = tokio::join!(text(&server, json!({})), text(&server, json!({})));
    assert_eq!((left.as_str(), right.as_str()), ("ok", "ok"));
}
