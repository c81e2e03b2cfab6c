//! The CI gate end to end: every line of its table with its exit code, its place on the card, in
//! sweep.json and in junit.xml; references, accepting them, and what a pull request may not do.

#[path = "gate/aa.rs"]
mod aa;
#[path = "gate/branch.rs"]
mod branch;
#[path = "gate/looks.rs"]
mod looks;
#[path = "gate/merged.rs"]
mod merged;
#[path = "gate/references.rs"]
mod references;
#[path = "gate/regression.rs"]
mod regression;
#[path = "gate/report.rs"]
mod report;
#[path = "gate/review.rs"]
mod review;
#[path = "gate/sentinel.rs"]
mod sentinel;
#[path = "gate/table.rs"]
mod table;
#[path = "gate/workflows.rs"]
mod workflows;

use crossbar_suites::project::{Output, Project, XmlCase, junit, task};

/// A roster of two mocks with a gate; `good` always passes, `poor` passes half the time.
fn roster(gate: &str) -> String {
    format!("{}gate: {gate}\n", crossbar_suites::project::ROSTER)
}

/// A project of so many tasks with this roster.
fn project(tasks: u32, gate: &str) -> Project {
    let project = Project::empty();
    project.write("crossbar.yaml", &roster(gate));
    for number in 1..=tasks {
        let id = format!("t{number:02}");
        project.write(&format!("desk/{id}.task.yaml"), &task(&id));
    }
    project
}

/// The verdict's case of the newest run.
fn verdict_case(project: &Project) -> XmlCase {
    let cases = junit(&project.read("runs/latest/junit.xml"));
    cases
        .into_iter()
        .find(|case| case.class == "crossbar")
        .unwrap()
}

/// That a command ended with a code and said a word on the card, in report.md, in sweep.json and
/// in junit.xml alike.
fn expect(project: &Project, said: &Output, code: i32, word: &str) {
    assert_eq!(said.code, Some(code), "{said}");
    let line = format!("GATE           {word} (");
    assert!(said.stdout.contains(&line), "{word}: {said}");
    assert!(project.read("runs/latest/report.md").contains(&line));
    let snake = word
        .to_lowercase()
        .replace(' ', "_")
        .replace("can't", "cannot");
    let gate = &project.sweep("runs/latest")["gate"];
    let snake = snake.replace("worse_than_the_margin", "worse_than_margin");
    let snake = snake.replace("within_the_margin", "within_margin");
    assert_eq!(gate["word"], snake.as_str(), "{gate}");
    let case = verdict_case(project);
    let status = match code {
        0 => "pass",
        1 | 3 => "failure",
        _ => "error",
    };
    assert_eq!(case.status, status, "{case:?}");
    if code != 0 {
        assert!(case.message.contains(word), "{case:?}");
    }
    never_said(&said.stdout);
}

/// The words that claim what nobody can know.
fn never_said(text: &str) {
    for word in [
        "no change",
        "PASS ",
        "INCONCLUSIVE",
        "no difference",
        "stable",
    ] {
        let outside_the_matrix = text.lines().filter(|line| !line.contains("95% CI"));
        let found = outside_the_matrix
            .into_iter()
            .find(|line| line.contains(word));
        assert!(found.is_none(), "{word}: {found:?}");
    }
}
