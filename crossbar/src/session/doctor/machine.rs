//! The programs of this machine, each with its version.

use super::{Finding, State};
use crate::harness::{AgentProgram, PROGRAMS};
use crate::process::{Tool, on_path};
use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::path::Path;
use std::thread;

/// The optional features that this build has.
const FEATURES: &[&str] = &[
    #[cfg(feature = "cli")]
    "cli",
    #[cfg(feature = "http")]
    "http",
    #[cfg(feature = "mcp-http")]
    "mcp-http",
];

/// A program that is looked for.
struct Sought {
    name: &'static str,
    /// The variable that names another one.
    variable: Option<&'static str>,
    purpose: &'static str,
    /// What brings it.
    cure: &'static str,
}

const fn sought(name: &'static str, purpose: &'static str, cure: &'static str) -> Sought {
    Sought {
        name,
        variable: None,
        purpose,
        cure,
    }
}

/// The programs that are looked for, in the order of printing.
const SOUGHT: [Sought; 10] = [
    sought(
        "cargo",
        "builds and runs the tasks written in Rust",
        "install Rust from https://rustup.rs; packs of YAML alone do without",
    ),
    sought("rustc", "compiles them", "it comes with cargo"),
    sought(
        "cargo-nextest",
        "runs them, a process for each case",
        "cargo install cargo-nextest --locked; cargo test runs them too",
    ),
    Sought {
        variable: Some("CROSSBAR_PYTHON"),
        ..sought(
            "python3",
            "runs servers that are written in Python",
            "install Python 3, or name one in CROSSBAR_PYTHON",
        )
    },
    sought(
        "node",
        "runs servers that are written for Node.js",
        "install Node.js 20 or newer from https://nodejs.org",
    ),
    sought("npm", "installs such servers", "it comes with Node.js"),
    sought(
        "npx",
        "starts such servers by the name of their package",
        "it comes with npm",
    ),
    sought(
        "git",
        "reads the references of the branch that a pull request goes into",
        "install git",
    ),
    sought(
        "llama-server",
        "serves a model on this machine, for nothing",
        "install llama.cpp; any endpoint for chat completions does as well (provider openai)",
    ),
    sought(
        "docker",
        "nothing that this version builds needs it",
        "do without",
    ),
];

/// crossbar itself, and every program that is looked for. `used` are the kinds of the roster's
/// harnesses: a program that one of them is, is needed.
pub(super) fn tools(
    here: &Path,
    lookup: &dyn Fn(&str) -> Option<String>,
    used: &BTreeSet<&str>,
) -> Vec<Finding> {
    let version = env!("CARGO_PKG_VERSION");
    let features = FEATURES.join(", ");
    let system = format!("{} {}", std::env::consts::OS, std::env::consts::ARCH);
    let own = format!("{version} on {system}, features: {features}");
    let path = lookup("PATH").unwrap_or_default();
    let named = SOUGHT.iter().map(|sought| {
        let other = sought.variable.and_then(lookup);
        (sought, other.unwrap_or_else(|| sought.name.to_owned()))
    });
    let named: Vec<_> = named.collect();
    let agents = PROGRAMS.iter();
    // All at once: some take a third of a second to say their version.
    let found = thread::scope(|scope| {
        let asked = named
            .iter()
            .map(|(sought, program)| scope.spawn(|| looked_for(sought, program, &path, here)))
            .collect::<Vec<_>>();
        let agents = agents.map(|agent| scope.spawn(|| of_agent(agent, &path, here, used)));
        let agents: Vec<_> = agents.collect();
        let answers = asked.into_iter().chain(agents).map(|one| one.join().ok());
        answers.flatten().collect::<Vec<_>>()
    });
    [Finding::there("crossbar", own)]
        .into_iter()
        .chain(found)
        .collect()
}

fn looked_for(sought: &Sought, program: &str, path: &str, here: &Path) -> Finding {
    let Some(place) = on_path(program, path, here) else {
        let what = match sought.name == program {
            true => "not found".to_owned(),
            false => format!("{program} not found"),
        };
        let text = format!("{what}: {}", sought.purpose);
        return Finding::new(State::Absent, sought.name, text).help(sought.cure);
    };
    let text = match version_of(&place, here) {
        Some(line) => line,
        None => format!("{}, which says no version", place.display()),
    };
    Finding::there(sought.name, text)
}

fn version_of(place: &Path, here: &Path) -> Option<String> {
    let tool = Tool {
        program: OsStr::new(place),
        args: vec![OsString::from("--version")],
        cwd: here,
        env: Vec::new(),
    };
    tool.first_line()
}

/// A program that is a harness of its own, beside the version that crossbar is tested with.
fn of_agent(agent: &AgentProgram, path: &str, here: &Path, used: &BTreeSet<&str>) -> Finding {
    let (kind, pin) = (agent.kind, agent.version);
    let install = agent.install();
    let Some(place) = on_path(agent.program, path, here) else {
        let (state, what) = match used.contains(kind) {
            true => (State::Needed, "not found, and needed"),
            false => (State::Absent, "not found"),
        };
        let text = format!("{what}: harness {kind} is this program");
        return Finding::new(state, agent.program, text).help(install);
    };
    let line = version_of(&place, here).unwrap_or_else(|| "it says no version".to_owned());
    let text = match line.split_whitespace().any(|word| word == pin) {
        true => format!("{line}, the version that harness {kind} is tested with"),
        false => format!("{line}; harness {kind} is tested with {pin} ({install})"),
    };
    Finding::there(agent.program, text)
}
