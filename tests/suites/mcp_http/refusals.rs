//! Servers that refuse, break off, hang, or are none: each ends at once or at its limit, with its
//! name, where it is, and no key.

use super::{at, connected, failure, on_call};
use crossbar::mcp::{McpError, Server};
use crossbar_suites::http_mcp_server::{Event, HttpMcpServer, Said};
use serde_json::json;
use std::time::Duration;

const KEY: &str = "tv-demo-0123456789abcdef";

/// Why a desk that answers a call so is lost.
async fn lost(said: Said) -> String {
    let desk = on_call(move |_| said.clone());
    let server = connected(&desk).await;
    let error = failure(&server).await;
    assert!(matches!(error, McpError::Lost { .. }), "{error:?}");
    let text = error.to_string();
    let begin = format!("server `desk` can't be reached: at {}: ", desk.origin());
    let rest = text.strip_prefix(&begin);
    rest.unwrap_or_else(|| panic!("{text}")).to_owned()
}

#[tokio::test]
async fn a_status_in_a_session_is_told_with_its_meaning() {
    for (said, wanted) in [
        (
            Said::status(404, r#"{"error": "no session"}"#),
            r#"HTTP status 404: it has ended the session: {"error": "no session"}"#,
        ),
        (
            Said::status(401, "who are you?"),
            "HTTP status 401: it does not take the `headers`: who are you?",
        ),
        (
            Said::Whole(
                502,
                "text/html",
                String::new(),
                "<h1>Bad\n gateway</h1>".to_owned(),
            ),
            "HTTP status 502: <h1>Bad gateway</h1>",
        ),
        (
            Said::status(307, "").with("Location: https://b.example/mcp"),
            "HTTP status 307: it points to https://b.example/mcp: write the address there as `url`",
        ),
        (
            Said::status(200, "<html>"),
            "its answer is no message of MCP: <html>",
        ),
        (
            Said::status(202, "{}"),
            "its answer ended without the reply",
        ),
    ] {
        assert_eq!(lost(said).await, wanted);
    }
}

#[tokio::test]
async fn a_stream_that_breaks_off_ends_the_call() {
    let begun = vec![Event::Raw("data: {\"jsonrpc\"".to_owned())];
    assert_eq!(
        lost(Said::Stream(begun)).await,
        "the answer ended before the reply"
    );
    // The desk has no stream to go on with.
    let known = vec![Event::Raw("id: 1\nretry: 10\ndata:\n\n".to_owned())];
    assert_eq!(
        lost(Said::Stream(known)).await,
        "the answer ended before the reply, and can't be gone on with: HTTP status 405"
    );
}

#[tokio::test]
async fn an_error_of_the_protocol_is_a_result_whatever_its_status() {
    let error =
        |id| json!({"jsonrpc": "2.0", "id": id, "error": {"code": -32602, "message": "no"}});
    for said in [
        Said::json(&error(json!(3))),
        Said::json(&error(json!(null))),
        Said::status(400, &error(json!(3)).to_string()),
        Said::stream(&[error(json!(null))]),
    ] {
        let desk = on_call(move |_| said.clone());
        let server = connected(&desk).await;
        let result = server.call("echo", json!({})).await.unwrap();
        assert_eq!(result.content_text, "MCP error -32602: no");
        assert!(result.is_error && result.protocol_error);
    }
}

/// Why no server comes of an address.
async fn refused(url: &str) -> String {
    Server::connect(&at(url)).await.unwrap_err().to_string()
}

#[tokio::test]
async fn an_address_without_a_server_is_told_with_its_host_and_no_more() {
    let elsewhere = HttpMcpServer::start(|_| Some(Said::status(404, "")));
    let url = format!("{}?key={KEY}", elsewhere.url());
    assert_eq!(
        refused(&url).await,
        format!(
            "server `desk` can't be reached: at {}: HTTP status 404: it does not speak MCP over streamable HTTP at this `url` (the older HTTP with SSE is not spoken here)",
            elsewhere.origin()
        )
    );
    // A port that was free a moment ago.
    let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = free.local_addr().unwrap();
    drop(free);
    let gone = refused(&format!("http://{address}/{KEY}?key={KEY}")).await;
    let begin = format!("server `desk` can't be reached: at http://{address}: no connection: ");
    assert!(gone.starts_with(&begin) && !gone.contains(KEY), "{gone}");
    assert_eq!(
        refused(&format!("desk.example/{KEY}")).await,
        "server `desk` can't be used: its `url` or `headers`: it is not an http or https URL"
    );
}

#[tokio::test]
async fn a_key_that_the_server_repeats_is_in_no_message() {
    let desk = HttpMcpServer::start(|asked| {
        Some(Said::status(
            403,
            &format!("not for {}", asked.header("authorization")),
        ))
    });
    let mut spec = at(&desk.url());
    spec.headers = vec![("Authorization".to_owned(), format!("Bearer {KEY}"))];
    let error = Server::connect(&spec).await.unwrap_err();
    let text = error.to_string();
    assert!(text.ends_with("`headers`: not for ***"), "{text}");
    assert!(!format!("{error:?}{spec:?}").contains(KEY));
    spec.headers[0].1 = format!("{KEY}\n");
    let text = Server::connect(&spec).await.unwrap_err().to_string();
    assert!(
        text.ends_with("the header `Authorization` can't be sent"),
        "{text}"
    );
}

#[tokio::test]
async fn a_server_that_hangs_at_its_start_ends_at_the_limit() {
    let desk = HttpMcpServer::start(|_| Some(Said::Silence));
    let mut spec = at(&desk.url());
    spec.start_timeout = Duration::from_millis(100);
    let text = Server::connect(&spec).await.unwrap_err().to_string();
    assert_eq!(
        text,
        format!(
            "server `desk` was not ready within 100ms: at {}: raise start_timeout_s or mend its start",
            desk.origin()
        )
    );
}
