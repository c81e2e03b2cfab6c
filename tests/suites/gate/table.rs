//! The gate's table without stored references: none, non-inferiority, side by side.

use super::{expect, project, roster, verdict_case};
use crossbar_suites::project::{ROSTER, junit};

#[test]
fn without_a_gate_a_measured_run_is_0_whatever_it_says() {
    let project = project(4, "{margin: 0.05}");
    let said = project.crossbar(&["run"]);
    assert_eq!(said.code, Some(0), "{said}");
    assert!(!said.stdout.contains("GATE"), "{said}");
    assert_eq!(
        project.sweep("runs/latest")["gate"],
        serde_json::Value::Null
    );
    assert_eq!(verdict_case(&project).status, "pass");
}

#[test]
fn noninferiority_holds_within_the_margin_fails_below_it_and_is_open_between() {
    let gate =
        "{mode: noninferiority, cell: poor+react, margin: 0.3, allow_mock: true, scope: these}";
    let project = project(6, gate);
    // poor misses half of its steps
    expect(
        &project,
        &project.crossbar(&["run"]),
        1,
        "WORSE THAN THE MARGIN",
    );
    expect(
        &project,
        &project.crossbar(&["verdict"]),
        1,
        "WORSE THAN THE MARGIN",
    );
    project.replace("crossbar.yaml", "skill: 0.5", "skill: 1");
    expect(
        &project,
        &project.crossbar(&["run"]),
        0,
        "WITHIN THE MARGIN",
    );
    project.write("crossbar.yaml", &roster(&gate.replace("0.3", "0.02")));
    project.replace("crossbar.yaml", "skill: 0.5", "skill: 1");
    expect(&project, &project.crossbar(&["run"]), 3, "CAN'T TELL");
}

#[test]
fn a_drop_side_by_side_fails_and_none_shown_says_what_it_could_see() {
    let gate = "{mode: regression, reference: concurrent, cell: poor+react, allow_mock: true}";
    let project = project(8, gate);
    let said = project.crossbar(&["run"]);
    expect(&project, &said, 1, "REGRESSION");
    assert!(said.stdout.contains("fell: desk::t0"), "{said}");
    project.replace("crossbar.yaml", "skill: 0.5", "skill: 1");
    let said = project.crossbar(&["run"]);
    expect(&project, &said, 0, "NO REGRESSION SHOWN");
    let text = said.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        text.contains("the smallest drop that such a run shows 80 times in 100 is"),
        "{text}"
    );
    assert!(text.contains("one look [these tasks]"), "{text}");
}

#[test]
fn a_rise_side_by_side_is_an_improvement() {
    let gate = "{mode: regression, reference: concurrent, cell: good+react, allow_mock: true}";
    let project = project(8, gate);
    project.replace(
        "crossbar.yaml",
        "baseline: good+react",
        "baseline: poor+react",
    );
    expect(&project, &project.crossbar(&["run"]), 0, "IMPROVEMENT");
}

#[test]
fn a_gate_over_mocks_is_refused_unless_somebody_allows_it() {
    let project = project(
        2,
        "{mode: regression, reference: concurrent, cell: poor+react}",
    );
    let said = project.crossbar(&["run"]);
    expect(&project, &said, 2, "NOT COMPARABLE");
    let text = said.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(text.contains("say gate.allow_mock: true"), "{said}");
}

#[test]
fn one_repeat_is_refused_and_a_cell_left_out_too() {
    let gate = "{mode: regression, reference: concurrent, cell: poor+react, allow_mock: true}";
    let project = project(3, gate);
    expect(
        &project,
        &project.crossbar(&["run", "--repeats", "1"]),
        2,
        "NOT COMPARABLE",
    );
    let alone = project.crossbar(&["run", "--agent", "good+react"]);
    expect(&project, &alone, 2, "NOT COMPARABLE");
}

#[test]
fn a_run_that_is_not_complete_is_4_under_every_gate() {
    for gate in [
        "{margin: 0.05}",
        "{mode: noninferiority, cell: poor+react, allow_mock: true}",
        "{mode: regression, allow_mock: true}",
        "{mode: regression, reference: concurrent, cell: poor+react, allow_mock: true}",
    ] {
        let project = project(2, gate);
        project.serve("{name: tickets, command: no-such-server-anywhere}");
        let said = project.crossbar(&["run"]);
        assert_eq!(said.code, Some(4), "{gate}: {said}");
        assert_eq!(verdict_case(&project).status, "error", "{gate}");
        assert_eq!(
            said.stdout.contains("GATE           INCOMPLETE"),
            gate.contains("mode")
        );
    }
}

#[test]
fn a_mistake_in_the_gate_is_shown_at_its_place_and_nothing_runs() {
    let project = project(1, "{mode: noninferiority, cell: good+react}");
    let said = project.crossbar(&["run"]);
    assert_eq!(said.code, Some(2), "{said}");
    assert!(said.stderr.contains("crossbar.yaml:20:36"), "{said}");
    project.write(
        "crossbar.yaml",
        &format!("{ROSTER}gate: {{reference: \"sentinel:many\"}}\n"),
    );
    let said = project.crossbar(&["run"]);
    assert!(
        said.code == Some(2) && said.stderr.contains("`reference`"),
        "{said}"
    );
    assert!(!project.has("runs"));
}

#[test]
fn a_test_binary_ends_with_the_gates_code_and_a_partial_run_does_not() {
    let project = crossbar_suites::project::Project::first_test();
    let roster = project.read("crossbar.yaml");
    let gate = "gate: {mode: regression, reference: concurrent, cell: mock-weak+react, allow_mock: true}\n";
    assert!(!roster.contains("gate:"), "{roster}");
    let weak = roster
        .replace("skill: 0.65", "skill: 0.05")
        .replace("recover: 0.96", "recover: 0");
    project.write("crossbar.yaml", &format!("{weak}{gate}"));
    let agents = project.agents();
    let whole = project.start(&agents, &[]).end();
    assert_eq!(whole.code, Some(1), "{whole}");
    let text = whole
        .stdout
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ");
    assert!(text.contains("in this sweep, one look ["), "{whole}");
    assert!(
        whole.stdout.contains("test result: ok"),
        "a cell that loses is green: {whole}"
    );
    let partial = project.start(&agents, &["outage"]).end();
    assert_eq!(partial.code, Some(0), "{partial}");
    let cases = junit(&project.read("runs/latest/junit.xml"));
    assert!(cases.iter().any(|case| case.status == "failure"));
}
