//! The demo of this repository, `crossbar.yaml` with taskpacks/support-triage: what is in the pack,
//! what a run of it answers, and that the answer does not hang on the seed.

#[path = "demo/mocks.rs"]
mod mocks;
#[path = "demo/pack.rs"]
mod pack;
#[path = "demo/verdict.rs"]
mod verdict;

use crossbar::pack::{TaskContext, read_task};
use crossbar::source::{File, Problems};
use crossbar::task::Task;
use crossbar_suites::tree::root;
use std::fs;

/// The tasks of the pack, by their file's name.
fn tasks() -> Vec<Task> {
    let folder = root().join("taskpacks/support-triage");
    let mut paths: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.to_string_lossy().ends_with(".task.yaml"))
        .collect();
    paths.sort();
    paths
        .iter()
        .map(|path| {
            let file = File::new(path.to_string_lossy(), fs::read_to_string(path).unwrap());
            let context = TaskContext {
                pack: "support-triage",
                folder: "/p",
                lookup: &|_| Some(String::new()),
            };
            let problems = Problems::new(file.path());
            read_task(&file, &context, &problems).unwrap_or_else(|| panic!("{}", path.display()))
        })
        .collect()
}
