//! Every line of tests/agents/outcomes.tsv.

use super::subjects::{CLAUDE_CODE, CODEX, GEMINI, OPENCODE, QWEN, Subject};
use super::{PRICE, crossbar, project, rollout, solves};
use crossbar::harness::{PROGRAMS, program_of};
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

/// The fields of each line of the table.
fn lines() -> Vec<Vec<String>> {
    let path = tree::root().join("tests/agents/outcomes.tsv");
    let text = std::fs::read_to_string(path).unwrap();
    let lines = text.lines().skip_while(|line| line.starts_with('#'));
    let fields = |line: &str| line.split('\t').map(str::to_owned).collect();
    lines.skip(1).map(fields).collect()
}

fn line(subject: &Subject, scenario: &str) -> Line {
    let lines = lines();
    let mut found = lines.iter().filter_map(|fields| {
        let [harness, name, _, outcome, detail, steps, requests] = &fields[..] else {
            panic!("{fields:?}");
        };
        (harness == subject.kind && name == scenario).then(|| Line {
            outcome: outcome.clone(),
            detail: detail.clone(),
            steps: steps.parse().unwrap(),
            requests: requests.parse().unwrap(),
        })
    });
    let line = found.next();
    line.unwrap_or_else(|| panic!("no line is about {scenario} of {}", subject.kind))
}

