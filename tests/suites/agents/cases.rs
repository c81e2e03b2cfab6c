//! Every line of tests/agents/outcomes.tsv.

use super::{PRICE, SET_PRIORITY, crossbar, project, rollout};
use crossbar_suites::marked;
use crossbar_suites::project::Project;
use crossbar_suites::scripted_model::{Ask, Move, ScriptedModel};
use crossbar_suites::tree;
use serde_json::{Value, json};
use std::process::Command;

/// A line of the table.
struct Line {
    outcome: String,
    detail: String,
    steps: usize,
    requests: usize,
}

fn line(scenario: &str) -> Line {
    let path = tree::root().join("tests/agents/outcomes.tsv");
    let text = std::fs::read_to_string(path).unwrap();
    let found = text.lines().find_map(|line| {
        let fields: Vec<&str> = line.split('\t').collect();
        let [_, name, _, outcome, detail, steps, requests] = fields[..] else {
            return None;
        };
        (name == scenario).then(|| Line {
            outcome: outcome.to_owned(),
            detail: detail.to_owned(),
            steps: steps.parse().unwrap(),
            requests: requests.parse().unwrap(),
        })
    });
    found.unwrap_or_else(|| panic!("no line of the table is about {scenario}"))
}

/// The model that does the task.
fn solves(ask: &Ask) -> Move {
    match ask.turn {
        1 => Move::call(SET_PRIORITY, &json!({"id": "T-1001", "priority": "urgent"})),
        _ => Move::say("T-1001 is urgent."),
    }
}

fn gets(id: &str) -> Move {
    Move::call("mcp__tickets__get_ticket", &json!({"id": id}))
}

/// Runs a scenario, and holds its record to the line of the table.
fn case(
    scenario: &str,
    script: impl Fn(&Ask) -> Move + Send + Sync + 'static,
    prepare: impl FnOnce(&Project),
) -> Value {
    let model = ScriptedModel::start(script);
    let project = project(&model);
    prepare(&project);
    held(scenario, &model, &project, "50")
}

fn held(scenario: &str, model: &ScriptedModel, project: &Project, dollars: &str) -> Value {
    let running = project.start(&crossbar(), &["run", "--live", "--budget", dollars]);
    let pid = running.id();
    if scenario == "sigterm" {
        model.wait_for(1);
        terminate(pid);
    }
    let output = running.end();
    let line = line(scenario);
    let rollouts = project.rollouts("runs/latest");
    let found = (
        &*rollouts.lines[0]["outcome"],
        &*rollouts.lines[0]["detail"],
    );
    let rollout = rollout(project);
    assert_eq!(
        found,
        (&*line.outcome, &*line.detail),
        "{output}\n{rollout:#}"
    );
    let trajectory = &rollout["trajectory"];
    let steps = trajectory["steps"].as_array().unwrap().len();
    assert_eq!(
        (steps, model.asks().len()),
        (line.steps, line.requests),
        "{rollout:#}"
    );
    let agent = &trajectory["agent"];
    assert_eq!(agent["version"], agent["pinned"], "{agent:#}");
    assert_eq!(marked::of_sweep(pid), Vec::<u32>::new());
    rollout
}

/// Ends the agent's program of a sweep, and nothing else.
fn terminate(sweep: u32) {
    let of_sweep = marked::of_sweep(sweep);
    let is_claude = |pid: &&u32| {
        let line = std::fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
        String::from_utf8_lossy(&line).contains("stream-json")
    };
    let found: Vec<&u32> = of_sweep.iter().filter(is_claude).collect();
    assert!(!found.is_empty(), "{of_sweep:?}");
    for pid in found {
        let killed = Command::new("kill")
            .args(["-s", "TERM", &pid.to_string()])
            .status();
        assert!(killed.unwrap().success());
    }
}

#[test]
fn success() {
    let rollout = case("success", solves, |_| {});
    assert_eq!(rollout["trajectory"]["final_text"], "T-1001 is urgent.");
}

#[test]
fn tool_error() {
    let script = |ask: &Ask| match ask.turn {
        1 => gets("T-9999"),
        _ => Move::say("There is no such ticket."),
    };
    let rollout = case("tool_error", script, |_| {});
    let call = &rollout["trajectory"]["steps"][0]["calls"][0];
    assert_eq!(call["outcome"]["kind"], "error", "{call:#}");
}

