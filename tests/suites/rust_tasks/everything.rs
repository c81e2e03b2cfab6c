//! One project with every kind of task function, built and run once; each test looks at a part.

use crossbar_suites::project::{Output, Project};
use serde_json::{Value, json};
use std::sync::OnceLock;

struct Ran {
    project: Project,
    said: Output,
}

fn ran() -> &'static Ran {
    static RAN: OnceLock<Ran> = OnceLock::new();
    RAN.get_or_init(|| {
        let project = crate::project(include_str!("../../fixtures/rust_tasks/agents.rs"));
        let said = project.cargo(&["test", "--test", "agents"]);
        // Tasks that fail on purpose have controls that do not hold, and nothing else is red.
        assert_eq!(said.code, Some(101), "{said}");
        let red = said.stdout.lines().filter(|line| line.ends_with("FAILED"));
        let red: Vec<_> = red.filter(|line| line.starts_with("test ")).collect();
        assert!(red.iter().all(|line| line.contains("control+")), "{red:?}");
        Ran { project, said }
    })
}

/// The record of a task's only rollout.
fn rollout(task: &str) -> Value {
    let path = format!("runs/latest/traces/played+react/{task}-r1.json");
    let trace: Value = serde_json::from_str(&ran().project.read(&path)).unwrap();
    trace["rollout"].clone()
}

fn outcome(task: &str) -> String {
    rollout(task)["outcome"]["kind"]
        .as_str()
        .unwrap()
        .to_owned()
}

/// Name and message of the one check that does not hold.
fn failed_check(task: &str) -> (String, String) {
    let rollout = rollout(task);
    assert_eq!(rollout["outcome"]["kind"], "task_failure", "{rollout}");
    let checks = rollout["checks"].as_array().unwrap();
    let failed: Vec<_> = checks.iter().filter(|one| one["passed"] == false).collect();
    let [failed] = failed[..] else {
        panic!("{checks:?}")
    };
    assert_eq!(failed["required"], true);
    let text = |key: &str| failed[key].as_str().unwrap().to_owned();
    (text("name"), text("message"))
}

/// What a task function observed after its agent had ended.
fn evidence(task: &str) -> Value {
    rollout(task)["evidence"].clone()
}

#[test]
fn every_kind_of_function_is_a_case_and_the_pack_is_named_by_main() {
    let said = &ran().said.stdout;
    let cells = said
        .lines()
        .filter(|line| line.starts_with("test ") && line.contains("::played+"));
    assert_eq!(
        cells.filter(|line| line.ends_with(" ... ok")).count(),
        133,
        "{said}"
    );
    for case in [
        "features::kept-id",
        "features::desk.deep.move",
        "features::refund_delivered.O1001",
    ] {
        assert!(
            said.contains(&format!("test {case}::played+react ")),
            "{case}: {said}"
        );
    }
    for task in ["kept-id", "desk.deep.move", "waits", "talks_twice"] {
        assert_eq!(outcome(task), "accepted", "{task}");
    }
}

#[test]
fn each_key_of_the_attribute_reaches_the_rollout() {
    let limits = &rollout("kept-id")["limits"];
    assert_eq!(
        *limits,
        json!({"max_steps": 7, "timeout_s": 60.0, "budget_tokens": 90_000, "max_tool_calls": 3})
    );
    let sweep = ran().project.sweep("runs/latest");
    let tasks = sweep["question"]["tasks"].as_array().unwrap();
    let task = tasks
        .iter()
        .find(|task| task["id"] == "features::kept-id")
        .unwrap();
    assert_eq!(
        (&task["name"], &task["family"], &task["weight"]),
        (
            &json!("A refund that moved"),
            &json!("refunds"),
            &json!(2.0)
        )
    );
}

#[test]
fn a_case_is_a_task_of_its_own_and_its_solution_gets_its_value() {
    for (task, amount) in [
        ("refund_delivered.O1001", 79.99),
        ("refund_delivered.O1002", 5.0),
    ] {
        assert_eq!(outcome(task), "accepted", "{task}");
        let call = &rollout(task)["trajectory"]["steps"][0]["calls"][0];
        assert_eq!(call["arguments"]["json"], json!({"amount": amount}));
    }
    let accepted = (1..=120).filter(|n| outcome(&format!("many_cases.n{n:03}")) == "accepted");
    assert_eq!(accepted.count(), 120);
    assert_eq!(outcome("words.red"), "accepted");
    assert_eq!(failed_check("words.green").0, "it is that colour");
}

#[test]
fn a_function_that_waits_sees_what_an_async_one_sees() {
    assert_eq!(outcome("waits"), "accepted");
    assert_eq!(
        evidence("waits"),
        json!([
            {
                "probe": {"probe": "call_tool", "server": "shop", "tool": "get", "args": {}},
                "observation": {"value": {"refunds": [7.0]}},
            },
            {
                "probe": {"probe": "own", "name": "note"},
                "observation": {"failed": "No such file or directory (os error 2)"},
            },
        ])
    );
}

#[test]
fn calls_of_functions_stand_in_the_trajectory_like_those_of_a_server() {
    let call = &rollout("kept-id")["trajectory"]["steps"][0]["calls"][0];
    assert_eq!(
        (&call["server"], &call["tool"]),
        (&json!("shop"), &json!("refund"))
    );
    assert_eq!(
        call["outcome"],
        json!({"kind": "result", "text": "{\"refunded\":5.0}", "structured": {"refunded": 5.0}})
    );
}

#[test]
fn what_a_task_reads_itself_is_recorded() {
    assert_eq!(
        evidence("talks_twice"),
        json!([{"probe": {"probe": "own", "name": "total"}, "observation": {"value": 1}}])
    );
}

#[test]
fn a_second_turn_goes_on_with_the_same_conversation() {
    let rollout = rollout("talks_twice");
    let steps = rollout["trajectory"]["steps"].as_array().unwrap();
    assert_eq!(
        steps.len(),
        3,
        "a call, its answer, and the second turn: {steps:?}"
    );
    let input = |at: usize| steps[at]["usage"]["input_uncached"].as_u64().unwrap();
    assert!(
        input(2) > input(1),
        "the second turn is told after all of the first"
    );
    assert_eq!(outcome("talks_twice"), "accepted");
}

#[test]
fn any_error_after_the_agent_is_a_failed_check_named_by_its_message() {
    let same = |text: &str| (text.to_owned(), text.to_owned());
    assert_eq!(
        failed_check("ends_with_an_error"),
        same("the bank said \"no\"")
    );
    assert_eq!(
        failed_check("ends_with_a_boxed_error"),
        same("the disk is full")
    );
}

#[test]
fn an_error_lowers_the_completion_and_its_message_is_in_the_outputs() {
    let rollout = rollout("ends_with_an_error");
    assert_eq!(rollout["score"]["completion"], 0.5, "{rollout}");
    let project = &ran().project;
    for file in ["sweep.json", "junit.xml"] {
        let text = project.read(&format!("runs/latest/{file}"));
        let text = text.replace("&quot;", "\"").replace("\\\"", "\"");
        assert!(text.contains("the bank said \"no\""), "{file}: {text}");
    }
}

#[test]
fn a_panic_after_the_agent_is_a_failed_check_named_by_its_message() {
    let (name, message) = failed_check("panics_after");
    assert_eq!(
        name,
        "assertion `left == right` failed: the answer is another one"
    );
    assert!(message.contains("left: \"hello\""), "{message}");
    assert_eq!(failed_check("panics_after_on_a_thread").0, "it fell over");
    assert_eq!(outcome("asserts_as_tests_do"), "accepted");
}
