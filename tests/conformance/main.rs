//! A client for the official conformance suite of MCP, over crossbar's own room `mcp`: connects to
//! the address that is its last argument, calls every tool once, and says what came.
//!
//! The suite plays a server and judges what it was sent, so this program decides nothing; it fails
//! where the room does.

use crossbar::mcp::{RemoteSpec, Server, ToolInfo};
use serde_json::{Map, Value, json};
use std::process::ExitCode;
use std::time::Duration;

fn main() -> ExitCode {
    let Some(url) = std::env::args().next_back() else {
        return ExitCode::from(2);
    };
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build();
    let outcome = runtime
        .map_err(|error| error.to_string())
        .and_then(|runtime| runtime.block_on(visit(url)));
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

async fn visit(url: String) -> Result<(), String> {
    let spec = RemoteSpec {
        name: "conformance".to_owned(),
        url,
        headers: Vec::new(),
        start_timeout: Duration::from_secs(10),
    };
    let server = Server::connect(&spec).await.map_err(|e| e.to_string())?;
    for tool in server.tools() {
        let called = server.call(&tool.name, arguments(tool)).await;
        let called = called.map_err(|error| error.to_string())?;
        println!("{}: {}", tool.name, called.content_text);
    }
    server.stop().await;
    Ok(())
}

/// Something of the right type for every argument that a tool describes.
fn arguments(tool: &ToolInfo) -> Value {
    let described = tool.input_schema["properties"].as_object();
    let arguments: Map<String, Value> = described
        .into_iter()
        .flatten()
        .map(|(name, schema)| {
            let value = match schema["type"].as_str() {
                Some("number" | "integer") => json!(5),
                Some("boolean") => json!(true),
                _ => json!("text"),
            };
            (name.clone(), value)
        })
        .collect();
    Value::Object(arguments)
}
