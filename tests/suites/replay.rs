//! Recorded runs and their replays, as whole commands: the same results without a key, a budget or a
//! request; what was not recorded is invalid; and nothing is ever concluded about a model.

#[path = "replay/differs.rs"]
mod differs;
#[path = "replay/rust.rs"]
mod rust;
#[path = "replay/same.rs"]
mod same;
#[path = "replay/says_nothing.rs"]
mod says_nothing;

use crossbar_suites::counting_server::{CountingServer, Reply, Request};
use crossbar_suites::project::{Output, Project, SERVER};
use serde_json::{Value, json};

/// The variable that the rosters of this suite name, and what it holds.
const KEY: (&str, &str) = ("REPLAY_SUITE_KEY", "cb-Qy7/pV2+Jt9=ZxLm4Wn8Rk");

/// A model that marks the ticket as urgent in its first repeat and forgets it in the second. Its
/// first request is one too many, and its last answer repeats the key.
fn answer(request: &Request) -> Reply {
    if request.number == 1 {
        return Reply::error(429, "slow down").header("retry-after-ms", "20");
    }
    let has_tools = request.body["tools"].is_array();
    match request.turn() {
        1 if has_tools && request.prompt().contains("T-1001") => Reply::call(
            "tickets__set_priority",
            &json!({"id": "T-1001", "priority": "urgent"}),
        )
        .usage(120, 30),
        _ => Reply::text(&format!("It is urgent, says {}.", KEY.1)).usage(200, 20),
    }
}

/// Two cells over two tasks, one of which the model does not do.
fn project(server: &CountingServer) -> Project {
    let mut project = Project::empty();
    let roster = format!(
        "models:\n  - id: paid\n    provider: openai\n    base_url: {}\n    api_key_env: {}\n    \
         price: {{input_per_mtok: 3, output_per_mtok: 15}}\nharnesses:\n  \
         - {{id: react, kind: react}}\n  - {{id: ask, kind: single-shot}}\npacks: [desk]\n\
         run: {{repeats: 2, baseline: paid+react}}\n",
        server.base_url(),
        KEY.0
    );
    project.write("crossbar.yaml", &roster);
    for (task, ticket) in [("one", "T-1001"), ("two", "T-1002")] {
        let text = format!(
            "id: {task}\nprompt: Ticket {ticket} is urgent. Say so.\nenvironment:\n  \
             servers: [{SERVER}]\nchecks:\n  - type: mcp_state\n    description: it is urgent\n    \
             server: tickets\n    tool: get_ticket\n    args: {{id: {ticket}}}\n    \
             expect: {{ticket: {{priority: urgent}}}}\ndemo: {{final: done}}\n"
        );
        project.write(&format!("desk/{task}.task.yaml"), &text);
    }
    project.env(KEY.0, KEY.1);
    project
}

/// A project whose run was recorded, without the key, and its server.
fn recorded() -> (Project, CountingServer, Value) {
    let server = CountingServer::start(answer);
    let mut project = project(&server);
    let output = project.crossbar(&["run", "--record", "--live", "--budget", "5"]);
    assert_eq!(output.code, Some(0), "{output}");
    let sweep = project.sweep("runs/latest");
    project.unset(KEY.0);
    (project, server, sweep)
}

fn replay(project: &Project) -> Output {
    project.crossbar(&["run", "--replay"])
}

/// The run of a sweep.json.
fn run_of(sweep: &Value) -> &str {
    sweep["run_id"].as_str().unwrap()
}

/// The cell, task and message of each rollout that was invalid.
fn invalid(project: &Project) -> Vec<(String, String)> {
    let sweep = project.sweep("runs/latest");
    let rollouts = sweep["rollouts"].as_array().unwrap().iter();
    let invalid = rollouts.filter(|one| one["outcome"]["kind"] == "invalid_fixture");
    let told = invalid.map(|one| {
        let key = &one["key"];
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        (text(&key["cell"]), text(&one["outcome"]["message"]))
    });
    told.collect()
}
