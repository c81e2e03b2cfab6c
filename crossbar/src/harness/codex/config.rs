//! How Codex is started: its arguments, its variables, and its file of settings.

use crate::domain::{Additions, Program, ServerLaunch};
use crate::harness::DriveError;
use crate::harness::program::Start;
use crate::harness::program::tools::Tools;
use crate::harness::programs::CODEX;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{Display, Write};

/// Its settings, by their name in its home.
const SETTINGS: &str = "config.toml";

/// What stands in the place of its own prompt, by its name in its home.
const INSTRUCTIONS: &str = "instructions.md";

/// A list of models in the place of its own, by its name in its home.
const MODELS: &str = "models.json";

/// A list without any model that a roster could name, since an empty one is refused. Its own list
/// gives the models that it knows other tools than it is told: a search that hides the task's, and
/// a tool that runs code, from where the task's are called out of the gateway's sight.
const NO_MODELS: &str = r#"{"models": [{
  "slug": "none-that-a-roster-names", "display_name": "", "base_instructions": "",
  "supported_reasoning_levels": [], "experimental_supported_tools": [],
  "shell_type": "disabled", "visibility": "hide", "supported_in_api": false, "priority": 0,
  "support_verbosity": false, "truncation_policy": {"mode": "tokens", "limit": 10000}
}]}
"#;

/// The variable that holds the gateway's token.
const TOKEN: &str = "CROSSBAR_GATEWAY_TOKEN";

/// What holds for every rollout. Without a way to ask anybody, whatever needs an approval is denied.
/// What would tell the model of the machine is left out: the path of the workspace is another one in
/// each rollout. Failed requests are counted as streams that broke off, so that two retries of these
/// are all that there are.
const ALWAYS: &str = r#"model_provider = "crossbar"
approval_policy = "never"
sandbox_mode = "read-only"
web_search = "disabled"
check_for_update_on_startup = false
include_environment_context = false
include_permissions_instructions = false
include_apps_instructions = false
analytics = { enabled = false }
feedback = { enabled = false }
otel = { exporter = "none", metrics_exporter = "none" }
history = { persistence = "none" }
skills = { include_instructions = false, bundled = { enabled = false } }
agents = { enabled = false }
"#;

/// What it brings along and can be switched off: tools for this machine and for the web, services of
/// its maker, and retries without an end.
const OFF: [&str; 21] = [
    "api_key_model_discovery",
    "apps",
    "browser_use",
    "browser_use_external",
    "code_mode_host",
    "computer_use",
    "enable_request_compression",
    "goals",
    "hooks",
    "image_generation",
    "in_app_browser",
    "plugins",
    "remote_plugin",
    "shell_snapshot",
    "shell_tool",
    "skill_mcp_dependency_install",
    "sleep_tool",
    "tool_suggest",
    "unbounded_connection_retries",
    "unified_exec",
    "view_image",
];

/// The program with all that it is given.
///
/// # Errors
/// `DriveError::Unfit` when two servers have one name as the program writes names.
pub(super) fn program(
    start: &Start<'_>,
    instructions: Option<&str>,
    additions: &Additions,
) -> Result<Program, DriveError> {
    let mut settings = head(start, instructions.is_some());
    let file = additions.instruction_file.as_ref();
    // The most that is read of an instruction file.
    set(
        &mut settings,
        "project_doc_max_bytes",
        file.map_or(0, String::len),
    );
    settings.push_str(ALWAYS);
    provider(&mut settings, start.relay.base_url());
    let mut names = BTreeSet::new();
    for server in start.servers {
        let name = start.tools.server(&server.name);
        if !names.insert(name.clone()) {
            return Err(DriveError::Unfit(format!(
                "Codex takes the servers that are called `{name}` for one: give them other names, \
                 or leave this cell out"
            )));
        }
        table(&mut settings, &name, (server, start.tools));
    }
    let mut files = vec![
        (SETTINGS.to_owned(), settings),
        (MODELS.to_owned(), NO_MODELS.to_owned()),
    ];
    files.extend(instructions.map(|text| (INSTRUCTIONS.to_owned(), text.to_owned())));
    Ok(Program {
        program: CODEX.program.to_owned(),
        args: args(),
        env: BTreeMap::from([
            ("CODEX_HOME".to_owned(), start.home.to_owned()),
            (TOKEN.to_owned(), start.relay.token().to_owned()),
        ]),
        input: prompt(start.prompt, additions),
        files,
    })
}

