//! A run that was put together from parts lies in no record: what a person does with any other run
//! is done with it too, by its id, as `latest` and by its parts.

use super::project;
use crossbar_suites::project::{Output, Project};

const STORED: &str = "{mode: regression, cell: good+react, allow_mock: true}";
const GOOD: &str = "references/desk/good+react.jsonl";

/// Two parts of one run, each in a results folder of its own, and the verdict over both.
fn merged() -> (Project, String) {
    let mut project = project(2, STORED);
    for part in ["runs/a", "runs/b"] {
        project.env("CROSSBAR_RESULTS_DIR", part);
        let said = project.crossbar(&["run", "--agent", "good+react"]);
        assert_eq!(said.code, Some(0), "{said}");
    }
    project.unset("CROSSBAR_RESULTS_DIR");
    let said = project.crossbar(&["verdict", "runs/a", "runs/b"]);
    assert_eq!(said.code, Some(0), "{said}");
    let run = project.sweep("runs/latest")["run_id"].clone();
    let run = run.as_str().unwrap().to_owned();
    assert!(run.starts_with("merged-"), "{run}");
    (project, run)
}

/// That a command ended with 0 and said this.
fn says(project: &Project, args: &[&str], word: &str) -> Output {
    let said = project.crossbar(args);
    assert_eq!(said.code, Some(0), "{args:?} {said}");
    assert!(said.stdout.contains(word), "{args:?} {said}");
    said
}

#[test]
fn it_is_accepted_reviewed_shown_and_reported_by_every_name_that_it_has() {
    let (project, run) = merged();
    let mut files = Vec::new();
    for names in [
        &["latest"][..],
        &[run.as_str()],
        &["runs/latest/sweep.json"],
        &["runs/a", "runs/b"],
    ] {
        says(&project, &[&["review"], names].concat(), "desk::t01");
        says(&project, &[&["accept"], names].concat(), "t01: 3/3, new");
        files.push(project.read(GOOD));
        project.remove("references");
        let named = names.iter().flat_map(|name| ["--run", name]);
        let show = ["show", "good+react", "t02"].into_iter().chain(named);
        let said = says(&project, &show.collect::<Vec<_>>(), "set_priority");
        assert!(said.stdout.contains("repeat 1"), "{said}");
    }
    assert!(files.windows(2).all(|pair| pair[0] == pair[1]), "{files:?}");
    says(&project, &["report", &run], "NO REFERENCE");
    says(&project, &["report"], "NO REFERENCE");
}

#[test]
fn latest_is_the_newest_of_the_merged_and_the_recorded() {
    let (project, _) = merged();
    let said = project.crossbar(&["run", "--agent", "good+react", "--repeats", "4"]);
    assert_eq!(said.code, Some(0), "{said}");
    // Its files take the place of the newer run's, and its rollouts are older.
    says(&project, &["verdict", "runs/a", "runs/b"], "NO REFERENCE");
    says(&project, &["accept"], "t01: 4/4, new");
}

#[test]
fn a_sweep_json_is_no_part() {
    let (project, _) = merged();
    let said = project.crossbar(&["accept", "runs/a", "runs/latest/sweep.json"]);
    assert_eq!(said.code, Some(2), "{said}");
    assert!(
        said.stderr.contains("is no part of a run") && said.stderr.contains("help: "),
        "{said}"
    );
}
