//! `crossbar validate`: what would run, and with `--controls` whether the tasks prove themselves.

use crossbar_suites::project::{Project, task};

#[test]
fn it_says_what_would_run_and_starts_nothing() {
    let project = Project::first_test();
    let mark = project.path().join("mark");
    project.replace(
        "tasks/route-billing.task.yaml",
        "command: ${CROSSBAR_BIN}\n      args: [\"__serve\", \"tickets\"]",
        &format!("command: touch\n      args: [{mark:?}]"),
    );
    let said = project.crossbar(&["validate"]);
    assert_eq!(said.code, Some(0), "{said}");
    for part in [
        "3 cells: mock-strong+react, mock-weak+react, mock-weak+react-verify",
        "2 tasks:\n  first-test::outage_is_escalated\n  tasks::route-billing\n",
        "planned: 18 rollouts, and 7 controls; nothing was run",
    ] {
        assert!(said.stdout.contains(part), "{part}: {said}");
    }
    assert!(!project.has("runs") && !project.has("mark"), "{said}");
}

#[test]
fn with_controls_it_prints_every_score_and_leaves_no_run() {
    let project = Project::first_test();
    let said = project.crossbar(&["validate", "--controls"]);
    assert_eq!(said.code, Some(0), "{said}");
    let table = "\
task                             doing nothing  solution       broken
first-test::outage_is_escalated  0.00           1.00           0.67
tasks::route-billing             0.00           1.00           no-tags 0.00, outage-too 0.00
";
    assert!(said.stdout.contains(table), "{said}");
    assert!(said.stdout.contains("controls: 7 of 7 hold"), "{said}");
    assert!(!project.has("runs"), "{said}");
}

#[test]
fn one_pack_needs_no_roster() {
    let project = Project::pack();
    project.remove("crossbar.yaml");
    let said = project.crossbar(&["validate", "--controls", "--pack", "desk"]);
    assert_eq!(said.code, Some(0), "{said}");
    assert!(said.stdout.contains("controls: 4 of 4 hold"), "{said}");
    assert!(said.stdout.contains("no cell\n2 tasks:"), "{said}");
    let all = project.crossbar(&["validate", "--controls"]);
    assert_eq!(all.code, Some(0), "{all}");
}

#[test]
fn a_control_that_fails_is_1_and_one_that_was_not_measured_is_4() {
    let project = Project::pack();
    project.serve("{name: tickets, command: no-such-server-anywhere}");
    let lost = project.crossbar(&["validate", "--controls"]);
    assert_eq!(lost.code, Some(4), "{lost}");
    assert!(lost.stdout.contains("unmeasured"), "{lost}");
    for id in ["one", "two"] {
        project.write(&format!("desk/{id}.task.yaml"), &task(id));
    }
    project.replace(
        "desk/one.task.yaml",
        "expect: {ticket: {priority: urgent, team: oncall}}",
        "expect: {ticket: {priority: urgent, team: on-call}}",
    );
    let failed = project.crossbar(&["validate", "--controls"]);
    assert_eq!(failed.code, Some(1), "{failed}");
    for part in [
        "1.00",
        "0.00 FAILS",
        "desk::one::control+solution\n  the solution: expected accepted, 1.00, found task_failure",
        "expected \"on-call\", got \"oncall\"",
        "controls: 3 of 4 hold",
    ] {
        assert!(failed.stdout.contains(part), "{part}: {failed}");
    }
}

#[test]
fn every_mistake_comes_at_once_and_nothing_is_2() {
    let project = Project::pack();
    project.replace("desk/one.task.yaml", "prompt:", "promt:");
    project.replace("desk/two.task.yaml", "mcp_state", "mcp_stat");
    let said = project.crossbar(&["validate"]);
    assert_eq!(said.code, Some(2), "{said}");
    for part in ["desk/one.task.yaml:", "desk/two.task.yaml:"] {
        assert!(said.stderr.contains(part), "{part}: {said}");
    }
    let empty = Project::empty();
    let said = empty.crossbar(&["validate"]);
    assert_eq!(said.code, Some(2), "{said}");
    assert!(said.stderr.contains("there is no task here"), "{said}");
}
