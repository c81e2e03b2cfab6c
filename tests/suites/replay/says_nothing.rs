//! A replay concludes nothing about a model, passes no gate, and can't be mistaken for a run that
//! asked.

use super::{KEY, project, recorded, replay, run_of};
use crossbar_suites::counting_server::{CountingServer, Reply};
use crossbar_suites::project::junit;

/// The line that every output begins with.
const SAYS: &str = "this says nothing about the models";

#[test]
fn a_replay_has_no_verdict_in_any_output() {
    let (project, _server, then) = recorded();
    let output = replay(&project);
    assert_eq!(output.code, Some(0), "{output}");
    let flat = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let (card, comment) = (
        flat(&output.stdout),
        flat(&project.read("runs/latest/comment.md")),
    );
    let of = format!(
        "REPLAY: answers recorded in run {} were played",
        run_of(&then)
    );
    assert!(card.starts_with(&of) && card.contains(SAYS), "{output}");
    assert!(
        comment.contains("REPLAY") && comment.contains(SAYS),
        "{comment}"
    );
    assert!(
        comment.contains("Recorded cost by cell") && !comment.contains("Spent"),
        "{comment}"
    );
    assert!(flat(&project.read("runs/latest/report.md")).contains(&of));
    for word in [
        "SWITCH",
        "STAY",
        "PICK",
        "better",
        "worse",
        "CONFIDENCE",
        "SIGNIFICANT",
    ] {
        assert!(!card.contains(word), "{word}: {output}");
    }
    let now = project.sweep("runs/latest");
    assert_eq!(now["verdict"]["replay_of"], then["run_id"]);
    assert_eq!(now["verdict"]["word"], "CAN'T TELL");
    assert_eq!(now["analysis"]["verdict_like"]["why"], "replayed");
    assert!(now["analysis"]["best"].is_null() && now["verdict"]["winner"].is_null());
    assert!(now["analysis"]["front"].is_null() && !then["analysis"]["front"].is_null());
    assert_eq!(now["analysis"]["prune"].as_array().unwrap().len(), 0);
    let cases = junit(&project.read("runs/latest/junit.xml"));
    let verdict = cases.iter().find(|case| case.name == "verdict").unwrap();
    assert_eq!(verdict.status, "skipped", "{verdict:?}");
    assert_eq!(verdict.properties["replay_of"], run_of(&then));
    // Nor later.
    let later = project.crossbar(&["verdict"]);
    assert_eq!(later.code, Some(0), "{later}");
    assert!(flat(&later.stdout).contains(&of), "{later}");
}

#[test]
fn a_replay_passes_no_gate_and_becomes_no_reference() {
    let server = CountingServer::start(|_| Reply::text("done").usage(9, 9));
    let mut project = project(&server);
    let roster = project.read("crossbar.yaml");
    project.write(
        "crossbar.yaml",
        &format!("{roster}gate: {{mode: regression}}\n"),
    );
    let first = project.crossbar(&["run", "--record", "--live", "--budget", "5"]);
    assert_eq!(first.code, Some(0), "{first}");
    assert_eq!(project.crossbar(&["accept"]).code, Some(0));
    project.unset(KEY.0);
    let then = project.sweep("runs/latest");
    let output = replay(&project);
    assert_eq!(output.code, Some(2), "{output}");
    let why = format!(
        "replayed from run {} and say nothing about the models",
        run_of(&then)
    );
    let flat = output
        .stdout
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ");
    assert!(
        flat.contains("NOT COMPARABLE") && flat.contains(&why),
        "{output}"
    );
    assert_eq!(project.crossbar(&["verdict"]).code, Some(2));
    for args in [
        &["accept"][..],
        &["accept", "--cell", "paid+react"],
        &["review"],
        &["plan", "--pilot", "latest"],
        &["regression", "--reference", run_of(&then)],
        &[
            "regression",
            "--reference",
            "latest",
            "--current",
            run_of(&then),
        ],
    ] {
        let refused = project.crossbar(args);
        assert_eq!(refused.code, Some(2), "{args:?}: {refused}");
        let why = format!(
            "is replayed from run {} and says nothing about the models",
            run_of(&then)
        );
        assert!(refused.stderr.contains(&why), "{args:?}: {refused}");
        assert!(refused.stderr.contains("help: "), "{refused}");
    }
}

#[test]
fn a_replay_is_no_part_of_another_run() {
    let (project, _server, then) = recorded();
    assert_eq!(replay(&project).code, Some(0));
    let now = project.sweep("runs/latest");
    let both = project.crossbar(&["verdict", run_of(&then), run_of(&now)]);
    assert_eq!(both.code, Some(2), "{both}");
    assert!(both.stderr.contains("replay_of"), "{both}");
}

#[test]
fn what_does_not_go_together_is_said_before_anything_runs() {
    let server = CountingServer::start(|_| Reply::text("done").usage(9, 9));
    let project = project(&server);
    for (args, says) in [
        (
            &["run", "--record"][..],
            "there is nothing to record: no live cell would run",
        ),
        (&["run", "--replay"], "was recorded"),
        (
            &["run", "--replay", "2026"],
            "no recorded run is called `2026`",
        ),
        (
            &["run", "--replay", "elsewhere/x"],
            "there is no recording in ",
        ),
        (&["run", "--replay", "--live"], "cannot be used with"),
        (&["run", "--replay", "--budget", "1"], "cannot be used with"),
        (&["run", "--replay", "--record"], "cannot be used with"),
        (&["run", "--record", "--adaptive"], "cannot be used with"),
    ] {
        let output = project.crossbar(args);
        assert_eq!(output.code, Some(2), "{args:?}: {output}");
        assert!(output.stderr.contains(says), "{args:?}: {output}");
    }
    assert_eq!(server.connections(), 0);
}
