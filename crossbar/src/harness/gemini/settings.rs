//! How Gemini CLI is started: its arguments, its variables, and the files of its home.

use crate::domain::{Program, ServerLaunch};
use crate::harness::DriveError;
use crate::harness::program::Start;
use crate::harness::program::tools::Tools;
use crate::harness::programs::GEMINI;
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// Its settings, by their path in its home.
const SETTINGS: &str = ".gemini/settings.json";

/// Its rules for the calls of tools, by their path in its home.
const RULES: &str = ".gemini/rules.toml";

/// What stands in the place of its own prompt, by its path in its home.
const INSTRUCTIONS: &str = ".gemini/instructions.md";

/// The name of files whose text would go into its prompt: none that a workspace has.
const NO_MEMORY: &str = "none-that-a-workspace-has.md";

/// The longest name of a tool that it leaves as it is.
const LONGEST_NAME: usize = 63;

/// The program with all that it is given.
///
/// # Errors
/// `DriveError::Unfit` when it would give a tool another name, or takes the prompt for a command.
pub(super) fn program(
    start: &Start<'_>,
    instructions: Option<&str>,
) -> Result<Program, DriveError> {
    spelled(start.tools)?;
    passed_on(start.prompt)?;
    let mut files = vec![
        (SETTINGS.to_owned(), settings(start).to_string()),
        (RULES.to_owned(), rules(start.tools)),
    ];
    files.extend(
        (0..)
            .zip(start.servers)
            .map(|(at, server)| (launcher(at), script(server))),
    );
    files.extend(instructions.map(|text| (INSTRUCTIONS.to_owned(), text.to_owned())));
    Ok(Program {
        program: GEMINI.program.to_owned(),
        args: args(&start.ports.model.model),
        env: variables(start, instructions.is_some()),
        input: start.prompt.to_owned(),
        files,
    })
}

/// Holds the names of tools to those that it leaves as they are.
fn spelled(tools: &Tools) -> Result<(), DriveError> {
    let mut seen = BTreeSet::new();
    let is_kept = |name: &&str| name.len() <= LONGEST_NAME && !name.starts_with("mcp_mcp_");
    match tools
        .names()
        .find(|name| !is_kept(name) || !seen.insert(*name))
    {
        Some(name) => Err(DriveError::Unfit(format!(
            "Gemini CLI does not keep `{name}` apart as the name of a tool: it has more than \
             {LONGEST_NAME} characters, is that of another tool too, or its server begins with \
             `mcp_`; give the server another name, or leave this cell out"
        ))),
        None => Ok(()),
    }
}

/// Holds the prompt to those that it passes on to its model.
fn passed_on(prompt: &str) -> Result<(), DriveError> {
    let begins = |mark: &str| prompt.starts_with(mark);
    match begins("/") && !begins("//") && !begins("/*") {
        false => Ok(()),
        true => Err(DriveError::Unfit(
            "Gemini CLI takes a prompt that begins with `/` for a command to itself: put a word \
             before it, or leave this cell out"
                .to_owned(),
        )),
    }
}

fn args(model: &str) -> Vec<String> {
    let args = ["--output-format", "stream-json", "--model", model];
    args.map(str::to_owned).into()
}

fn variables(start: &Start<'_>, has_instructions: bool) -> BTreeMap<String, String> {
    let mut variables = BTreeMap::from([
        ("GEMINI_API_KEY", start.relay.token().to_owned()),
        ("GOOGLE_GEMINI_BASE_URL", start.relay.base_url().to_owned()),
        // Otherwise it starts itself a second time, with more memory.
        ("GEMINI_CLI_NO_RELAUNCH", "true".to_owned()),
    ]);
    if has_instructions {
        variables.insert("GEMINI_SYSTEM_MD", in_home(start, INSTRUCTIONS));
    }
    let owned = variables.into_iter();
    owned
        .map(|(name, value)| (name.to_owned(), value))
        .collect()
}

fn in_home(start: &Start<'_>, path: &str) -> String {
    format!("{}/{path}", start.home)
}