/// Each scenario with each program is a test of its own, and a line of the table.
macro_rules! scenarios {
    ($($scenario:ident),* $(,)?) => {
        const SCENARIOS: &[&str] = &[$(stringify!($scenario)),*];

        mod claude_code {
            $(#[test] fn $scenario() { super::$scenario(&super::CLAUDE_CODE); })*
        }

        mod codex {
            $(#[test] fn $scenario() { super::$scenario(&super::CODEX); })*
        }

        mod gemini {
            $(#[test] fn $scenario() { super::$scenario(&super::GEMINI); })*
        }

        mod opencode {
            $(#[test] fn $scenario() { super::$scenario(&super::OPENCODE); })*
        }

        mod qwen {
            $(#[test] fn $scenario() { super::$scenario(&super::QWEN); })*
        }
    };
}

scenarios!(
    success,
    tool_error,
    forbidden_tool,
    turn_limit,
    status_401,
    status_429,
    status_500,
    status_529_once,
    cut_stream,
    dead_server,
    hung_server,
    timeout,
    sigterm,
    too_many_calls,
    token_limit,
    budget,
);

#[test]
fn the_table_has_each_scenario_of_each_program_once() {
    let found = lines();
    let found: Vec<(&str, &str)> = found.iter().map(|line| (&*line[0], &*line[1])).collect();
    let each = |program: &'static str| SCENARIOS.iter().map(move |one| (program, *one));
    let all = PROGRAMS.iter().flat_map(|program| each(program.kind));
    assert_eq!(found, all.collect::<Vec<_>>());
}

fn gets(ask: &Ask, id: &str) -> Move {
    Move::call(&ask.named("get_ticket"), &json!({"id": id}))
}

/// Runs a scenario, and holds its record to the line of the table.
fn case(
    (subject, scenario): (&Subject, &str),
    script: impl Fn(&Ask) -> Move + Send + Sync + 'static,
    prepare: impl FnOnce(&Project),
) -> Value {
    let model = ScriptedModel::start(script);
    let project = project(subject, &model);
    prepare(&project);
    held((subject, scenario), (&model, &project), "50")
}

fn held(
    (subject, scenario): (&Subject, &str),
    (model, project): (&ScriptedModel, &Project),
    dollars: &str,
) -> Value {
    let running = project.start(&crossbar(), &["run", "--live", "--budget", dollars]);
    let pid = running.id();
    if scenario == "sigterm" {
        model.wait_for(1);
        terminate(subject, pid);
    }
    let output = running.end();
    let line = line(subject, scenario);
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
fn terminate(subject: &Subject, sweep: u32) {
    let of_sweep = marked::of_sweep(sweep);
    let is_it = |pid: &&u32| {
        let line = std::fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
        String::from_utf8_lossy(&line).contains(subject.argument)
    };
    let found: Vec<&u32> = of_sweep.iter().filter(is_it).collect();
    assert!(!found.is_empty(), "{of_sweep:?}");
    for pid in found {
        let killed = Command::new("kill")
            .args(["-s", "TERM", &pid.to_string()])
            .status();
        assert!(killed.unwrap().success());
    }
}

fn success(subject: &Subject) {
    let rollout = case((subject, "success"), solves, |_| {});
    assert_eq!(rollout["trajectory"]["final_text"], "T-1001 is urgent.");
}

fn tool_error(subject: &Subject) {
    let script = |ask: &Ask| match ask.turn {
        1 => gets(ask, "T-9999"),
        _ => Move::say("There is no such ticket."),
    };
    let rollout = case((subject, "tool_error"), script, |_| {});
    let call = &rollout["trajectory"]["steps"][0]["calls"][0];
    assert_eq!(call["outcome"]["kind"], "error", "{call:#}");
}

fn forbidden_tool(subject: &Subject) {
    let script = |ask: &Ask| match ask.turn {
        1 => Move::call(&ask.named("delete_all"), &json!({})),
        _ => Move::say("I may not."),
    };
    let rollout = case((subject, "forbidden_tool"), script, |_| {});
    let counted = json!({"proposed": 1, "blocked": 1, "executed": 0});
    assert_eq!(rollout["forbidden"], counted, "{rollout:#}");
}

fn turn_limit(subject: &Subject) {
    let script = |ask: &Ask| gets(ask, "T-1001");
    let rollout = case((subject, "turn_limit"), script, |project| {
        project.replace(
            "desk/one.task.yaml",
            "timeout_s: 60",
            "timeout_s: 60\nmax_steps: 3",
        );
    });
    // What was carried out before it was stopped is told.
    let steps = rollout["trajectory"]["steps"].as_array().unwrap();
    let first = steps[..2]
        .iter()
        .map(|step| &step["calls"][0]["outcome"]["kind"]);
    assert_eq!(
        first.collect::<Vec<_>>(),
        ["result", "result"],
        "{rollout:#}"
    );
}

fn status_401(subject: &Subject) {
    case((subject, "status_401"), |_| Move::refuse(401), |_| {});
}

fn status_429(subject: &Subject) {
    case((subject, "status_429"), |_| Move::refuse(429), |_| {});
}

fn status_500(subject: &Subject) {
    let rollout = case((subject, "status_500"), |_| Move::refuse(500), |_| {});
    // Whether a model had begun behind it, nobody knows.
    assert_eq!(rollout["cost"]["kind"], "unknown");
}

fn status_529_once(subject: &Subject) {
    let script = |ask: &Ask| match ask.number {
        1 => Move::refuse(529),
        _ => solves(ask),
    };
    let rollout = case((subject, "status_529_once"), script, |_| {});
    assert_eq!(rollout["trajectory"]["steps"][0]["retries"], 1);
    assert_eq!(rollout["cost"]["amount"], subject.cost.0, "{rollout:#}");
}

fn cut_stream(subject: &Subject) {
    let rollout = case((subject, "cut_stream"), |_| Move::Cut, |_| {});
    assert_eq!(rollout["usage"], Value::Null);
    let exchanges = &rollout["trajectory"]["agent"]["exchanges"];
    // What was counted before the cut stands beside it.
    let seen = &exchanges[0]["seen"]["input_uncached"];
    assert_eq!(seen.as_u64(), subject.known_before_a_cut, "{exchanges:#}");
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

/// It is the program's start of the server that fails, and the record says so.
fn without_server((subject, scenario): (&Subject, &str), then: &str) {
    let prepare = |project: &Project| second_start(project, then);
    let rollout = case((subject, scenario), solves, prepare);
    let message = rollout["outcome"]["message"].as_str().unwrap();
    let program = program_of(subject.kind).unwrap();
    assert!(message.contains(program.name), "{message}");
}

fn dead_server(subject: &Subject) {
    without_server((subject, "dead_server"), "exit 3");
}

fn hung_server(subject: &Subject) {
    without_server((subject, "hung_server"), "exec sleep 600");
}

fn timeout(subject: &Subject) {
    let rollout = case(
        (subject, "timeout"),
        |_| Move::Hang,
        |project| {
            let seconds = format!("timeout_s: {}", subject.seconds_until_asked);
            project.replace("desk/one.task.yaml", "timeout_s: 60", &seconds);
        },
    );
    assert_eq!(rollout["usage"], Value::Null);
}

fn sigterm(subject: &Subject) {
    case((subject, "sigterm"), |_| Move::Hang, |_| {});
}

fn too_many_calls(subject: &Subject) {
    let script = |ask: &Ask| gets(ask, "T-1001");
    let rollout = case((subject, "too_many_calls"), script, |project| {
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

fn token_limit(subject: &Subject) {
    let script = |ask: &Ask| gets(ask, "T-1001");
    case((subject, "token_limit"), script, |project| {
        project.replace(
            "desk/one.task.yaml",
            "timeout_s: 60",
            "timeout_s: 60\nbudget_tokens: 1000",
        );
    });
}

fn budget(subject: &Subject) {
    let model = ScriptedModel::start(|ask| gets(ask, "T-1001"));
    let project = project(subject, &model);
    let params = "    params: {max_output_tokens: 64}\nharnesses:";
    project.replace("crossbar.yaml", "harnesses:", params);
    project.replace(
        "crossbar.yaml",
        PRICE,
        "{input_per_mtok: 0, output_per_mtok: 1000}",
    );
    // A request reserves $0.064 and costs $0.04.
    held((subject, "budget"), (&model, &project), "0.08");
    let body = &model.asks()[0].body;
    assert_eq!(body.pointer(subject.ceiling), Some(&json!(64)), "{body:#}");
}
