//! Packs inside the test binary: what changes in a folder shows in the next `cargo test`, what is
//! broken fails the build at its line, and no task is there twice.

#[path = "collector/cases.rs"]
mod cases;
#[path = "collector/changes.rs"]
mod changes;
#[path = "collector/lists.rs"]
mod lists;
#[path = "collector/once.rs"]
mod once;
#[path = "collector/outlines.rs"]
mod outlines;
#[path = "collector/rescan.rs"]
mod rescan;

use crossbar_suites::project::{Output, Project};

/// The tasks of `cargo test`'s cases, sorted and each once; the build must succeed.
fn listed(project: &Project) -> Vec<String> {
    tasks(&project.cargo(&[
        "test",
        "-p",
        "agent-tests",
        "--test",
        "agents",
        "--",
        "--list",
    ]))
}

fn tasks(said: &Output) -> Vec<String> {
    assert_eq!(said.code, Some(0), "{said}");
    let cases = said
        .stdout
        .lines()
        .filter_map(|line| line.strip_suffix(": test"));
    let mut tasks: Vec<String> = cases
        .map(|case| case.rsplit_once("::").unwrap().0.to_owned())
        .collect();
    tasks.sort();
    tasks.dedup();
    tasks
}
