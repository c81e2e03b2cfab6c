//! Tasks in Rust: everything that a task function may be runs, and everything that it may not be
//! fails to compile at the tokens that are wrong, with a line of help.

#[path = "rust_tasks/binaries.rs"]
mod binaries;
#[path = "rust_tasks/everything.rs"]
mod everything;
#[path = "rust_tasks/linking.rs"]
mod linking;
#[path = "rust_tasks/misuse.rs"]
mod misuse;
#[path = "rust_tasks/reached.rs"]
mod reached;
#[path = "rust_tasks/red.rs"]
mod red;
#[path = "rust_tasks/stopped.rs"]
mod stopped;

use crossbar_suites::project::Project;

/// A model that plays solutions exactly, once a task.
const ROSTER: &str = "\
models: [{id: played, provider: scripted, price: free}]
harnesses: [{id: react, kind: react}]
run: {repeats: 1, concurrency: 2}
";

/// A project of this one test target.
fn project(agents: &str) -> Project {
    let project = Project::first_test();
    project
        .remove("tasks")
        .write("crossbar.yaml", ROSTER)
        .write("tests/agents.rs", agents);
    project
}
