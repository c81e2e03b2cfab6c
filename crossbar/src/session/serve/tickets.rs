//! A small ticket desk as an MCP server over stdio; its state lives in the workspace.
//!
//! The variable TICKETS gives it the tickets to begin with (`beginning` has the form of a line).

mod actions;
mod beginning;
mod changes;
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
    let table = std::env::var("TICKETS").ok();
    let workspace = std::env::var_os("CROSSBAR_WORKSPACE").map(PathBuf::from);
    attend(
        Desk::open(workspace, table.as_deref())?,
        log.as_ref(),
        (input, output),
    )
}

/// Answers until the input ends.
fn attend(
    mut desk: Desk,
    log: Option<&PathBuf>,
    (input, output): (&mut dyn BufRead, &mut dyn Write),
) -> io::Result<()> {
    note(log, "start")?;
    let mut line = String::new();
    while input.read_line(&mut line)? > 0 {
        if let Ok(request) = serde_json::from_str::<Value>(&line)
            && let Some(reply) = answer(&request, &mut desk, log)?
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

    fn talk(table: Option<&str>, lines: &[Value]) -> Vec<Value> {
        let input: String = lines.iter().map(|line| format!("{line}\n")).collect();
        let mut output = Vec::new();
        let desk = Desk::open(None, table).unwrap();
        attend(desk, None, (&mut input.as_bytes(), &mut output)).unwrap();
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
        let replies = talk(
            None,
            &[
                call(
                    1,
                    "set_priority",
                    json!({"id": "T-1001", "priority": "urgent"}),
                ),
                call(2, "get_ticket", json!({"id": "T-1001"})),
            ],
        );
        let ticket = &replies[1]["result"]["structuredContent"]["ticket"];
        assert_eq!(ticket["priority"], "urgent");
    }

    #[test]
    fn a_wrong_argument_is_a_tool_error_and_a_notification_gets_no_reply() {
        let replies = talk(
            None,
            &[
                json!({"jsonrpc": "2.0", "method": "notifications/initialized"}),
                call(
                    1,
                    "set_priority",
                    json!({"id": "T-9", "priority": "urgent"}),
                ),
                call(2, "fly", json!({})),
            ],
        );
        assert_eq!(replies.len(), 2);
        assert_eq!(replies[0]["result"]["isError"], true);
        assert_eq!(replies[1]["result"]["isError"], true);
    }

    /// The answers of a desk with two tickets.
    fn told(calls: &[(&str, Value)]) -> Vec<Value> {
        let table = "T-1 | Oak, team | open, #old | Report is blank | Since noon.\n\
                     T-2 | Ash, free | closed | Report is slow";
        let calls: Vec<_> = calls
            .iter()
            .map(|(name, args)| call(1, name, args.clone()))
            .collect();
        let replies = talk(Some(table), &calls);
        replies
            .into_iter()
            .map(|reply| reply["result"]["structuredContent"].clone())
            .collect()
    }

    #[test]
    fn changes_name_what_differs_and_nothing_else() {
        let nothing = json!({"changes": {}});
        assert_eq!(told(&[("list_changes", json!({}))])[0], nothing);
        let said = told(&[
            ("reply", json!({"id": "T-1", "text": "We look into it."})),
            ("remove_tag", json!({"id": "T-1", "tag": "old"})),
            ("reopen_ticket", json!({"id": "T-2"})),
            ("merge_ticket", json!({"id": "T-2", "into": "T-1"})),
            ("list_changes", json!({})),
            ("list_changes", json!({"except": "T-1, T-2"})),
            ("delete_all", json!({})),
            ("list_changes", json!({"except": "T-1"})),
        ]);
        assert_eq!(
            said[4],
            json!({"changes": {
                "T-1": {"status": "answered", "tags": [], "replies": 1},
                "T-2": {"merged_into": "T-1"},
            }})
        );
        assert_eq!(said[5], nothing);
        assert_eq!(said[7], json!({"changes": {"T-2": {"deleted": true}}}));
    }

    #[test]
    fn a_list_shows_heads_and_a_search_looks_into_messages() {
        let said = told(&[
            ("search_tickets", json!({"text": "NOON"})),
            ("get_ticket", json!({"id": "T-1"})),
        ]);
        let found = said[0]["tickets"].as_array().unwrap();
        assert_eq!((found.len(), &found[0]["id"]), (1, &json!("T-1")));
        assert_eq!(found[0].get("message"), None);
        assert_eq!(said[1]["ticket"]["message"], "Since noon.");
    }
}
