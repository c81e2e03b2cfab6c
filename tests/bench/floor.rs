//! The floor under "one MCP server process for each rollout": start the built-in server, say the
//! four lines that a two-turn rollout says, close it, wait. No client library, no record.

use super::Measured;
use super::meter::Cpu;
use serde_json::json;
use std::error::Error;
use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};

/// Does it `times` over.
pub fn measure(times: u32) -> Measured {
    let before = Cpu::now()?;
    for _ in 0..times {
        talk()?;
    }
    let used = Cpu::since(before)?;
    Ok(json!({"times": times, "own_s": used.own, "servers_s": used.children}))
}

fn talk() -> Result<(), Box<dyn Error>> {
    let mut server = Command::new(std::env::current_exe()?)
        .args(["__serve", "tickets"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()?;
    let mut input = server.stdin.take().ok_or("no standard input")?;
    let mut output = BufReader::new(server.stdout.take().ok_or("no standard output")?);
    let mut line = String::new();
    for (id, method, params) in [
        (1, "initialize", json!({"protocolVersion": "2025-06-18"})),
        (2, "tools/list", json!({})),
        (
            3,
            "tools/call",
            json!({"name": "get_ticket", "arguments": {"id": "T-1001"}}),
        ),
    ] {
        let request = json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params});
        writeln!(input, "{request}")?;
        line.clear();
        output.read_line(&mut line)?;
        if id == 1 {
            let told = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
            writeln!(input, "{told}")?;
        }
    }
    if !line.contains("T-1001") {
        return Err(format!("the server answered {line}").into());
    }
    drop(input);
    server.wait()?;
    Ok(())
}
