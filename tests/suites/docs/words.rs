//! The words of docs/architecture.md, used alone: pages, flags and JSON call a thing by its name,
//! and a cell is always written `model+harness`.

use crossbar_suites::project::{Project, junit};
use crossbar_suites::tree;
use serde_json::Value;
use std::collections::BTreeSet;

/// Other people's names for what has one here: the foreign word, and ours.
const FOREIGN: [(&str, &str); 12] = [
    ("oracle", "check"),
    ("grader", "check"),
    ("trial", "rollout"),
    ("episode", "rollout"),
    ("scenario", "task"),
    ("dataset item", "task"),
    ("leaderboard", "matrix"),
    ("grid", "matrix"),
    ("scaffold", "harness"),
    ("transcript of the run", "trajectory"),
    ("test case under test", "task"),
    ("control arm", "baseline"),
];

/// What the users of other tools may type all the same.
const ALLOWED: [&str; 2] = ["--trials", "independent"];

/// Lines that use a foreign word, each with ours.
fn foreign(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for line in text.lines() {
        let lower = line.to_lowercase();
        if ALLOWED.iter().any(|word| lower.contains(word)) {
            continue;
        }
        for (word, ours) in FOREIGN {
            let whole = |at: usize| {
                let before = lower[..at].chars().next_back();
                let after = lower[at + word.len()..]
                    .trim_start_matches('s')
                    .chars()
                    .next();
                !before.is_some_and(char::is_alphanumeric)
                    && !after.is_some_and(char::is_alphanumeric)
            };
            if lower.match_indices(word).any(|(at, _)| whole(at)) {
                found.push(format!("`{word}` is called {ours} here: {line}"));
            }
        }
    }
    found
}

/// A page without its code: the files of other tools are shown as those tools write them.
fn prose(page: &str) -> String {
    let outside = page.split("```").step_by(2);
    let lines = outside.flat_map(str::lines);
    let words = lines.map(|line| line.split('`').step_by(2).collect::<String>() + "\n");
    words.collect()
}

fn keys(value: &Value, into: &mut BTreeSet<String>) {
    match value {
        Value::Object(map) => {
            into.extend(map.keys().cloned());
            map.values().for_each(|value| keys(value, into));
        }
        Value::Array(items) => items.iter().for_each(|value| keys(value, into)),
        _ => {}
    }
}

/// The values of every key of one of these names.
fn values<'v>(value: &'v Value, names: &[&str], into: &mut Vec<&'v str>) {
    match value {
        Value::Object(map) => {
            for (key, value) in map {
                match value {
                    Value::String(text) if names.contains(&key.as_str()) => into.push(text),
                    other => values(other, names, into),
                }
            }
        }
        Value::Array(items) => items.iter().for_each(|value| values(value, names, into)),
        _ => {}
    }
}

#[test]
fn pages_flags_and_json_use_the_words_of_the_glossary() {
    let root = tree::root();
    let pages = std::fs::read_dir(root.join("docs")).unwrap();
    let pages = pages.map(|entry| entry.unwrap().path());
    let pages: Vec<_> = pages
        .filter(|path| path.extension().is_some_and(|e| e == "md"))
        .collect();
    assert!(pages.len() >= 8);
    for path in pages.into_iter().chain([root.join("README.md")]) {
        let text = std::fs::read_to_string(&path).unwrap();
        let text = match path.file_name().is_some_and(|name| name == "import.md") {
            true => prose(&text),
            false => text,
        };
        assert_eq!(foreign(&text), Vec::<String>::new(), "{}", path.display());
    }
    let project = Project::pack();
    let help = ["", "run", "verdict", "show"].map(|verb| {
        let args: Vec<_> = [verb, "--help"]
            .into_iter()
            .filter(|word| !word.is_empty())
            .collect();
        project.crossbar(&args).stdout
    });
    let help = help.join("\n");
    assert_eq!(foreign(&help), Vec::<String>::new());
    for word in [
        "model",
        "harness",
        "roster",
        "sweep",
        "verdict",
        "Rollouts per cell and task",
        "<CELL>",
    ] {
        assert!(help.contains(word), "{word}: {help}");
    }
}

#[test]
fn json_csv_and_junit_name_tasks_rollouts_and_cells_alike() {
    let project = Project::pack();
    let said = project.crossbar(&["run"]);
    assert_eq!(said.code, Some(0), "{said}");
    let sweep = project.sweep("runs/latest");
    let mut found = BTreeSet::new();
    keys(&sweep, &mut found);
    let spaced = found
        .iter()
        .map(|key| key.replace('_', " "))
        .collect::<Vec<_>>()
        .join("\n");
    assert_eq!(foreign(&spaced), Vec::<String>::new());
    for key in [
        "baseline",
        "cell",
        "cells",
        "checks",
        "harness",
        "model",
        "rollouts",
        "task",
        "tasks",
        "trajectory",
        "verdict",
    ] {
        assert!(found.contains(key), "{key}: {found:?}");
    }
    let known = BTreeSet::from(["good+react", "poor+react"]);
    let mut cells = Vec::new();
    values(&sweep, &["cell", "baseline", "winner"], &mut cells);
    assert!(
        cells.len() > 12 && cells.iter().all(|cell| known.contains(cell)),
        "{cells:?}"
    );
    let rollouts = project.rollouts("runs/latest");
    assert!(
        rollouts
            .lines
            .iter()
            .all(|line| known.contains(&*line["cell"]))
    );
    let classes: BTreeSet<_> = junit(&project.read("runs/latest/junit.xml"))
        .into_iter()
        .map(|case| case.class)
        .collect();
    assert!(
        known.iter().all(|cell| classes.contains(*cell)),
        "{classes:?}"
    );
    let header = project.read("runs/latest/rollouts.csv");
    let header = header.lines().find(|line| !line.starts_with('#')).unwrap();
    assert!(header.starts_with("cell,task,repeat,outcome,"), "{header}");
}

#[test]
fn a_foreign_word_is_found_and_an_ordinary_one_is_not() {
    assert_eq!(
        foreign("Oracles judge.\nan industrial gridlock\n--trials N"),
        ["`oracle` is called check here: Oracles judge."]
    );
    assert_eq!(foreign("three trials each").len(), 1);
}
