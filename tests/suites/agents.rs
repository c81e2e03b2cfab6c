//! Programs that are harnesses of their own, the real ones, end to end: on a task with a real MCP
//! server, against a model endpoint that plays a script. What becomes of each case is data:
//! tests/agents/outcomes.tsv.

#[path = "agents/additions.rs"]
mod additions;
#[path = "agents/cases.rs"]
mod cases;
#[path = "agents/manifest.rs"]
mod manifest;
#[path = "agents/matrix.rs"]
mod matrix;
#[path = "agents/record.rs"]
mod record;
#[path = "agents/replay.rs"]
mod replay;
#[path = "agents/secrets.rs"]
mod secrets;
#[path = "agents/subjects.rs"]
mod subjects;

use crossbar::harness::PROGRAMS;
use crossbar_suites::project::{Output, Project, binaries};
use crossbar_suites::scripted_model::{Ask, Move, ScriptedModel};
use crossbar_suites::tree;
use serde_json::{Value, json};
use std::path::PathBuf;
use subjects::Subject;

/// The variable that the rosters of this suite name, and what it holds.
const KEY: (&str, &str) = ("AGENTS_SUITE_KEY", "cb-Qy7/pV2+\"Jt9=ZxLm4Wn8Rk");

/// What every model costs here; it is the list price of the one that Claude Code is given.
const PRICE: &str = "{input_per_mtok: 3, output_per_mtok: 15, cache_read_per_mtok: 0.3, \
                     cache_write_per_mtok: 3.75}";

/// Where the programs are: `.ci/run` installs them into the clone; a copy of the tree that lies in
/// the clone takes those.
fn programs() -> PathBuf {
    let root = tree::root();
    let folders = root.ancestors();
    let mut folders = folders.map(|above| above.join("target/agents/node_modules/.bin"));
    let folder = folders.find(|folder| folder.is_dir()).unwrap_or(root);
    for program in PROGRAMS {
        assert!(
            folder.join(program.program).exists(),
            "{} is not there: npm install --prefix target/agents -E {}@{}",
            program.program,
            program.package,
            program.version
        );
    }
    folder
}

/// A project with one task of the ticket desk, and one cell that asks a scripted model.
fn project(subject: &Subject, model: &ScriptedModel) -> Project {
    let mut project = Project::empty();
    project.write(
        "crossbar.yaml",
        &format!(
            "models:\n  - id: scripted\n    provider: {}\n    model: {}\n    \
             base_url: {}\n    api_key_env: {}\n    price: {PRICE}\nharnesses:\n  \
             - {{id: itself, kind: {}}}\npacks: [desk]\nrun: {{repeats: 1}}\n",
            subject.provider,
            subject.model,
            model.base_url(),
            KEY.0,
            subject.kind
        ),
    );
    project.write("desk/one.task.yaml", TASK);
    let path = std::env::var("PATH").unwrap_or_default();
    let path = format!("{}:{path}", programs().display());
    project.env("PATH", &path).env(KEY.0, KEY.1);
    project
}

/// Its `servers` are one line, so that a test can put another in its place.
const TASK: &str = "\
id: one
prompt: Ticket T-1001 is urgent. Say so.
timeout_s: 60
environment:
  servers:
    - {name: tickets, command: \"${CROSSBAR_BIN}\", args: [__serve, tickets]}
security: {forbidden_tools: [tickets.delete_all]}
checks:
  - type: mcp_state
    description: it is urgent
    server: tickets
    tool: get_ticket
    args: {id: T-1001}
    expect: {ticket: {priority: urgent}}
demo:
  script:
    - {tool: tickets.set_priority, args: {id: T-1001, priority: urgent}}
  final: T-1001 is urgent.
";

/// The model that does the task.
fn solves(ask: &Ask) -> Move {
    let urgent = json!({"id": "T-1001", "priority": "urgent"});
    match ask.turn {
        1 => Move::call(&ask.named("set_priority"), &urgent),
        _ => Move::say("T-1001 is urgent."),
    }
}

fn run(project: &Project) -> Output {
    project.crossbar(&["run", "--live", "--budget", "50"])
}

/// The only rollout of the last run.
fn rollout(project: &Project) -> Value {
    project.sweep("runs/latest")["rollouts"][0].clone()
}

/// The crossbar binary.
fn crossbar() -> PathBuf {
    binaries().join("crossbar")
}