#[test]
fn forbidden_tool() {
    let script = |ask: &Ask| match ask.turn {
        1 => Move::call("mcp__tickets__delete_all", &json!({})),
        _ => Move::say("I may not."),
    };
    let rollout = case("forbidden_tool", script, |_| {});
    let counted = json!({"proposed": 1, "blocked": 1, "executed": 0});
    assert_eq!(rollout["forbidden"], counted, "{rollout:#}");
}

#[test]
fn turn_limit() {
    let script = |_: &Ask| gets("T-1001");
    case("turn_limit", script, |project| {
        project.replace(
            "desk/one.task.yaml",
            "timeout_s: 60",
            "timeout_s: 60\nmax_steps: 3",
        );
    });
}

#[test]
fn status_401() {
    case("status_401", |_| Move::refuse(401), |_| {});
}

#[test]
fn status_429() {
    case("status_429", |_| Move::refuse(429), |_| {});
}

#[test]
fn status_500() {
    let rollout = case("status_500", |_| Move::refuse(500), |_| {});
    // Whether a model had begun behind it, nobody knows.
    assert_eq!(rollout["cost"]["kind"], "unknown");
}

#[test]
fn status_529_once() {
    let script = |ask: &Ask| match ask.number {
        1 => Move::refuse(529),
        _ => solves(ask),
    };
    let rollout = case("status_529_once", script, |_| {});
    assert_eq!(rollout["trajectory"]["steps"][0]["retries"], 1);
    assert_eq!(rollout["cost"]["amount"], 8880, "{rollout:#}");
}

#[test]
fn cut_stream() {
    let rollout = case("cut_stream", |_| Move::Cut, |_| {});
    assert_eq!(rollout["usage"], Value::Null);
    let exchanges = &rollout["trajectory"]["agent"]["exchanges"];
    // What was counted before the cut stands beside it.
    assert_eq!(
        exchanges[0]["seen"]["input_uncached"], 1000,
        "{exchanges:#}"
    );
    assert_eq!(rollout["cost"]["kind"], "unknown");
}

/// A server that works when crossbar starts it, and does something else when the program does.
fn second_start(project: &Project, then: &str) {
    let server = "{name: tickets, command: \"${CROSSBAR_BIN}\", args: [__serve, tickets]}";
    let other = format!(
        "{{name: tickets, command: sh, start_timeout_s: 3, args: [\"-c\", \
         \"test -e begun && {then}; touch begun; exec ${{CROSSBAR_BIN}} __serve tickets\"]}}"
    );
    project.replace("desk/one.task.yaml", server, &other);
}

#[test]
fn dead_server() {
    case("dead_server", solves, |project| {
        second_start(project, "exit 3")
    });
}

#[test]
fn hung_server() {
    case("hung_server", solves, |project| {
        second_start(project, "exec sleep 600");
    });
}

#[test]
fn timeout() {
    let rollout = case(
        "timeout",
        |_| Move::Hang,
        |project| {
            project.replace("desk/one.task.yaml", "timeout_s: 60", "timeout_s: 4");
        },
    );
    assert_eq!(rollout["usage"], Value::Null);
}

#[test]
fn sigterm() {
    case("sigterm", |_| Move::Hang, |_| {});
}

#[test]
fn too_many_calls() {
    let script = |_: &Ask| gets("T-1001");
    let rollout = case("too_many_calls", script, |project| {
        project.replace(
            "desk/one.task.yaml",
            "security: {",
            "security: {max_tool_calls: 1, ",
        );
    });
    let calls: Vec<&Value> = rollout["trajectory"]["steps"]
        .as_array()
        .unwrap()
        .iter()
        .flat_map(|step| step["calls"].as_array().unwrap())
        .map(|call| &call["outcome"]["kind"])
        .collect();
    assert_eq!(calls, ["result", "blocked"], "{rollout:#}");
}

#[test]
fn token_limit() {
    let script = |_: &Ask| gets("T-1001");
    case("token_limit", script, |project| {
        project.replace(
            "desk/one.task.yaml",
            "timeout_s: 60",
            "timeout_s: 60\nbudget_tokens: 1000",
        );
    });
}

#[test]
fn budget() {
    let model = ScriptedModel::start(|_| gets("T-1001"));
    let project = project(&model);
    let params = "    params: {max_output_tokens: 64}\nharnesses:";
    project.replace("crossbar.yaml", "harnesses:", params);
    project.replace(
        "crossbar.yaml",
        PRICE,
        "{input_per_mtok: 0, output_per_mtok: 1000}",
    );
    // A request reserves $0.064 and costs $0.04.
    held("budget", &model, &project, "0.08");
    assert_eq!(model.asks()[0].body["max_tokens"], 64);
}
