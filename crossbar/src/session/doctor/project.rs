//! What the project has, and what its roster and packs need of this machine.

use super::super::{Loaded, RunOptions, locate, stored};
use super::{Finding, State};
use crate::process::on_path;
use crate::provider;
use crate::report::counted;
use crate::store::Store;
use crate::sweep::TaskEntry;
use crate::task::ServerSpec;
use std::collections::BTreeMap;
use std::path::Path;

/// Cells, tasks and results.
pub(super) fn contents(options: &RunOptions, loaded: &Loaded) -> Vec<Finding> {
    let named = Some(loaded.roster.run.results_dir.as_str());
    let results = locate::results_dir(options.results_dir.as_deref(), named, &loaded.root);
    let runs = match Store::open_existing(&stored::path(&results)) {
        Ok(None) => "no run yet".to_owned(),
        Ok(Some(store)) => match store.runs() {
            Ok(runs) => format!("{} recorded", counted(runs.len() as u64, "run")),
            Err(error) => format!("can't be read: {error}"),
        },
        Err(error) => format!("can't be read: {error}"),
    };
    let cells = loaded.roster.cells.iter().map(|cell| cell.id.to_string());
    let cells: Vec<String> = cells.collect();
    let packs = counted(loaded.pack_names.len() as u64, "pack");
    let tasks = match loaded.tasks.len() as u64 {
        0 => "none in YAML; those in Rust are known to the test binaries".to_owned(),
        count => format!(
            "{} in {packs}{}, and those in Rust, which the test binaries know",
            counted(count, "task"),
            never_run(loaded)
        ),
    };
    vec![
        match cells.is_empty() {
            true => Finding::new(State::Absent, "cells", "none: the roster names no model")
                .help("without one the controls of the tasks run, and nothing is compared"),
            false => Finding::there("cells", cells.join(", ")),
        },
        Finding::there("tasks", tasks),
        Finding::there("results", format!("{} ({runs})", results.display())),
    ]
}

/// How many tasks need what this version does not have; nothing where none does.
fn never_run(loaded: &Loaded) -> String {
    let tasks = loaded.tasks.values();
    match tasks.filter(|entry| !entry.task.unmet.is_empty()).count() {
        0 => String::new(),
        count => format!(" ({count} of them never run: crossbar validate says why)"),
    }
}

/// The kinds of the harnesses that some cell has.
pub(super) fn harness_kinds(loaded: &Loaded) -> impl Iterator<Item = &str> {
    let cells = loaded.roster.cells.iter();
    cells.map(|cell| loaded.roster.harnesses[cell.harness].kind.as_str())
}

/// Each model, and whether its key is there; one that no cell has needs none.
pub(super) fn models(loaded: &Loaded, lookup: &dyn Fn(&str) -> Option<String>) -> Vec<Finding> {
    let finding = |(at, model): (usize, &crate::domain::Model)| {
        let pretend = provider::kind(&model.provider).is_some_and(|kind| kind.pretend);
        let kind = match pretend {
            true => format!("{}, a pretend model", model.provider),
            false => format!("{}, live: it may cost money", model.provider),
        };
        let Some(key) = &model.api_key_env else {
            return Finding::there(&model.id, kind);
        };
        if lookup(key).is_some_and(|value| !value.is_empty()) {
            return Finding::there(&model.id, format!("{kind}; its key {key} is set"));
        }
        let (state, text) = match loaded.roster.cells.iter().any(|cell| cell.model == at) {
            true => (State::Needed, "is not set, and needed"),
            false => (State::Absent, "is not set; no cell has this model"),
        };
        let cure = format!("put the key into the environment: export {key}=...");
        Finding::new(state, &model.id, format!("{kind}; its key {key} {text}")).help(cure)
    };
    let models = loaded.roster.models.iter().enumerate();
    models.map(finding).collect()
}

/// Each program that the packs' servers are, and whether it is there.
pub(super) fn servers(loaded: &Loaded, lookup: &dyn Fn(&str) -> Option<String>) -> Vec<Finding> {
    let usual = lookup("PATH").unwrap_or_default();
    let mut started: BTreeMap<(&str, String), Users<'_>> = BTreeMap::new();
    let run = |entry: &&TaskEntry| entry.task.unmet.is_empty();
    for (id, entry) in &loaded.tasks {
        // What a task that never runs would start is asked of nobody.
        let declared = [&**entry].into_iter().filter(run);
        let declared = declared.flat_map(|entry| &entry.task.declared);
        let servers = declared.flat_map(|declared| &declared.environment.servers);
        // Whether one at an address answers is seen when it is asked: this starts and asks nobody.
        for server in servers.filter(|server| server.address.is_none()) {
            let path = path_of(server).unwrap_or(&usual).to_owned();
            let users = started.entry((&server.command, path)).or_insert(Users {
                server: &server.name,
                task: id.to_string(),
                count: 0,
            });
            users.count += 1;
        }
    }
    let findings = started.iter();
    findings
        .map(|((command, path), users)| program(command, path, users, &loaded.root))
        .collect()
}

/// Who starts a program.
struct Users<'l> {
    server: &'l str,
    /// The first task.
    task: String,
    count: u64,
}

/// What the server itself is given for PATH.
fn path_of(server: &ServerSpec) -> Option<&str> {
    let given = server.env.iter().find(|(name, _)| name == "PATH");
    given.map(|(_, path)| path.as_str())
}

fn program(command: &str, path: &str, users: &Users<'_>, root: &Path) -> Finding {
    let name = locate::name_of(Path::new(command));
    let Users {
        server,
        task,
        count,
    } = users;
    let of = match count {
        1 => format!("server {server} of {task}"),
        _ => format!("server {server} of {}", counted(*count, "task")),
    };
    match on_path(command, path, root) {
        Some(place) => Finding::there(&name, format!("{}, {of}", place.display())),
        None => Finding::new(
            State::Needed,
            &name,
            format!("{command} not found, and needed: {of}"),
        )
        .help("install it, put it on PATH, or mend `command` in the task file"),
    }
}
