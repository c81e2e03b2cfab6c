//! The same seed gives the same record, but for the fields that docs/record-format.md lists; and
//! that page names the keys and columns that there are.

use crossbar_suites::project::Project;
use serde_json::Value;
use std::collections::BTreeSet;

use super::pages::{self, first_column};

const RECORD: &str = "docs/record-format.md";
const DIFFER: &str = "## Fields that may differ";

/// A run of the repository's own pack: rollouts.csv and sweep.json.
fn run(concurrency: u32) -> (String, Value) {
    let project = Project::of_the_repository();
    let roster = pages::read("crossbar.yaml");
    let settings = format!("\nrun:\n  concurrency: {concurrency}\n");
    let roster = roster.replace("\nrun:\n", &settings);
    assert!(roster.contains("concurrency"));
    project.write("crossbar.yaml", &roster);
    let output = project.crossbar(&["run", "--repeats", "2"]);
    assert_eq!(output.code, Some(0), "{output}");
    (
        project.read("runs/latest/rollouts.csv"),
        project.sweep("runs/latest"),
    )
}

/// Replaces the value of every key of that name, wherever it stands; says whether there was one.
fn mask(value: &mut Value, name: &str) -> bool {
    match value {
        Value::Object(map) => {
            let mut found = false;
            for (key, value) in map {
                if key == name {
                    *value = Value::Null;
                    found = true;
                } else {
                    found |= mask(value, name);
                }
            }
            found
        }
        Value::Array(items) => items
            .iter_mut()
            .fold(false, |found, item| mask(item, name) | found),
        _ => false,
    }
}

#[test]
fn two_runs_of_one_seed_differ_in_the_listed_fields_alone() {
    let page = pages::read(RECORD);
    let listed = first_column(&page, DIFFER);
    assert!((1..=8).contains(&listed.len()), "{listed:?}");
    let (csv, mut first) = run(1);
    let (other_csv, mut second) = run(4);
    assert_eq!(csv, other_csv);
    for name in &listed {
        assert!(mask(&mut first, name), "sweep.json has no `{name}`");
        mask(&mut second, name);
    }
    assert_eq!(first, second);
    keys_are_listed(&page, &first, &csv);
}

fn keys_are_listed(page: &str, sweep: &Value, csv: &str) {
    let keys: BTreeSet<_> = sweep.as_object().unwrap().keys().cloned().collect();
    let listed: BTreeSet<_> = first_column(page, "## sweep.json").into_iter().collect();
    assert_eq!(listed, keys);
    let rollout: BTreeSet<_> = sweep["rollouts"][0]
        .as_object()
        .unwrap()
        .keys()
        .cloned()
        .collect();
    let listed: BTreeSet<_> = first_column(page, "### One rollout").into_iter().collect();
    assert_eq!(listed, rollout);
    let columns: Vec<_> = csv.lines().next().unwrap().split(',').collect();
    assert_eq!(first_column(page, "## rollouts.csv"), columns);
}
