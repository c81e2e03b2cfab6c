//! The test binary behaves as one of libtest's: filters, `--exact`, `--skip`, `--ignored`,
//! `--test-threads`; and what was not asked for is not part of a verdict.

use crossbar_suites::project::{Output, Project, junit};

/// The cases that ran, by their names, sorted.
fn ran(said: &Output) -> Vec<String> {
    let lines = said
        .stdout
        .lines()
        .filter_map(|line| line.strip_prefix("test "));
    let mut names: Vec<_> = lines
        .filter_map(|line| line.split_once(" ... "))
        .map(|(name, _)| name.trim().to_owned())
        .collect();
    names.sort();
    names
}

fn test(project: &Project, args: &[&str]) -> Output {
    let said = project.cargo(&[&["test", "--test", "agents", "--"], args].concat());
    assert_eq!(said.code, Some(0), "{args:?} {said}");
    said
}

#[test]
fn filters_select_the_cases_that_libtest_would() {
    let project = Project::first_test();
    let weak = ran(&test(&project, &["weak"]));
    assert_eq!(weak.len(), 4, "{weak:?}");
    assert!(
        weak.iter().all(|name| name.contains("mock-weak")),
        "{weak:?}"
    );

    let one = "tasks::route-billing::mock-weak+react";
    assert_eq!(
        ran(&test(&project, &[one])).len(),
        2,
        "a part of a name means both harnesses"
    );
    assert_eq!(ran(&test(&project, &["--exact", one])), [one]);

    let skip = ["--skip", "verify", "--skip", "strong", "--skip", "control"];
    let kept = ran(&test(&project, &skip));
    assert_eq!(
        kept,
        ["first-test::outage_is_escalated::mock-weak+react", one]
    );
    assert_eq!(
        ran(&test(&project, &["--skip", "mock-weak", "route-billing"])).len(),
        1 + 4,
        "a cell and the controls"
    );
    assert!(
        ran(&test(&project, &["--ignored"])).is_empty(),
        "no case is ignored"
    );
    assert_eq!(ran(&test(&project, &["--include-ignored"])).len(), 13);
}

#[test]
fn a_filtered_run_is_partial_and_its_verdict_is_incomplete() {
    let project = Project::first_test();
    let said = test(&project, &["route-billing"]);
    assert!(said.stdout.contains("partial: no verdict"), "{said}");
    assert!(!said.stdout.contains("CROSSBAR VERDICT"), "{said}");
    assert!(
        !project.has("runs/latest"),
        "a partial run writes no folder"
    );
    let verdict = project.crossbar(&["verdict"]);
    assert_eq!(verdict.code, Some(4), "{verdict}");
    assert!(
        verdict.stdout.to_lowercase().contains("incomplete"),
        "{verdict}"
    );
    let cases = junit(&project.read("runs/latest/junit.xml"));
    let last = cases.last().unwrap();
    assert_eq!(
        (last.name.as_str(), last.status.as_str()),
        ("verdict", "error"),
        "{last:?}"
    );
}

#[test]
fn threads_bound_the_waiting_and_not_the_sweep() {
    let project = Project::first_test();
    let one = test(&project, &["--test-threads", "1"]);
    let lines = project.read("runs/latest/rollouts.csv");
    let many = test(&project, &["--test-threads=8"]);
    assert_eq!(ran(&one), ran(&many));
    assert_eq!(project.read("runs/latest/rollouts.csv"), lines);
    let none = project.cargo(&["test", "--test", "agents", "--", "--test-threads", "0"]);
    assert_ne!(none.code, Some(0), "{none}");
    assert!(none.stderr.contains("--test-threads"), "{none}");
}

#[test]
fn a_target_with_libtests_own_harness_says_what_to_write() {
    let project = Project::first_test();
    project.replace("Cargo.toml", "harness = false\n", "");
    let said = project.cargo(&["test", "--test", "agents"]);
    assert_eq!(said.code, Some(101), "{said}");
    assert!(
        said.stdout
            .contains("write `harness = false` under this [[test]]"),
        "{said}"
    );
    assert!(!project.has("runs"));
}

#[test]
fn a_case_whose_server_is_missing_is_red_and_says_why() {
    let mut project = Project::first_test();
    let agents = project.agents();
    project.replace(
        "tasks/route-billing.task.yaml",
        "command: ${CROSSBAR_BIN}",
        "command: no-such-server-anywhere",
    );
    let folder = project.path().to_string_lossy().into_owned();
    project.env("CARGO_MANIFEST_DIR", &folder);
    let said = project.start(&agents, &[]).end();
    assert_eq!(said.code, Some(4), "{said}");
    let red = said
        .stdout
        .lines()
        .filter(|line| line.ends_with("FAILED"))
        .count();
    assert_eq!(red, 3 + 4, "cells and controls: {said}");
    assert!(said.stdout.contains("no-such-server-anywhere"), "{said}");
    let crowd = project.nextest(&["run", "--no-fail-fast"]);
    assert_eq!(crowd.code, Some(100), "{crowd}");
    assert!(crowd.stderr.contains("6 passed, 7 failed"), "{crowd}");
}
