//! The order desk as an MCP server on standard input and output.
//!
//! `orders [FILE]` keeps its book in FILE, which is `orders.json` unless said. MCP over stdio is one
//! JSON-RPC message a line; a server that only has tools needs four methods of it.

use order_desk::{Shop, TOOLS, call};
use serde_json::{Value, json};
use std::io::{self, BufRead, Write};
use std::path::{Path, PathBuf};

fn main() -> io::Result<()> {
    let path = std::env::args_os().nth(1);
    let path = path.map_or_else(|| PathBuf::from("orders.json"), PathBuf::from);
    let mut output = io::stdout().lock();
    for line in io::stdin().lock().lines() {
        // What is no JSON is nobody's request, and there is nobody to answer.
        let Ok(request) = serde_json::from_str::<Value>(&line?) else {
            continue;
        };
        if let Some(reply) = answer(&request, &path) {
            writeln!(output, "{reply}")?;
            output.flush()?;
        }
    }
    Ok(())
}

/// The reply to a request; `None` for a notification.
fn answer(request: &Value, path: &Path) -> Option<Value> {
    let id = request.get("id")?;
    let params = &request["params"];
    let result = match request["method"].as_str().unwrap_or_default() {
        "initialize" => json!({
            "protocolVersion": params.get("protocolVersion").unwrap_or(&json!("2025-06-18")),
            "capabilities": {"tools": {}},
            "serverInfo": {"name": "orders", "version": env!("CARGO_PKG_VERSION")},
        }),
        "ping" => json!({}),
        "tools/list" => json!({"tools": TOOLS.iter().map(|tool| json!({
            "name": tool.name,
            "description": tool.description,
            "inputSchema": tool.schema(),
        })).collect::<Vec<_>>()}),
        "tools/call" => called(params, path),
        other => {
            let error = json!({"code": -32601, "message": format!("no method {other}")});
            return Some(json!({"jsonrpc": "2.0", "id": id, "error": error}));
        }
    };
    Some(json!({"jsonrpc": "2.0", "id": id, "result": result}))
}

/// A tool's result. What the shop refuses, and a book that can't be read, is for the agent to hear.
fn called(params: &Value, path: &Path) -> Value {
    let name = params["name"].as_str().unwrap_or_default();
    let args = params
        .get("arguments")
        .cloned()
        .unwrap_or_else(|| json!({}));
    match in_book(path, |shop| call(shop, name, args)) {
        Ok(value) => json!({
            "content": [{"type": "text", "text": value.to_string()}],
            "structuredContent": value,
        }),
        Err(message) => json!({
            "content": [{"type": "text", "text": message}],
            "isError": true,
        }),
    }
}

/// Opens the book, lets `act` change it, and keeps what changed.
fn in_book(
    path: &Path,
    act: impl FnOnce(&mut Shop) -> Result<Value, String>,
) -> Result<Value, String> {
    let failed = |error: io::Error| format!("{}: {error}", path.display());
    let mut shop = Shop::open(path).map_err(failed)?;
    let before = shop.clone();
    let value = act(&mut shop)?;
    if shop != before {
        shop.save(path).map_err(failed)?;
    }
    Ok(value)
}
