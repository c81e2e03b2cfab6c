//! Each control is a case of its own, and a red one says what was expected, what was found, which
//! check is to blame, and the cure.

use crossbar_suites::project::{Output, Project};

/// The controls of examples/first-test.
const CONTROLS: [&str; 7] = [
    "first-test::outage_is_escalated::control+broken",
    "first-test::outage_is_escalated::control+noop",
    "first-test::outage_is_escalated::control+solution",
    "tasks::route-billing::control+broken.no-tags",
    "tasks::route-billing::control+broken.outage-too",
    "tasks::route-billing::control+noop",
    "tasks::route-billing::control+solution",
];

const TASK: &str = "tasks/route-billing.task.yaml";
const GUARD: &str = "    guard: true\n";

fn test(project: &Project, args: &[&str]) -> Output {
    project.cargo(&[&["test", "--test", "agents", "--"], args].concat())
}

/// How the cases of controls ended, by the last words of their lines.
fn ended(said: &Output) -> Vec<(String, String)> {
    let lines = said.stdout.lines().filter_map(|line| {
        let (name, ended) = line.strip_prefix("test ")?.split_once(" ... ")?;
        Some((name.trim().to_owned(), ended.to_owned()))
    });
    let mut cases: Vec<_> = lines
        .filter(|(name, _)| name.contains("control+"))
        .collect();
    cases.sort();
    cases
}

#[test]
fn every_control_is_a_case_beside_the_cells() {
    let project = Project::first_test();
    let said = test(&project, &[]);
    assert_eq!(said.code, Some(0), "{said}");
    let green = CONTROLS.map(|name| (name.to_owned(), "ok".to_owned()));
    assert_eq!(ended(&said), green);
    assert!(said.stdout.contains("13 passed"), "{said}");
    let crowd = project.nextest(&["run"]);
    assert_eq!(crowd.code, Some(0), "{crowd}");
    for name in CONTROLS {
        let line = crowd.stderr.lines().find(|line| line.ends_with(name));
        assert!(line.is_some_and(|l| l.contains("PASS")), "{name} {crowd}");
    }
}

#[test]
fn one_control_runs_alone_and_is_in_no_verdict() {
    let project = Project::first_test();
    let said = test(&project, &["--exact", CONTROLS[4]]);
    assert_eq!(said.code, Some(0), "{said}");
    assert_eq!(ended(&said), [(CONTROLS[4].to_owned(), "ok".to_owned())]);
    assert!(said.stdout.contains("partial: no verdict"), "{said}");
    assert_eq!(ended(&test(&project, &["control+noop"])).len(), 2);
    let verdict = project.crossbar(&["verdict"]);
    assert_eq!(verdict.code, Some(4), "{verdict}");
    assert!(verdict.stdout.contains("2 of 7 hold"), "{verdict}");
    assert!(project.rollouts("runs/latest").lines.is_empty());
}

#[test]
fn a_check_that_holds_untouched_makes_the_no_op_red_and_is_named() {
    let project = Project::first_test();
    project.replace(TASK, GUARD, "");
    let said = test(&project, &[]);
    assert_eq!(said.code, Some(101), "{said}");
    let red: Vec<_> = ended(&said)
        .into_iter()
        .filter(|(_, e)| e == "FAILED")
        .collect();
    assert_eq!(
        red,
        [(CONTROLS[5].to_owned(), "FAILED".to_owned())],
        "{said}"
    );
    for part in [
        "doing nothing: expected not accepted, 0.00, found task_failure, 0.33",
        "check `the outage is left alone` (mcp_state): holds although nothing was done",
        "help: give the check `guard: true`",
        "see: crossbar show control+noop tasks::route-billing",
    ] {
        assert!(said.stdout.contains(part), "{part}: {said}");
    }
    assert!(
        said.stdout
            .contains("CONTROLS: 1 of 7 controls not shown to hold."),
        "{said}"
    );
    let shown = project.crossbar(&["show", "control+noop", "tasks::route-billing"]);
    assert!(
        shown.stdout.contains("holds the outage is left alone"),
        "{shown}"
    );
}

#[test]
fn an_assertion_in_rust_that_holds_untouched_is_made_a_guard() {
    let project = Project::first_test();
    let file = "tests/agents.rs";
    let check = "cx.check(\"one assignment only\"";
    let nothing =
        format!("cx.check(\"nothing deleted\", tickets.calls(\"delete_all\") == 0);\n    {check}");
    project.replace(file, check, &nothing);
    let said = test(&project, &["control+noop"]);
    assert_eq!(said.code, Some(101), "{said}");
    assert!(
        said.stdout
            .contains("check `nothing deleted` (check): holds although"),
        "{said}"
    );
    project.replace(
        file,
        "cx.check(\"nothing deleted\"",
        "cx.guard(\"nothing deleted\"",
    );
    let said = test(&project, &["control+"]);
    assert_eq!(said.code, Some(0), "{said}");
    let held = "subset!({\"ticket\": {\"status\": \"open\"}})";
    let stays = format!("cx.expect(\"stays open\", &seen, {held}.guard());\n    {check}");
    project.replace(file, check, &stays);
    let said = test(&project, &["control+"]);
    assert_eq!(said.code, Some(0), "{said}");
}

#[test]
fn a_mistake_that_is_accepted_is_red() {
    let project = Project::first_test();
    project.replace(
        TASK,
        "    args: {id: \"T-1005\"}\n    expect: {ticket: {team: billing, tags: [money]}}",
        "    args: {id: \"T-1005\"}\n    expect: {ticket: {team: billing}}",
    );
    project.replace(
        TASK,
        "    args: {id: \"T-1002\"}\n    expect: {ticket: {team: billing, tags: [money]}}",
        "    args: {id: \"T-1002\"}\n    expect: {ticket: {team: billing}}",
    );
    let said = test(&project, &["control+broken"]);
    assert_eq!(said.code, Some(101), "{said}");
    let part = "the broken script: expected not accepted, below 1.00, found accepted, 1.00";
    assert!(said.stdout.contains(part), "{said}");
    let green = ended(&said)
        .into_iter()
        .filter(|(_, ended)| ended == "ok")
        .count();
    assert_eq!(green, 2, "{said}");
}

#[test]
fn a_solution_that_falls_short_is_red_with_path_expected_and_actual() {
    let project = Project::first_test();
    let file = "tests/agents.rs";
    project.replace(
        file,
        "\"team\": \"oncall\"}))\n    .say(",
        "\"team\": \"on-call\"}))\n    .say(",
    );
    let said = test(&project, &["control+solution"]);
    assert_eq!(said.code, Some(101), "{said}");
    for part in [
        "the solution: expected accepted, 1.00, found task_failure, 0.67",
        "check `it is with oncall` (expect): ",
        "at `ticket.team`: expected \"oncall\", got \"on-call\"",
    ] {
        assert!(said.stdout.contains(part), "{part}: {said}");
    }
}

#[test]
fn a_control_that_could_not_be_measured_is_red() {
    let project = Project::first_test();
    project.replace(
        TASK,
        "command: ${CROSSBAR_BIN}",
        "command: no-such-server-anywhere",
    );
    let said = test(&project, &["route-billing::control+noop"]);
    assert_eq!(said.code, Some(101), "{said}");
    assert!(
        said.stdout
            .contains("could not be measured, which proves nothing"),
        "{said}"
    );
    let crowd = project.nextest(&["run", "--no-fail-fast", "control+"]);
    assert_eq!(crowd.code, Some(100), "{crowd}");
    assert!(crowd.stderr.contains("3 passed, 4 failed"), "{crowd}");
}
