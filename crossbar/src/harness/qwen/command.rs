//! How Qwen Code is started: its arguments, its variables, and its file of settings.

use crate::domain::{Program, ServerLaunch};
use crate::harness::DriveError;
use crate::harness::program::Start;
use crate::harness::programs::QWEN;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// Its settings, by their name in its home.
const SETTINGS: &str = "settings.json";

/// Its own tools. Without the search among tools, those of the task are on offer from the start.
const OWN: [&str; 17] = [
    "agent",
    "ask_user_question",
    "edit",
    "exit_plan_mode",
    "glob",
    "grep_search",
    "list_directory",
    "monitor",
    "read_file",
    "run_shell_command",
    "save_memory",
    "send_message",
    "skill",
    "task_stop",
    "todo_write",
    "tool_search",
    "web_fetch",
];

/// A name for the files that tell it about a workspace, which no workspace has.
const NO_CONTEXT: &str = "none-that-a-workspace-has.md";

/// Whether the program passes a prompt on to its model.
///
/// # Errors
/// `DriveError::Unfit` where it takes the prompt for a command to itself.
pub(super) fn fits(prompt: &str) -> Result<(), DriveError> {
    match prompt.starts_with('/') && !prompt.starts_with("//") {
        false => Ok(()),
        true => Err(DriveError::Unfit(
            "Qwen Code takes a prompt that begins with `/` for a command to itself: put a word \
             before it, or leave this cell out"
                .to_owned(),
        )),
    }
}

/// The program with all that it is given.
pub(super) fn program(start: &Start<'_>, instructions: Option<&str>) -> Program {
    let mut args = vec!["--output-format".to_owned(), "stream-json".to_owned()];
    if let Some(instructions) = instructions {
        args.extend(["--system-prompt".to_owned(), instructions.to_owned()]);
    }
    Program {
        program: QWEN.program.to_owned(),
        args,
        env: variables(start),
        input: start.prompt.to_owned(),
        files: vec![(SETTINGS.to_owned(), settings(start).to_string())],
    }
}

/// As settings of the system they stand above all others.
fn variables(start: &Start<'_>) -> BTreeMap<String, String> {
    let model = &start.ports.model;
    let mut variables = BTreeMap::from([
        ("OPENAI_API_KEY", start.relay.token().to_owned()),
        ("OPENAI_BASE_URL", format!("{}/v1", start.relay.base_url())),
        ("OPENAI_MODEL", model.model.clone()),
        ("QWEN_CODE_NO_RELAUNCH", "1".to_owned()),
        (
            "QWEN_CODE_SYSTEM_SETTINGS_PATH",
            format!("{}/{SETTINGS}", start.home),
        ),
    ]);
    if let Some(tokens) = model.max_output_tokens() {
        variables.insert("QWEN_CODE_MAX_OUTPUT_TOKENS", tokens.to_string());
    }
    let owned = variables.into_iter();
    owned
        .map(|(name, value)| (name.to_owned(), value))
        .collect()
}

/// What would tell the model of the machine is left out, and so are requests beside its work: for
/// memories, for summaries, and for who speaks next. The language that it has its model answer in
/// would be the machine's.
fn settings(start: &Start<'_>) -> Value {
    let names: Vec<&str> = start.servers.iter().map(|one| one.name.as_str()).collect();
    json!({
        "general": {
            "enableAutoUpdate": false,
            "disableAutoUpdate": true,
            "outputLanguage": "English",
        },
        "privacy": {"usageStatisticsEnabled": false},
        "telemetry": {"enabled": false},
        "security": {
            "auth": {"selectedType": "openai"},
            "folderTrust": {"enabled": false},
        },
        "context": {"fileName": [NO_CONTEXT]},
        "memory": {"enableManagedAutoMemory": false},
        "disableAllHooks": true,
        "model": {
            "name": start.ports.model.model,
            "maxSessionTurns": start.ports.limits.max_steps,
            "skipStartupContext": true,
            "skipLoopDetection": true,
            "skipNextSpeakerCheck": true,
            "chatCompression": {"contextPercentageThreshold": 0},
            "generationConfig": {"maxRetries": 0},
        },
        "permissions": {"allow": start.tools.allowed(), "deny": OWN},
        "mcp": {"allowed": names},
        "mcpServers": servers(start.servers),
    })
}

/// It has one measure of patience for a server's start and for each call.
fn servers(servers: &[ServerLaunch]) -> Value {
    let entry = |server: &ServerLaunch| {
        let entry = json!({
            "command": server.command, "args": server.args, "timeout": server.start_ms,
        });
        (server.name.clone(), entry)
    };
    Value::Object(servers.iter().map(entry).collect::<Map<_, _>>())
}
