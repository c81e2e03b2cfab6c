//! Controls are in the record and in no figure; a run that goes on does not play them again.

use crossbar_suites::project::{Project, ROSTER, card, junit};

/// A mistake, for the tasks of `Project::pack`.
const MISTAKE: &str =
    "broken: [{script: [{tool: tickets.assign, args: {id: T-1001, team: oncall}}], final: done}]\n";

fn pack() -> Project {
    let project = Project::pack();
    for name in ["one", "two"] {
        let path = format!("desk/{name}.task.yaml");
        project.write(&path, &format!("{}{MISTAKE}", project.read(&path)));
    }
    project
}

#[test]
fn the_card_says_that_they_hold_and_no_figure_changes() {
    let (with, without) = (pack(), Project::pack());
    let said = with.crossbar(&["run"]);
    assert_eq!(said.code, Some(0), "{said}");
    assert!(
        said.stdout.contains("  CONTROLS       6 of 6 hold"),
        "{said}"
    );
    let plain = without.crossbar(&["run"]);
    assert!(
        plain.stdout.contains("  CONTROLS       4 of 4 hold"),
        "{plain}"
    );
    let lines = |project: &Project| project.read("runs/latest/rollouts.csv");
    assert_eq!(lines(&with), lines(&without));
    assert!(!lines(&with).contains("control"));
    let same = |text: &str| card(text).replace("6 of 6", "4 of 4");
    assert_eq!(same(&said.stdout), same(&plain.stdout));
    let sweep = with.sweep("runs/latest");
    assert_eq!(sweep["analysis"]["completeness"]["planned"], 12);
    let mut kinds = sweep["controls"].as_array().unwrap().iter();
    assert!(
        kinds.all(|line| line["finding"]["kind"] == "holds"),
        "{sweep}"
    );
    let verdict = with.crossbar(&["verdict"]);
    assert_eq!(verdict.code, Some(0), "{verdict}");
    assert!(verdict.stdout.contains("6 of 6 hold"), "{verdict}");
    assert!(!with.has("runs/latest/traces/control+noop"));
}

#[test]
fn junit_has_them_apart_from_the_cells() {
    let project = pack();
    project.replace(
        "desk/two.task.yaml",
        "{priority: urgent, team: oncall}",
        "{team: oncall}",
    );
    let said = project.crossbar(&["run"]);
    assert_eq!(said.code, Some(0), "measured, and said: {said}");
    assert!(
        said.stdout
            .contains("CONTROLS: 1 of 6 controls not shown to hold."),
        "{said}"
    );
    let cases = junit(&project.read("runs/latest/junit.xml"));
    let controls: Vec<_> = cases
        .iter()
        .filter(|case| case.class == "control")
        .collect();
    assert_eq!(controls.len(), 6, "{cases:?}");
    for case in controls {
        let expected = match case.name.as_str() {
            "desk::two::control+broken" => "failure",
            _ => "pass",
        };
        assert_eq!(case.status, expected, "{case:?}");
    }
    project.serve("{name: tickets, command: no-such-server-anywhere}");
    assert_eq!(project.crossbar(&["run"]).code, Some(4));
    let cases = junit(&project.read("runs/latest/junit.xml"));
    let mut controls = cases.iter().filter(|case| case.class == "control");
    assert!(controls.all(|case| case.status == "error"), "{cases:?}");
}

/// Starts of the tickets server, as it has noted them itself.
fn starts(project: &Project) -> usize {
    let log = project.read("calls.log");
    log.lines().filter(|line| *line == "start").count()
}

#[test]
fn a_run_that_goes_on_plays_no_finished_control_again() {
    let project = pack();
    let log = project.path().join("calls.log");
    project.serve(&format!(
        "{{name: tickets, command: \"${{CROSSBAR_BIN}}\", args: [__serve, tickets, --log, {log:?}]}}"
    ));
    assert_eq!(project.crossbar(&["run"]).code, Some(0));
    assert_eq!(starts(&project), 12 + 6);
    let again = project.crossbar(&["run", "--resume"]);
    assert_eq!(again.code, Some(0), "{again}");
    assert!(again.stdout.contains("6 of 6 hold"), "{again}");
    assert_eq!(starts(&project), 12 + 6);
    project.replace("desk/one.task.yaml", "final: done", "final: all done");
    let changed = project.crossbar(&["run", "--resume"]);
    assert_eq!(changed.code, Some(2), "{changed}");
    assert!(
        changed
            .stderr
            .contains("desk::one::control+broken has changed"),
        "{changed}"
    );
}

#[test]
fn a_model_called_control_is_refused() {
    let project = Project::pack();
    project.write("crossbar.yaml", &ROSTER.replace("good", "control"));
    let said = project.crossbar(&["run"]);
    assert_eq!(said.code, Some(2), "{said}");
    assert!(
        said.stderr.contains("no model can be called `control`"),
        "{said}"
    );
}
