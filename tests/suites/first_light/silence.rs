//! What costs nothing and leaves nothing: listing, and filters that mean another binary.

use std::path::PathBuf;

use crossbar_suites::project::Project;

/// The first test's project with a server that leaves a mark when it is started; with it, the test
/// binary.
fn marked() -> (Project, PathBuf) {
    let mut project = Project::first_test();
    let mark = project.path().join("mark");
    project.replace(
        "tasks/route-billing.task.yaml",
        "command: ${CROSSBAR_BIN}\n      args: [\"__serve\", \"tickets\"]",
        &format!("command: touch\n      args: [{mark:?}]"),
    );
    let agents = project.agents();
    let folder = project.path().to_string_lossy().into_owned();
    project.env("CARGO_MANIFEST_DIR", &folder);
    (project, agents)
}

fn untouched(project: &Project) -> bool {
    !project.has("runs") && !project.has("mark")
}

#[test]
fn the_mark_is_left_when_something_runs() {
    let (project, agents) = marked();
    let said = project.start(&agents, &["route-billing"]).end();
    assert_ne!(said.code, Some(0), "{said}");
    assert!(project.has("mark") && project.has("runs"));
}

#[test]
fn a_filter_that_means_another_binary_is_silent() {
    let (project, agents) = marked();
    let by_cargo = project.cargo(&["test", "nothing_like_this", "--", "--exact"]);
    assert_eq!(by_cargo.code, Some(0), "{by_cargo}");
    assert!(
        !by_cargo.stdout.contains("partial") && !by_cargo.stdout.contains("VERDICT"),
        "{by_cargo}"
    );
    for args in [
        &["nothing_like_this"][..],
        &["nothing_like_this", "--exact"],
        &["--ignored"],
        &["--skip", "::"],
    ] {
        let said = project.start(&agents, args).end();
        assert_eq!(said.code, Some(0), "{args:?} {said}");
        assert_eq!(
            (said.stdout.as_str(), said.stderr.as_str()),
            ("", ""),
            "{args:?}"
        );
    }
    assert!(untouched(&project));
}

#[test]
fn a_list_names_every_case_and_starts_nothing() {
    let (project, agents) = marked();
    let said = project.cargo(&["test", "--test", "agents", "--", "--list"]);
    assert_eq!(said.code, Some(0), "{said}");
    let lines: Vec<_> = said.stdout.lines().collect();
    assert_eq!(lines.len(), 6 + 7, "cells and controls: {said}");
    assert!(lines.iter().all(|line| line.ends_with(": test")), "{said}");
    assert!(
        lines.contains(&"tasks::route-billing::mock-weak+react-verify: test"),
        "{said}"
    );
    let asked: [&[&str]; 3] = [
        &["--list", "--format", "terse"],
        &["--list", "--format", "terse", "--ignored"],
        &["--list", "weak"],
    ];
    let counts = asked.map(|args| {
        let said = project.start(&agents, args).end();
        assert_eq!(said.code, Some(0), "{said}");
        said.stdout.lines().count()
    });
    assert_eq!(counts, [13, 0, 4]);
    let listed = project.nextest(&["list"]);
    assert_eq!(listed.code, Some(0), "{listed}");
    assert!(
        listed
            .stdout
            .contains("first-test::outage_is_escalated::mock-strong+react"),
        "{listed}"
    );
    assert!(untouched(&project));
}

#[test]
fn a_case_that_nextest_knows_and_the_binary_does_not_is_red() {
    let (mut project, agents) = marked();
    project
        .env("NEXTEST", "1")
        .env("NEXTEST_EXECUTION_MODE", "process-per-test");
    let said = project
        .start(
            &agents,
            &["--exact", "tasks::gone::mock-weak+react", "--nocapture"],
        )
        .end();
    assert_eq!(said.code, Some(2), "{said}");
    assert!(
        said.stderr.contains("tasks::gone::mock-weak+react"),
        "{said}"
    );
    assert!(untouched(&project));
}
