//! The verdict over results that other tools produced: the figures of a sweep and of a known
//! matrix again, and nothing claimed from a file that is broken, partial or ambiguous.

#[path = "import/agents.rs"]
mod agents;
#[path = "import/demo.rs"]
mod demo;
#[path = "import/foreign.rs"]
mod foreign;
#[path = "import/junit.rs"]
mod junit;
#[path = "import/schema.rs"]
mod schema;
#[path = "import/sweep.rs"]
mod sweep;
#[path = "import/switch.rs"]
mod switch;

use crossbar_suites::project::{Output, Project};
use serde_json::Value;

/// A folder with one file of results.
fn holding(text: &str) -> Project {
    let project = Project::empty();
    project.write("results.csv", text);
    project
}

/// `crossbar analyze` with these arguments.
fn analyze(project: &Project, args: &[&str]) -> Output {
    project.crossbar(&[&["analyze"], args].concat())
}

/// The document that it prints; the exit code must be this.
fn document(project: &Project, args: &[&str], code: i32) -> Value {
    let said = analyze(project, &[args, &["--json"]].concat());
    assert_eq!(said.code, Some(code), "{said}");
    serde_json::from_str(&said.stdout).unwrap_or_else(|error| panic!("{error}: {said}"))
}

/// The words of both verdicts.
fn words(document: &Value) -> Vec<&str> {
    let verdicts = document["verdicts"].as_array().unwrap();
    let words = verdicts.iter().map(|verdict| verdict["word"].as_str());
    words.map(Option::unwrap).collect()
}
