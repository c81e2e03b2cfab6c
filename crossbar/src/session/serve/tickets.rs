//! A small ticket desk as an MCP server over stdio; its state lives in the workspace.

mod desk;
mod tools;

use desk::Desk;
use serde_json::{Value, json};
use std::fs::OpenOptions;
use std::io::{self, BufRead, Write};
use std::path::PathBuf;

/// Serves until the input ends. `--log FILE` appends one line per start and per call.
pub(super) fn serve(
    args: &[String],
    input: &mut dyn BufRead,
    output: &mut dyn Write,
) -> io::Result<()> {
    let log = match args {
        [flag, path] if flag == "--log" => Some(PathBuf::from(path)),
        _ => None,
    };
    let mut desk = Desk::open(std::env::var_os("CROSSBAR_WORKSPACE").map(PathBuf::from))?;
    note(log.as_ref(), "start")?;
    let mut line = String::new();
    while input.read_line(&mut line)? > 0 {
        if let Ok(request) = serde_json::from_str::<Value>(&line)
            && let Some(reply) = answer(&request, &mut desk, log.as_ref())?
        {
            writeln!(output, "{reply}")?;
            output.flush()?;
        }
        line.clear();
    }
    Ok(())
}

/// The reply to a request; `None` for a notification.
fn answer(request: &Value, desk: &mut Desk, log: Option<&PathBuf>) -> io::Result<Option<Value>> {
    let Some(id) = request.get("id") else {
        return Ok(None);
    };
    let params = request.get("params").cloned().unwrap_or(Value::Null);
    let method = request
        .get("method")
        .and_then(Value::as_str)
        .unwrap_or_default();
    let result = match method {
        "initialize" => json!({
            "protocolVersion": params.get("protocolVersion").unwrap_or(&json!("2025-06-18")),
            "capabilities": {"tools": {}},
            "serverInfo": {"name": "tickets", "version": env!("CARGO_PKG_VERSION")},
        }),
        "ping" => json!({}),
        "tools/list" => json!({"tools": tools::list()}),
        "tools/call" => {
            let name = params
                .get("name")
                .and_then(Value::as_str)
                .unwrap_or_default();
            let args = params
                .get("arguments")
                .cloned()
                .unwrap_or_else(|| json!({}));
            note(log, &format!("call {name} {args}"))?;
            let outcome = tools::call(desk, name, &args);
            desk.save()?;
            reply_of(outcome)
        }
        other => {
            let error = json!({"code": -32601, "message": format!("no method `{other}`")});
            return Ok(Some(json!({"jsonrpc": "2.0", "id": id, "error": error})));
        }
    };
    Ok(Some(json!({"jsonrpc": "2.0", "id": id, "result": result})))
}

fn reply_of(outcome: Result<Value, String>) -> Value {
    match outcome {
        Ok(value) => json!({
            "content": [{"type": "text", "text": value.to_string()}],
            "structuredContent": value,
            "isError": false,
        }),
        Err(message) => json!({
            "content": [{"type": "text", "text": message}],
            "isError": true,
        }),
    }
}

fn note(log: Option<&PathBuf>, line: &str) -> io::Result<()> {
    let Some(path) = log else { return Ok(()) };
    let mut file = OpenOptions::new().create(true).append(true).open(path)?;
    // One write, so that the lines of many servers never mix.
    file.write_all(format!("{line}\n").as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn talk(lines: &[Value]) -> Vec<Value> {
        let input: String = lines.iter().map(|line| format!("{line}\n")).collect();
        let mut output = Vec::new();
        serve(&[], &mut input.as_bytes(), &mut output).unwrap();
        let text = String::from_utf8(output).unwrap();
        text.lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect()
    }

    fn call(id: u32, name: &str, args: Value) -> Value {
        let params = json!({"name": name, "arguments": args});
        json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params})
    }

    #[test]
    fn a_write_is_seen_by_the_next_read() {
        let replies = talk(&[
            call(
                1,
                "set_priority",
                json!({"id": "T-1001", "priority": "urgent"}),
            ),
            call(2, "get_ticket", json!({"id": "T-1001"})),
        ]);
        let ticket = &replies[1]["result"]["structuredContent"]["ticket"];
        assert_eq!(ticket["priority"], "urgent");
    }

    #[test]
    fn a_wrong_argument_is_a_tool_error_and_a_notification_gets_no_reply() {
        let replies = talk(&[
            json!({"jsonrpc": "2.0", "method": "notifications/initialized"}),
            call(
                1,
                "set_priority",
                json!({"id": "T-9", "priority": "urgent"}),
            ),
            call(2, "fly", json!({})),
        ]);
        assert_eq!(replies.len(), 2);
        assert_eq!(replies[0]["result"]["isError"], true);
        assert_eq!(replies[1]["result"]["isError"], true);
    }
}
