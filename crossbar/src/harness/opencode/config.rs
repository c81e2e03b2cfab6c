//! How opencode is started: its arguments, its variables, and its file of settings.

use crate::domain::{Program, ServerLaunch};
use crate::harness::DriveError;
use crate::harness::program::Start;
use crate::harness::program::tools::Tools;
use crate::harness::programs::OPENCODE;
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// The folder of its settings in its home.
const FOLDER: &str = ".config/opencode";

/// Its name for the endpoint.
const PROVIDER: &str = "crossbar";

/// The variable that holds the gateway's token.
const TOKEN: &str = "CROSSBAR_GATEWAY_TOKEN";

/// The most that it lets its model answer, in tokens, unless it is told.
const LONGEST: u64 = 32_000;

/// What it would fetch for plugins that nobody has: where its folder says that it is there, it does not.
const PLUGIN: &str = "@opencode-ai/plugin";

/// With a title of its own it does not ask its model for one. No setting and no instruction of the
/// workspace, and no plugin, is read.
const ARGS: [&str; 6] = ["run", "--format", "json", "--title", "crossbar", "--pure"];

/// Downloads, and what lies in the workspace.
const SWITCHES: [&str; 7] = [
    "OPENCODE_DISABLE_AUTOUPDATE",
    "OPENCODE_DISABLE_CLAUDE_CODE",
    "OPENCODE_DISABLE_DEFAULT_PLUGINS",
    "OPENCODE_DISABLE_EXTERNAL_SKILLS",
    "OPENCODE_DISABLE_LSP_DOWNLOAD",
    "OPENCODE_DISABLE_MODELS_FETCH",
    "OPENCODE_DISABLE_PROJECT_CONFIG",
];

/// The program with all that it is given.
///
/// # Errors
/// `DriveError::Unfit` when two servers or two tools have one name as the program writes names.
pub(super) fn program(
    start: &Start<'_>,
    instructions: Option<&str>,
) -> Result<Program, DriveError> {
    apart("tools", start.tools.names().map(str::to_owned))?;
    let servers = start.servers.iter();
    apart("servers", servers.map(|one| start.tools.server(&one.name)))?;
    Ok(Program {
        program: OPENCODE.program.to_owned(),
        args: ARGS.map(str::to_owned).into(),
        env: variables(start),
        input: start.prompt.to_owned(),
        files: files(&settings(start, instructions)),
    })
}

fn apart(what: &str, names: impl Iterator<Item = String>) -> Result<(), DriveError> {
    let mut known = BTreeSet::new();
    for name in names {
        if !known.insert(name.clone()) {
            return Err(DriveError::Unfit(format!(
                "opencode takes the {what} that are called `{name}` for one: give them other \
                 names, or leave this cell out"
            )));
        }
    }
    Ok(())
}

fn variables(start: &Start<'_>) -> BTreeMap<String, String> {
    let mut variables = BTreeMap::from([(TOKEN.to_owned(), start.relay.token().to_owned())]);
    variables.extend(SWITCHES.map(|name| (name.to_owned(), "1".to_owned())));
    if let Some(tokens) = start.ports.model.max_output_tokens() {
        let most = "OPENCODE_EXPERIMENTAL_OUTPUT_TOKEN_MAX";
        variables.insert(most.to_owned(), tokens.to_string());
    }
    variables
}

/// Its folder as it would be with its plugins fetched, and the settings in it.
fn files(settings: &Value) -> Vec<(String, String)> {
    let needs = json!({"dependencies": {PLUGIN: OPENCODE.version}});
    let has = json!({"packages": {"": needs}});
    let file = |name: &str, text: String| (format!("{FOLDER}/{name}"), text);
    vec![
        file("opencode.json", settings.to_string()),
        file("package.json", needs.to_string()),
        file("package-lock.json", has.to_string()),
        file("node_modules/.package-lock.json", has.to_string()),
    ]
}

/// Of a context whose length nobody told it, it makes no summary.
fn settings(start: &Start<'_>, instructions: Option<&str>) -> Value {
    let model = &start.ports.model;
    let longest = model.max_output_tokens().unwrap_or(LONGEST);
    let named = format!("{PROVIDER}/{}", model.model);
    let provider = json!({
        "npm": "@ai-sdk/openai-compatible",
        "name": PROVIDER,
        "options": {
            "baseURL": format!("{}/v1", start.relay.base_url()),
            "apiKey": format!("{{env:{TOKEN}}}"),
        },
        "models": {&model.model: {
            "name": model.model, "limit": {"context": 0, "output": longest},
        }},
    });
    let mut settings = json!({
        "autoupdate": false,
        "share": "disabled",
        "snapshot": false,
        "lsp": false,
        "formatter": false,
        "compaction": {"auto": false, "prune": false},
        "experimental": {"continue_loop_on_deny": true},
        "enabled_providers": [PROVIDER],
        "provider": {PROVIDER: provider},
        "model": named,
        "small_model": named,
        "permission": permissions(start.tools),
        "mcp": servers(start),
    });
    if let Some(instructions) = instructions {
        settings["agent"] = json!({"build": {"prompt": instructions}});
    }
    settings
}

/// The last rule that fits a tool counts, and they stand in the order of their names: `*` comes first.
/// What is denied is not on offer. It asks whether to go on after three calls that are the same, and
/// nobody is there to say yes. What it tells a model whose call can't be carried out is a tool that it
/// never offers.
fn permissions(tools: &Tools) -> Value {
    let allowed = tools.allowed();
    let rules = tools.names().map(|name| {
        let rule = match allowed.contains(&name) {
            true => "allow",
            false => "ask",
        };
        (name.to_owned(), json!(rule))
    });
    let mut all = Map::from_iter([
        ("*".to_owned(), json!("deny")),
        ("doom_loop".to_owned(), json!("allow")),
        ("invalid".to_owned(), json!("allow")),
    ]);
    all.extend(rules);
    Value::Object(all)
}

/// It has one measure of patience for a server's start and for each call.
fn servers(start: &Start<'_>) -> Value {
    let entry = |server: &ServerLaunch| {
        let command = std::iter::once(&server.command).chain(&server.args);
        let command: Vec<&String> = command.collect();
        let entry = json!({
            "type": "local", "enabled": true, "command": command, "timeout": server.start_ms,
        });
        (start.tools.server(&server.name), entry)
    };
    Value::Object(start.servers.iter().map(entry).collect())
}
