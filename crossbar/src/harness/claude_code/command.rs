//! How Claude Code is started: its arguments, its variables, and the file that names its servers.

use crate::domain::{Additions, Isolation, Program, ServerLaunch};
use crate::harness::program::Start;
use crate::harness::programs::CLAUDE_CODE;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// The file in its home that names the servers.
const SERVERS: &str = "mcp.json";

/// Its tool for skills.
pub(super) const SKILL_TOOL: &str = "Skill";

/// The program with all that it is given.
pub(super) fn program(
    start: &Start<'_>,
    instructions: Option<&str>,
    additions: &Additions,
) -> Program {
    Program {
        program: CLAUDE_CODE.program.to_owned(),
        args: args(start, instructions, additions),
        env: variables(start),
        input: start.prompt.to_owned(),
        files: vec![(SERVERS.to_owned(), servers(start.servers).to_string())],
    }
}

fn args(start: &Start<'_>, instructions: Option<&str>, additions: &Additions) -> Vec<String> {
    let ports = &start.ports;
    let config = format!("{}/{SERVERS}", start.home);
    let turns = ports.limits.max_steps.to_string();
    let allowed = start.tools.allowed().join(",");
    let mut args = vec!["-p", "--output-format", "stream-json", "--verbose"];
    args.extend(["--model", &ports.model.model]);
    args.extend(["--mcp-config", &config, "--strict-mcp-config"]);
    // Its own tools reach beyond the task's servers, to files and commands of this machine. That for
    // skills reads those that it knows, and nothing else.
    let own = additions.skills.as_ref().map_or("", |_| SKILL_TOOL);
    args.extend(["--tools", own, "--setting-sources", "project"]);
    if additions.isolation == Isolation::Bare {
        args.push("--bare");
    }
    if !allowed.is_empty() {
        args.extend(["--allowedTools", &allowed]);
    }
    args.extend(["--max-turns", &turns]);
    // The path of the workspace is another one in each rollout, and in the prompt it would be too.
    args.push("--exclude-dynamic-system-prompt-sections");
    if let Some(instructions) = instructions {
        args.extend(["--system-prompt", instructions]);
    }
    args.into_iter().map(str::to_owned).collect()
}

fn variables(start: &Start<'_>) -> BTreeMap<String, String> {
    let slowest = start.servers.iter().map(|server| server.start_ms).max();
    let mut variables = BTreeMap::from([
        ("ANTHROPIC_BASE_URL", start.relay.base_url().to_owned()),
        ("ANTHROPIC_API_KEY", start.relay.token().to_owned()),
        ("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1".to_owned()),
        ("CLAUDE_CODE_MAX_RETRIES", CLAUDE_CODE.retries.to_string()),
        ("DISABLE_AUTOUPDATER", "1".to_owned()),
        // Otherwise the model is not told of the tools, but of a search for them.
        ("ENABLE_TOOL_SEARCH", "false".to_owned()),
    ]);
    if let Some(slowest) = slowest {
        variables.insert("MCP_TIMEOUT", slowest.to_string());
    }
    if let Some(tokens) = start.ports.model.max_output_tokens() {
        variables.insert("CLAUDE_CODE_MAX_OUTPUT_TOKENS", tokens.to_string());
    }
    let owned = variables.into_iter();
    owned
        .map(|(name, value)| (name.to_owned(), value))
        .collect()
}

fn servers(servers: &[ServerLaunch]) -> Value {
    let entries: Map<String, Value> = servers
        .iter()
        .map(|server| {
            let entry = json!({"type": "stdio", "command": server.command, "args": server.args});
            (server.name.clone(), entry)
        })
        .collect();
    json!({"mcpServers": entries})
}
