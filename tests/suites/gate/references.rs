//! Accepted references: what accepting writes and refuses, and a gate that holds runs to them.

use super::{expect, project, roster, verdict_case};
use crossbar_suites::project::Project;
use std::fs;

const GOOD: &str = "references/desk/good+react.jsonl";

/// A gate over `good` alone, whose reference is stored.
const STORED: &str = "{mode: regression, cell: good+react, allow_mock: true}";

/// One run of `good`, accepted.
fn accepted(tasks: u32) -> Project {
    let project = project(tasks, STORED);
    run(&project, 0, "NO REFERENCE");
    let said = project.crossbar(&["accept"]);
    assert_eq!(said.code, Some(0), "{said}");
    project
}

fn run(project: &Project, code: i32, word: &str) -> String {
    let said = project.crossbar(&["run", "--agent", "good+react"]);
    expect(project, &said, code, word);
    said.stdout.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn refused(project: &Project, args: &[&str], why: &str) {
    let before = project
        .has("references")
        .then(|| project.bytes("references"));
    let said = project.crossbar(args);
    assert_eq!(said.code, Some(2), "{args:?} {said}");
    assert!(said.stderr.contains(why), "{args:?} {said}");
    let after = project
        .has("references")
        .then(|| project.bytes("references"));
    assert_eq!(before, after, "{args:?}: nothing is written");
}

#[test]
fn no_reference_holds_and_says_how_to_make_one() {
    let project = project(2, STORED);
    let text = run(&project, 0, "NO REFERENCE");
    assert!(
        text.contains("good+react: no reference: crossbar accept latest"),
        "{text}"
    );
    let said = project.crossbar(&["accept"]);
    assert_eq!(said.code, Some(0), "{said}");
    assert!(
        said.stdout.contains("good+react desk::t01: 3/3, new"),
        "{said}"
    );
    let text = run(&project, 0, "NO REGRESSION SHOWN");
    assert!(text.contains("against the accepted run "), "{text}");
    assert_eq!(
        project.names("references/desk"),
        ["good+react.jsonl"],
        "the held cell alone"
    );
}

#[test]
fn a_cell_by_another_name_has_no_reference_and_that_is_said() {
    let project = accepted(2);
    project
        .replace("crossbar.yaml", "  - id: good", "  - id: better")
        .replace("crossbar.yaml", "{model: good,", "{model: better,")
        .replace(
            "crossbar.yaml",
            "baseline: good+react",
            "baseline: better+react",
        )
        .replace("crossbar.yaml", "cell: good+react", "cell: better+react");
    let said = project.crossbar(&["run", "--agent", "better+react"]);
    expect(&project, &said, 0, "NO REFERENCE");
    let text = said.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    let line =
        "there are references of good+react, not in this run: a cell by another name has none";
    assert!(text.contains(line), "{said}");
}

#[test]
fn a_shown_drop_fails_until_somebody_accepts_it_with_a_reason() {
    let project = accepted(6);
    project.replace("crossbar.yaml", "skill: 1\n", "skill: 0.4\n");
    let text = run(&project, 1, "REGRESSION");
    assert!(
        text.contains("configuration changed: its fingerprint was"),
        "{text}"
    );
    assert!(text.contains("fell: desk::t0"), "{text}");
    assert!(verdict_case(&project).message.contains("REGRESSION"));
    refused(&project, &["accept"], "shows a drop against its reference");
    refused(&project, &["accept", "--regression", "t01"], "--reason");
    refused(
        &project,
        &[
            "accept",
            "--regression",
            "t01",
            "--reason",
            "one task does not explain it",
        ],
        "shows a drop against its reference",
    );
    let reason = "the tool is slower on purpose";
    let said = project.crossbar(&["accept", "--regression", "desk::*", "--reason", reason]);
    assert_eq!(said.code, Some(0), "{said}");
    assert!(
        said.stdout.contains("replaced: the drop is accepted"),
        "{said}"
    );
    assert!(project.read(GOOD).contains(reason));
    let text = run(&project, 0, "NO REGRESSION SHOWN");
    assert!(
        text.contains(&format!(": {reason}")),
        "every later report says it: {text}"
    );
}

#[test]
fn accepting_is_refused_in_ci_on_an_incomplete_run_and_for_what_is_not_there() {
    let mut project = project(2, STORED);
    project.crossbar(&["run"]);
    project.env("CI", "true");
    refused(&project, &["accept"], "the variable CI is set");
    project.unset("CI");
    refused(
        &project,
        &["accept", "--cell", "none+react"],
        "this run has no cell `none+react`",
    );
    refused(
        &project,
        &["accept", "--task", "nothing*"],
        "no task of this run is asked for",
    );
    project.serve("{name: tickets, command: no-such-server-anywhere}");
    assert_eq!(project.crossbar(&["run"]).code, Some(4));
    refused(&project, &["accept"], "is not complete");
}

#[test]
fn an_undecided_difference_pools_and_a_run_is_accepted_once() {
    let project = accepted(3);
    let said = project.crossbar(&["accept"]);
    assert!(
        said.stdout.contains("3/3, this run is in it already"),
        "{said}"
    );
    let args = ["run", "--agent", "good+react", "--repeats", "4"];
    assert_eq!(project.crossbar(&args).code, Some(0));
    let said = project.crossbar(&["accept", "--task", "t0[", "--task", "*2"]);
    assert!(said.stdout.contains("t02: 3/3 and 4/4 pooled"), "{said}");
    assert!(!said.stdout.contains("t01"), "{said}");
    let text = project.read(GOOD);
    let records: Vec<serde_json::Value> = text
        .lines()
        .filter(|line| !line.is_empty())
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let counts: Vec<_> = records
        .iter()
        .map(|one| (one["n"].clone(), one["pass"].clone()))
        .collect();
    assert_eq!(
        counts,
        [
            (3.into(), 3.into()),
            (7.into(), 7.into()),
            (3.into(), 3.into())
        ]
    );
}

#[test]
fn a_changed_configuration_replaces_and_fewer_rollouts_need_to_be_said() {
    let project = accepted(2);
    project.replace(
        "crossbar.yaml",
        "{id: react, kind: react}",
        "{id: react, kind: react, instructions: Be brief.}",
    );
    let args = ["run", "--agent", "good+react", "--repeats", "2"];
    assert_eq!(project.crossbar(&args).code, Some(0));
    for args in [&["accept"][..], &["review", "--accept", "*"]] {
        refused(&project, args, "fewer rollouts than the record");
    }
    let said = project.crossbar(&["review", "--accept", "t01", "--fewer"]);
    assert!(said.stdout.contains("t01: 3/3 -> 2/2, replaced"), "{said}");
    let said = project.crossbar(&["accept", "--fewer"]);
    assert!(
        said.stdout
            .contains("3/3 -> 2/2, replaced: the cell's configuration changed"),
        "{said}"
    );
}

#[test]
fn removed_new_and_changed_tasks_are_named_and_removing_can_be_forbidden() {
    let project = accepted(4);
    project
        .remove("desk/t01.task.yaml")
        .write("desk/t09.task.yaml", &crossbar_suites::project::task("t09"))
        .replace(
            "desk/t02.task.yaml",
            "{ticket: {priority: urgent, team: oncall}}",
            "{ticket: {priority: urgent}}",
        );
    let text = run(&project, 0, "NO REGRESSION SHOWN");
    for said in [
        "removed since the reference: desk::t01",
        "new, measured and not held: desk::t09",
        "changed (prompt, environment or checks), not held: desk::t02",
        "over 2 tasks",
    ] {
        assert!(text.contains(said), "{said}: {text}");
    }
    let gate = STORED.replace('}', ", forbid_removed: true}");
    project.write("crossbar.yaml", &roster(&gate));
    run(&project, 1, "TASKS REMOVED");
    let said = project.crossbar(&["accept"]);
    assert!(
        said.stdout.contains("t01: 3/3, removed: the task is gone"),
        "{said}"
    );
    assert!(
        said.stdout
            .contains("t02: 3/3 -> 3/3, replaced: the task changed"),
        "{said}"
    );
    run(&project, 0, "NO REGRESSION SHOWN");
}

#[test]
fn a_pack_that_was_not_asked_for_is_not_gone_and_one_that_is_gone_is_said() {
    let project = project(2, STORED);
    project.write("shop/s01.task.yaml", &crossbar_suites::project::task("s01"));
    run(&project, 0, "NO REFERENCE");
    assert_eq!(project.crossbar(&["accept"]).code, Some(0));
    let said = project.crossbar(&["run", "--agent", "good+react", "--pack", "desk"]);
    expect(&project, &said, 0, "NO REGRESSION SHOWN");
    assert!(!said.stdout.contains("removed"), "{said}");
    project.remove("shop");
    let text = run(&project, 0, "NO REGRESSION SHOWN");
    assert!(
        text.contains("removed since the reference: shop::s01"),
        "{text}"
    );
    let said = project.crossbar(&["accept"]);
    assert!(
        said.stdout
            .contains("shop::s01: 3/3, removed: the task is gone"),
        "{said}"
    );
    assert!(!project.has("references/shop/good+react.jsonl"), "{said}");
}

#[test]
fn a_run_of_a_pack_that_the_roster_does_not_name_is_accepted_while_it_is_there() {
    let project = project(1, STORED);
    project
        .replace("crossbar.yaml", "models:", "packs: [desk]\nmodels:")
        .write(
            "extra/x01.task.yaml",
            &crossbar_suites::project::task("x01"),
        );
    let args = ["run", "--agent", "good+react", "--pack", "extra"];
    expect(&project, &project.crossbar(&args), 0, "NO REFERENCE");
    let said = project.crossbar(&["accept"]);
    assert_eq!(said.code, Some(0), "{said}");
    assert!(said.stdout.contains("extra::x01: 3/3, new"), "{said}");
    project.replace("extra/x01.task.yaml", "is urgent.", "is very urgent.");
    refused(&project, &["accept"], "extra::x01 changed");
    project.remove("extra");
    refused(&project, &["accept"], "extra::x01 is gone");
}

#[test]
fn a_reference_of_another_model_or_agent_is_not_comparable() {
    let project = accepted(2);
    let good = project.read(GOOD);
    for (old, new, why) in [
        (
            "\"requested\":\"good\"",
            "\"requested\":\"good-2025\"",
            "the model that is asked for was good-2025",
        ),
        (
            "\"answered\":[\"good\"]",
            "\"answered\":[\"good-2025\"]",
            "the model that answers was good-2025",
        ),
        (
            "(crossbar ",
            "(older crossbar ",
            "the agent was react (older crossbar",
        ),
    ] {
        assert!(good.contains(old), "{good}");
        project.write(GOOD, &good.replace(old, new));
        let text = run(&project, 2, "NOT COMPARABLE");
        assert!(
            text.contains(why) && text.contains("gate.reference: concurrent"),
            "{text}"
        );
    }
}

#[test]
fn a_poisoned_reference_is_an_error_at_its_line() {
    let project = accepted(2);
    let good = project.read(GOOD);
    for (text, why) in [
        (good.replacen("\"pass\":3", "\"pass\":9", 1), ".jsonl:1"),
        (format!("{good}<<<<<<< HEAD\n"), ".jsonl:4"),
        (format!("{good}\n{good}"), ".jsonl:5"),
        (good.replacen("\"n\":3", "\"n\":NaN", 1), ".jsonl:1"),
        (
            good.replacen("\"n\":3", "\"n\":3,\"x\":1", 1),
            "unknown field `x`",
        ),
    ] {
        project.write(GOOD, &text);
        let said = project.crossbar(&["verdict"]);
        assert_eq!(said.code, Some(2), "{said}");
        assert!(
            said.stderr.contains(why) && said.stderr.contains("crossbar accept"),
            "{said}"
        );
    }
}

#[test]
fn a_drop_of_twenty_points_on_48_tasks_is_a_regression() {
    let project = project(48, STORED);
    let args = ["run", "--agent", "good+react", "--repeats", "5"];
    assert_eq!(project.crossbar(&args).code, Some(0));
    assert_eq!(project.crossbar(&["accept"]).code, Some(0));
    // Two steps, each carried out with this chance: 0.8 of the rollouts pass.
    project.replace("crossbar.yaml", "skill: 1\n", "skill: 0.894\n");
    expect(&project, &project.crossbar(&args), 1, "REGRESSION");
}

/// The text that two branches leave in a file which both have changed.
fn merged(base: &str, ours: &str, theirs: &str) -> (bool, String) {
    let project = Project::empty();
    let git = |args: &[&str]| {
        let identity = ["-c", "user.name=t", "-c", "user.email=t@example.com"];
        project
            .start(std::path::Path::new("git"), &[&identity[..], args].concat())
            .end()
    };
    let commit = |text: &str| {
        fs::write(project.path().join("file.jsonl"), text).unwrap();
        let said = git(&["add", "."]);
        assert_eq!(said.code, Some(0), "{said}");
        let said = git(&["commit", "-qm", "x"]);
        assert_eq!(said.code, Some(0), "{said}");
    };
    assert_eq!(git(&["init", "-q", "-b", "main"]).code, Some(0));
    commit(base);
    git(&["checkout", "-qb", "theirs"]);
    commit(theirs);
    git(&["checkout", "-q", "main"]);
    commit(ours);
    let said = git(&["merge", "-q", "theirs"]);
    (said.code == Some(0), project.read("file.jsonl"))
}

#[test]
fn two_branches_that_accept_different_tasks_merge_and_the_same_task_conflicts() {
    let project = accepted(6);
    let base = project.read(GOOD);
    let args = ["run", "--agent", "good+react", "--repeats", "4"];
    assert_eq!(project.crossbar(&args).code, Some(0));
    let branch = |task: &str| {
        project.write(GOOD, &base);
        assert_eq!(project.crossbar(&["accept", "--task", task]).code, Some(0));
        project.read(GOOD)
    };
    let (ours, theirs) = (branch("t03"), branch("t04"));
    let (clean, text) = merged(&base, &ours, &theirs);
    assert!(clean, "neighbours merge: {text}");
    project.write(GOOD, &text);
    let said = run(&project, 0, "NO REGRESSION SHOWN");
    assert!(said.contains("over 6 tasks"), "{said}");
    let other = ours.replacen("\"run\":\"", "\"run\":\"f", 1);
    let (clean, text) = merged(&base, &ours, &other.replacen("\"n\":7", "\"n\":8", 1));
    assert!(!clean, "both branches changed one task: {text}");
    project.write(GOOD, &text);
    let said = project.crossbar(&["verdict"]);
    assert!(
        said.stderr.contains("a merge conflict is left in the file"),
        "{said}"
    );
}
