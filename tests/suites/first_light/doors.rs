//! Three doors into one path: whoever runs the sweep, the figures are the same.

use crossbar_suites::project::{Output, PROFILE, Project, card, lasting};

/// The cases of examples/first-test.
const CASES: [&str; 6] = [
    "first-test::outage_is_escalated::mock-strong+react",
    "first-test::outage_is_escalated::mock-weak+react",
    "first-test::outage_is_escalated::mock-weak+react-verify",
    "tasks::route-billing::mock-strong+react",
    "tasks::route-billing::mock-weak+react",
    "tasks::route-billing::mock-weak+react-verify",
];

/// What everybody must agree on: the lines of the record, the analysis, the printed card.
fn figures(project: &Project, said: &Output) -> (String, serde_json::Value, String) {
    let analysis = lasting(&project.sweep("runs/latest")["analysis"]);
    let lines = project.read("runs/latest/rollouts.csv");
    (lines, analysis, card(&said.stdout).to_owned())
}

#[test]
fn cargo_test_runs_every_case_and_prints_the_card() {
    let project = Project::first_test();
    let said = project.cargo(&["test"]);
    assert_eq!(said.code, Some(0), "{said}");
    for case in CASES {
        let line = said.stdout.lines().find(|line| line.contains(case));
        assert!(
            line.is_some_and(|line| line.ends_with("... ok")),
            "{case}: {said}"
        );
    }
    for part in [
        "BASELINE",
        "QUALITY DELTA",
        "MATRIX",
        "FAILURE TAXONOMY",
        "  >> ",
    ] {
        assert!(said.stdout.contains(part), "{part}: {said}");
    }
    let rollouts = project.rollouts("runs/latest").lines;
    assert_eq!(rollouts.len(), 6 * 3);
    assert!(rollouts.iter().any(|line| line["passed"] == "true"));
    assert!(
        rollouts.iter().any(|line| line["passed"] == "false"),
        "a challenger may lose"
    );
}

#[test]
fn nextest_and_then_a_verdict_give_the_figures_of_cargo_test() {
    let project = Project::first_test();
    let alone = figures(&project, &project.cargo(&["test"]));
    let before = project.names("runs");
    let crowd = project.nextest(&["run"]);
    assert_eq!(crowd.code, Some(0), "{crowd}");
    assert!(crowd.stderr.contains("13 passed"), "{crowd}");
    assert!(!crowd.stderr.contains("CROSSBAR VERDICT"), "{crowd}");
    assert_eq!(
        project.names("runs"),
        before,
        "a case of nextest writes no folder"
    );

    let said = project.cargo(&["crossbar", "verdict"]);
    assert_eq!(said.code, Some(0), "{said}");
    assert_eq!(figures(&project, &said), alone);
    assert_eq!(project.names("runs").len(), before.len() + 1);
}

#[test]
fn crossbar_run_finds_the_tasks_in_rust_and_gives_the_figures_of_cargo_test() {
    let project = Project::first_test();
    let by_cargo = figures(&project, &project.cargo(&["test"]));
    let said = project.crossbar(&["run"]);
    assert_eq!(said.code, Some(0), "{said}");
    assert!(by_cargo.0.contains("first-test::outage_is_escalated"));
    assert_eq!(figures(&project, &said), by_cargo);
}

#[test]
fn a_member_of_a_workspace_is_found_from_above() {
    let project = Project::first_test();
    let manifest = project.read("Cargo.toml");
    let moved = manifest.replace("first-test\"\n", "first-test\"\nworkspace = \"..\"\n");
    for file in ["tests/agents.rs", "src/lib.rs"] {
        project.write(&format!("app/{file}"), &project.read(file));
        project.remove(file);
    }
    project.write("app/Cargo.toml", &moved);
    // The profile said as elsewhere: else every crate would be built once more for this one test.
    let workspace = "[workspace]\nmembers = [\"app\"]\nresolver = \"3\"\n";
    project.write("Cargo.toml", &format!("{workspace}\n{PROFILE}"));
    let said = project.cargo(&["test"]);
    assert_eq!(said.code, Some(0), "{said}");
    let swept = project.crossbar(&["run"]);
    assert_eq!(swept.code, Some(0), "{swept}");
    assert_eq!(card(&said.stdout), card(&swept.stdout));
    assert_eq!(project.rollouts("runs/latest").lines.len(), 18);
}