/// What would tell the model of the machine, or ask it on the side, is left out, as far as there is a
/// switch: its search for loops asks other models, and takes calls that repeat for one.
fn settings(start: &Start<'_>) -> Value {
    let off = json!({"enabled": false});
    let names: Vec<&str> = start.servers.iter().map(|server| &*server.name).collect();
    json!({
        "security": {"auth": {"selectedType": "gemini-api-key"}, "folderTrust": off},
        "general": {
            "enableAutoUpdate": false, "enableAutoUpdateNotification": false,
            "maxAttempts": GEMINI.retries + 1, "plan": off, "sessionRetention": off,
            "topicUpdateNarration": false,
        },
        "privacy": {"usageStatisticsEnabled": false},
        "telemetry": off,
        "ui": {"showCompatibilityWarnings": false},
        "model": {"maxSessionTurns": start.ports.limits.max_steps, "disableLoopDetection": true},
        "context": {"fileName": NO_MEMORY, "includeDirectoryTree": false},
        "tools": {"core": [], "useRipgrep": false},
        "useWriteTodos": false,
        "skills": off,
        "hooksConfig": off,
        "experimental": {"enableAgents": false},
        "advanced": {"ignoreLocalEnv": true},
        "mcp": {"allowed": names},
        "mcpServers": servers(start),
        "policyPaths": [in_home(start, RULES)],
    })
}

/// It puts variables into what its settings say, and that would change the command of a server: so
/// this stands in a file of its own. It knows one time for the start of a server and for a call.
fn servers(start: &Start<'_>) -> Map<String, Value> {
    let entries = (0..).zip(start.servers).map(|(at, server)| {
        let launcher = in_home(start, &launcher(at));
        let entry = json!({"command": "sh", "args": [launcher], "timeout": server.start_ms});
        (server.name.clone(), entry)
    });
    entries.collect()
}

/// Where the start of a server stands, by its path in the home.
fn launcher(at: usize) -> String {
    format!(".gemini/server-{at}.sh")
}

fn script(server: &ServerLaunch) -> String {
    let words = std::iter::once(&server.command).chain(&server.args);
    let words: Vec<String> = words.map(|word| quoted(word)).collect();
    format!("exec {}\n", words.join(" "))
}

/// A word of a shell that stands for itself.
fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
}

/// All that is not allowed here is denied, since no tool is among its core ones. A tool that is
/// denied whatever its arguments are would not be offered: so what a call must not have is any.
fn rules(tools: &Tools) -> String {
    let all: Vec<&str> = tools.names().collect();
    let allowed = rule(&all, "decision = \"allow\"\npriority = 900");
    let denied = "argsPattern = '\\{'\ndecision = \"deny\"\npriority = 950";
    allowed + &rule(&tools.forbidden(), denied)
}

fn rule(names: &[&str], what: &str) -> String {
    if names.is_empty() {
        return String::new();
    }
    // A name has nothing that TOML reads otherwise.
    let names: Vec<String> = names.iter().map(|name| format!("\"{name}\"")).collect();
    format!("[[rule]]\ntoolName = [{}]\n{what}\n\n", names.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::ToolDef;
    use crate::harness::gemini::SPELLING;
    use crate::task::SecurityPolicy;

    #[test]
    fn a_tool_whose_name_it_would_change_does_not_fit() {
        let fits = |named: &[(&str, &str)]| {
            let tools = named.iter().map(|(server, tool)| ToolDef {
                server: (*server).to_owned(),
                tool: (*tool).to_owned(),
                description: String::new(),
                input_schema: json!({}),
            });
            let tools: Vec<ToolDef> = tools.collect();
            spelled(&Tools::new(SPELLING, &tools, &SecurityPolicy::default())).is_ok()
        };
        let long = "t".repeat(LONGEST_NAME - "mcp_desk_".len());
        assert!(fits(&[
            ("desk", "get it"),
            ("desk", &long),
            ("desk", "mcp_x")
        ]));
        for other in [
            &[("desk", &*format!("{long}t"))][..],
            &[("a_b", "c"), ("a", "b_c")],
            &[("mcp_desk", "get")],
        ] {
            assert!(!fits(other), "{other:?}");
        }
    }

    #[test]
    fn a_prompt_that_it_takes_for_a_command_is_not_given_to_it() {
        for prompt in ["Say /help", "// a comment", "/* one more */", ""] {
            assert!(passed_on(prompt).is_ok(), "{prompt}");
        }
        assert!(matches!(passed_on("/help"), Err(DriveError::Unfit(_))));
    }

    #[test]
    fn a_server_is_started_with_the_words_that_it_was_given() {
        let server = ServerLaunch {
            name: "desk".to_owned(),
            command: "sh".to_owned(),
            args: vec!["-c".to_owned(), "echo '$HOME' \"$1\"".to_owned()],
            start_ms: 1,
            needs: Vec::new(),
        };
        assert_eq!(
            script(&server),
            "exec 'sh' '-c' 'echo '\\''$HOME'\\'' \"$1\"'\n"
        );
    }
}
