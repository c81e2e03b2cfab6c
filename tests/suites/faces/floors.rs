//! `min_pass_rate`: a case that conclusively misses it is red, and one that these repeats could
//! never show to be missed is refused.

use crossbar_suites::project::{Project, junit};

const TASK: &str = "tasks/route-billing.task.yaml";
const CASE: &str = "tasks::route-billing::hopeless+react";

/// A model that never does anything.
fn hopeless() -> Project {
    let project = Project::first_test();
    project.write(
        "crossbar.yaml",
        "models: [{id: hopeless, provider: mock, skill: 0}]\n\
         harnesses: [{id: react, kind: react}]\n\
         run: {repeats: 3}\n",
    );
    project
}

#[test]
fn a_case_that_is_conclusively_under_its_floor_is_red() {
    let project = hopeless();
    let without = project.cargo(&["test"]);
    assert_eq!(
        without.code,
        Some(0),
        "a cell that loses is data: {without}"
    );
    project.replace(
        TASK,
        "family: route\n",
        "family: route\nmin_pass_rate: 0.8\n",
    );
    let said = project.cargo(&["test"]);
    assert_eq!(said.code, Some(101), "{said}");
    let why = "0 of 3 passed: at most 63.2% [exact upper limit], under min_pass_rate 80%";
    assert!(said.stdout.contains(why), "{said}");
    let red = said.stdout.lines().filter(|line| line.ends_with("FAILED"));
    let red: Vec<_> = red.collect();
    assert!(red.len() == 1 && red[0].contains(CASE), "{said}");
    assert!(
        said.stdout
            .contains("FLOOR: hopeless+react on tasks::route-billing"),
        "{said}"
    );
    let cases = junit(&project.read("runs/latest/junit.xml"));
    let failed: Vec<_> = cases
        .iter()
        .filter(|case| case.status == "failure")
        .collect();
    assert!(failed.len() == 1 && failed[0].message == why, "{cases:?}");
    let crowd = project.nextest(&["run", "--no-fail-fast"]);
    assert!(crowd.stderr.contains("8 passed, 1 failed"), "{crowd}");
}

#[test]
fn a_floor_that_can_never_be_missed_names_the_repeats_that_it_needs() {
    let project = hopeless();
    project.replace(
        TASK,
        "family: route\n",
        "family: route\nmin_pass_rate: 0.5\n",
    );
    let file = "tests/agents.rs";
    project.replace(
        file,
        "family = \"escalate\"",
        "family = \"escalate\", min_pass_rate = 0.3",
    );
    let said = project.cargo(&["test"]);
    assert_eq!(said.code, Some(2), "{said}");
    for part in [
        "`min_pass_rate` 0.5 of `tasks::route-billing`",
        "shared by 2 cases",
        "help: 6 repeats are needed",
        "`min_pass_rate` 0.3 of `first-test::outage_is_escalated`",
        "help: 11 repeats are needed",
        "tests/agents.rs:",
    ] {
        assert!(said.stderr.contains(part), "{part}: {said}");
    }
    let mut project = project;
    project.env("CROSSBAR_REPEATS", "11");
    let said = project.cargo(&["test"]);
    assert_eq!(said.code, Some(101), "now it can: {said}");
}