/// The prompt, with the skills called by their names before it.
fn prompt(prompt: &str, additions: &Additions) -> String {
    let skills = additions.skills.iter().flatten();
    let called: Vec<String> = skills.map(|skill| format!("${}", skill.name)).collect();
    match called.is_empty() {
        true => prompt.to_owned(),
        false => format!("{}\n\n{prompt}", called.join(" ")),
    }
}

/// A setting that this version does not know ends it: it would not run as it is meant to.
fn args() -> Vec<String> {
    let args = [
        "exec",
        "--json",
        "--strict-config",
        "--skip-git-repo-check",
        "--ephemeral",
        "-",
    ];
    args.map(str::to_owned).into()
}

fn head(start: &Start<'_>, has_instructions: bool) -> String {
    let mut settings = String::new();
    set(&mut settings, "model", quoted(&start.ports.model.model));
    let in_home = |name: &str| quoted(&format!("{}/{name}", start.home));
    set(&mut settings, "model_catalog_json", in_home(MODELS));
    if has_instructions {
        let path = in_home(INSTRUCTIONS);
        set(&mut settings, "model_instructions_file", path);
    }
    let off = OFF.map(|feature| format!("{feature} = false")).join(", ");
    set(&mut settings, "features", format!("{{ {off} }}"));
    settings
}

fn provider(settings: &mut String, base_url: &str) {
    settings.push_str("\n[model_providers.crossbar]\n");
    set(settings, "name", quoted("crossbar"));
    set(settings, "base_url", quoted(&format!("{base_url}/v1")));
    set(settings, "env_key", quoted(TOKEN));
    set(settings, "wire_api", quoted("responses"));
    set(settings, "request_max_retries", 0);
    set(settings, "stream_max_retries", CODEX.retries);
}

/// A server: the program does not begin without it, and whatever is not approved needs an approval
/// that nobody gives.
fn table(settings: &mut String, name: &str, (server, tools): (&ServerLaunch, &Tools)) {
    let list = |texts: &[String]| {
        let texts: Vec<String> = texts.iter().map(|text| quoted(text)).collect();
        format!("[{}]", texts.join(", "))
    };
    let name = quoted(name);
    let _ = writeln!(settings, "\n[mcp_servers.{name}]");
    set(settings, "command", quoted(&server.command));
    set(settings, "args", list(&server.args));
    set(settings, "env_vars", list(&server.needs));
    set(settings, "required", true);
    set(settings, "startup_timeout_sec", seconds(server.start_ms));
    set(settings, "default_tools_approval_mode", quoted("prompt"));
    for tool in tools.allowed_of(&server.name) {
        let tool = quoted(tool);
        let _ = writeln!(settings, "[mcp_servers.{name}.tools.{tool}]");
        set(settings, "approval_mode", quoted("approve"));
    }
}

fn set(settings: &mut String, key: &str, value: impl Display) {
    // A String takes whatever is written to it.
    let _ = writeln!(settings, "{key} = {value}");
}

fn seconds(millis: u64) -> String {
    format!("{}.{:03}", millis / 1000, millis % 1000)
}

/// A TOML string: one of JSON is one, but for the one control character that JSON leaves as it is.
fn quoted(text: &str) -> String {
    let json = serde_json::Value::from(text).to_string();
    json.replace('\u{7f}', "\\u007f")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_stays_within_its_quotes() {
        assert_eq!(quoted("a\"\n= 1\u{7f}"), r#""a\"\n= 1\u007f""#);
        assert_eq!(seconds(3050), "3.050");
    }
}
