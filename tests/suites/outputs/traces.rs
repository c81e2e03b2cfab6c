//! Traces: one file for each attempt at its place, and what `show` makes of one.

use crossbar_suites::project::{Project, task};
use serde_json::Value;

fn swept() -> Project {
    let project = Project::pack();
    let said = project.crossbar(&["run"]);
    assert_eq!(said.code, Some(0), "{said}");
    project
}

fn trace(project: &Project, path: &str) -> Value {
    serde_json::from_str(&project.read(&format!("runs/latest/traces/{path}"))).unwrap()
}

#[test]
fn one_file_for_each_rollout_at_the_promised_path() {
    let project = swept();
    let found: Vec<_> = project.bytes("runs/latest/traces").into_keys().collect();
    let mut expected = Vec::new();
    for cell in ["good+react", "poor+react"] {
        for task in ["one", "two"] {
            expected.extend((1..=3).map(|repeat| format!("{cell}/{task}-r{repeat}.json")));
        }
    }
    assert_eq!(found, expected);
}

#[test]
fn tasks_of_one_name_in_two_packs_keep_their_own_traces() {
    let project = Project::pack();
    project.write("other/one.task.yaml", &task("one"));
    let said = project.crossbar(&["run"]);
    assert_eq!(said.code, Some(0), "{said}");
    let files = project.bytes("runs/latest/traces");
    assert_eq!(files.len(), 2 * 3 * 3);
    let two = project.crossbar(&["show", "good+react", "one"]);
    assert_eq!(two.code, Some(2), "{two}");
    assert!(
        two.stderr.contains("desk::one") && two.stderr.contains("other::one"),
        "{two}"
    );
    assert_eq!(
        project.crossbar(&["show", "good+react", "other::one"]).code,
        Some(0)
    );
}

#[test]
fn a_trace_tells_the_whole_rollout() {
    let project = swept();
    let rollouts = project.sweep("runs/latest")["rollouts"].clone();
    let good = trace(&project, "good+react/one-r1.json");
    assert_eq!(good["cut"], Value::Array(Vec::new()));
    let rollout = &good["rollout"];
    assert_eq!(
        *rollout, rollouts[0],
        "sweep.json and the trace hold the same record"
    );
    let calls: Vec<_> = rollout["trajectory"]["steps"]
        .as_array()
        .unwrap()
        .iter()
        .flat_map(|step| step["calls"].as_array().unwrap())
        .collect();
    assert_eq!(calls.len(), 2);
    assert_eq!(calls[0]["tool"], "set_priority");
    assert_eq!(calls[0]["arguments"]["json"]["priority"], "urgent");
    assert_eq!(
        calls[0]["outcome"]["structured"]["ticket"]["priority"],
        "urgent"
    );
    assert!(calls[0]["took_ms"].is_u64());
    let steps = rollout["trajectory"]["steps"].as_array().unwrap();
    assert!(
        steps.iter().all(|step| step["usage"]["output"].is_u64()),
        "{steps:?}"
    );
    let text = rollout.to_string();
    for part in [
        "T-1001 is urgent and with oncall.",
        "\"accepted\"",
        "forbidden",
        "checks",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let written = project.read("runs/latest/traces/good+react/one-r1.json");
    let again = serde_json::to_string_pretty(&good).unwrap();
    assert_eq!(written.trim_end(), again, "it reads back as what it is");
}

#[test]
fn a_huge_result_is_cut_with_a_mark_and_the_hash_of_the_whole() {
    let project = Project::pack();
    let long = "x".repeat(100_000);
    project.replace(
        "desk/one.task.yaml",
        "{tool: tickets.assign, args: {id: T-1001, team: oncall}}",
        &format!("{{tool: tickets.assign, args: {{id: T-1001, team: {long}}}}}"),
    );
    let said = project.crossbar(&["run", "--agent", "good+react"]);
    assert_eq!(said.code, Some(0), "{said}");
    let cut = trace(&project, "good+react/one-r1.json");
    assert!(!cut["cut"].as_array().unwrap().is_empty(), "{}", cut["cut"]);
    assert!(
        cut["cut"].to_string().contains("hash") || cut["cut"].to_string().contains("sha256"),
        "{}",
        cut["cut"]
    );
    let bytes = project
        .read("runs/latest/traces/good+react/one-r1.json")
        .len();
    assert!(bytes < 500_000, "{bytes}");
}

#[test]
fn show_prints_the_transcript_of_one_rollout() {
    let project = swept();
    let failed = project.rollouts("runs/latest").lines;
    let failed = failed
        .iter()
        .find(|line| line["passed"] == "false")
        .expect("a failure");
    let repeat = failed["repeat"].as_str();
    let shown = project.crossbar(&["show", &failed["cell"], &failed["task"], "-r", repeat]);
    assert_eq!(shown.code, Some(0), "{shown}");
    for part in [
        "task_failure",
        "Ticket T-1001 is urgent.",
        "it is urgent and with oncall",
        "T-1001 is urgent and with oncall.",
    ] {
        assert!(shown.stdout.contains(part), "{part}: {shown}");
    }
    assert!(!shown.stdout.contains('\u{1b}'));
    assert!(
        project
            .crossbar(&["show", "good+react", "one", "--color", "always"])
            .stdout
            .contains('\u{1b}')
    );
    for args in [["good+react", "nine"], ["best+react", "one"]] {
        let said = project.crossbar(&[&["show"], &args[..]].concat());
        assert_eq!(said.code, Some(2), "{said}");
        assert!(
            said.stderr.contains("good+react") && said.stderr.contains("desk::one"),
            "{said}"
        );
    }
    assert_eq!(
        project
            .crossbar(&["show", "good+react", "one", "-r", "4"])
            .code,
        Some(2)
    );
}
