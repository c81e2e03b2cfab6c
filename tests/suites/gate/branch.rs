//! A pull request: it is held to the references of the branch that it goes into, so it can't bless
//! itself, and what it would accept is said.

use super::{expect, project};
use crossbar_suites::project::Project;
use std::path::Path;

const STORED: &str = "{mode: regression, cell: good+react, allow_mock: true}";
const GOOD: &str = "references/desk/good+react.jsonl";

fn git(project: &Project, args: &[&str]) {
    let identity = ["-c", "user.name=t", "-c", "user.email=t@example.com"];
    let said = project
        .start(Path::new("git"), &[&identity[..], args].concat())
        .end();
    assert_eq!(said.code, Some(0), "{args:?} {said}");
}

/// A repository whose main branch has an accepted run of five tasks.
fn repository() -> Project {
    let project = project(5, STORED);
    project.write(".gitignore", "runs/\n");
    assert_eq!(project.crossbar(&["run"]).code, Some(0));
    assert_eq!(project.crossbar(&["accept"]).code, Some(0));
    git(&project, &["init", "-q", "-b", "change"]);
    git(&project, &["add", "."]);
    git(&project, &["commit", "-qm", "accepted"]);
    project
}

#[test]
fn a_pull_request_cannot_bless_itself_and_what_it_accepts_is_listed() {
    let mut project = repository();
    git(
        &project,
        &["update-ref", "refs/remotes/origin/main", "HEAD"],
    );
    // The change breaks the cell and accepts that in the same push.
    project.replace("crossbar.yaml", "skill: 1\n", "skill: 0.3\n");
    expect(&project, &project.crossbar(&["run"]), 1, "REGRESSION");
    let args = ["accept", "--regression", "*", "--reason", "on purpose"];
    assert_eq!(project.crossbar(&args).code, Some(0));
    assert_eq!(
        project.crossbar(&["verdict"]).code,
        Some(0),
        "outside a pull request"
    );
    for variable in ["GITHUB_BASE_REF", "CI_MERGE_REQUEST_TARGET_BRANCH_NAME"] {
        project.env(variable, "main");
        let said = project.crossbar(&["verdict"]);
        expect(&project, &said, 1, "REGRESSION");
        let text = said.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(
            text.contains("against the accepted references of origin/main"),
            "{text}"
        );
        assert!(
            text.contains("this change accepts: desk::t01, desk::t02"),
            "{text}"
        );
        assert!(
            !text.contains("accepted drop"),
            "that reason is not the base's: {text}"
        );
        project.unset(variable);
    }
    // Deleting the file does not help either.
    project.env("GITHUB_BASE_REF", "main").remove(GOOD);
    assert_eq!(project.crossbar(&["verdict"]).code, Some(1));
}

#[test]
fn a_base_branch_that_is_not_here_is_no_green() {
    let mut project = repository();
    project.env("GITHUB_BASE_REF", "main");
    let said = project.crossbar(&["verdict"]);
    assert_eq!(said.code, Some(2), "{said}");
    assert!(said.stderr.contains("git fetch origin main"), "{said}");
    assert!(said.stderr.contains("fetch-depth: 0"), "{said}");
}

#[test]
fn a_review_shows_each_task_beside_its_reference_and_writes_nothing() {
    let project = repository();
    let before = project.bytes("references");
    project.replace("crossbar.yaml", "skill: 1\n", "skill: 0.3\n");
    assert_eq!(project.crossbar(&["run"]).code, Some(1));
    let said = project.crossbar(&["review"]);
    assert_eq!(said.code, Some(0), "{said}");
    assert!(said.stdout.contains("good+react: REGRESSION"), "{said}");
    let line = said
        .stdout
        .lines()
        .find(|line| line.starts_with("desk::t01 "));
    let line = line.unwrap_or_else(|| panic!("{said}"));
    assert!(line.contains("3/3 -> "), "{line}");
    assert!(
        line.contains("pp ["),
        "a difference has its interval: {line}"
    );
    assert!(said.stdout.contains("a rollout; "), "{said}");
    assert_eq!(project.bytes("references"), before);
    super::never_said(&said.stdout);
}
