//! JUnit files: those that pytest and cargo-nextest wrote, and crossbar's own, which has the
//! figures of its sweep.

use super::foreign::{counts, holding};
use super::sweep::{by_name, cell, comparison, swept};
use super::{analyze, document};
use crossbar_suites::project::Project;
use serde_json::Value;

const PYTEST: [&str; 4] = [
    "pytest-9.2.0-large-1.xml",
    "pytest-9.2.0-large-2.xml",
    "pytest-9.2.0-small-1.xml",
    "pytest-9.2.0-small-2.xml",
];
const NEXTEST: [&str; 2] = ["nextest-0.9.143-large.xml", "nextest-0.9.143-small.xml"];

/// The files, each named by its cell.
fn named(files: &[&str]) -> Vec<String> {
    let cell = |file: &str| {
        if file.contains("large") {
            "large"
        } else {
            "small"
        }
    };
    files
        .iter()
        .map(|file| format!("{}={file}", cell(file)))
        .collect()
}

fn read(project: &Project, files: &[&str]) -> Value {
    let files = named(files);
    let mut args: Vec<&str> = files.iter().map(String::as_str).collect();
    args.extend(["--baseline", "large"]);
    document(project, &args, 0)
}

#[test]
fn several_files_of_pytest_are_repeats_of_their_cells() {
    let document = read(&holding(&PYTEST), &PYTEST);
    // Two families in four tests, so families are the unit.
    let wanted = [("large", 8, 8, 2), ("small", 4, 8, 2)];
    let wanted = wanted.map(|(name, accepted, all, n)| (name.to_owned(), accepted, all, n));
    assert_eq!(counts(&document), wanted);
    assert_eq!(document["settings"]["repeats"], 2);
    assert_eq!(document["settings"]["unit"], "family");
    assert_eq!(document["files"][3]["format"], "junit");
    assert_eq!(document["cells"][0]["cost_usd"], 0.16);
    assert_eq!(document["cells"][1]["cost_usd"], 0.016);
    assert_eq!(
        document["watch"].as_array().unwrap().last().unwrap()["kind"],
        "ran_apart"
    );
}

#[test]
fn the_stress_runs_of_nextest_are_repeats() {
    let document = read(&holding(&NEXTEST), &NEXTEST);
    let wanted = [("large", 8, 8, 4), ("small", 4, 8, 4)];
    let wanted = wanted.map(|(name, accepted, all, n)| (name.to_owned(), accepted, all, n));
    assert_eq!(counts(&document), wanted);
    assert_eq!(document["settings"]["repeats"], 2);
    assert!(
        document["window"]["first_started_at"]
            .as_str()
            .unwrap()
            .starts_with("2026-11-30T")
    );
}

#[test]
fn a_file_without_its_cell_and_one_that_was_given_twice_are_refused() {
    let project = holding(&PYTEST);
    let said = analyze(&project, &[PYTEST[0]]);
    assert_eq!((said.code, said.stdout.as_str()), (Some(2), ""), "{said}");
    assert!(
        said.stderr.contains("pytest-9.2.0-large-1.xml:1:"),
        "{said}"
    );
    assert!(said.stderr.contains("help: give it as NAME=FILE"), "{said}");
    let files = named(&[PYTEST[0], PYTEST[2], PYTEST[2]]);
    let files: Vec<&str> = files.iter().map(String::as_str).collect();
    let said = analyze(&project, &files);
    assert_eq!((said.code, said.stdout.as_str()), (Some(2), ""), "{said}");
    assert!(
        said.stderr.contains("two files hold the same rollouts"),
        "{said}"
    );
}

#[test]
fn a_repeat_that_only_one_cell_has_is_missing_in_the_other() {
    let project = holding(&PYTEST);
    let files = named(&PYTEST[..3]);
    let files: Vec<&str> = files.iter().map(String::as_str).collect();
    let document = document(&project, &files, 4);
    assert_eq!(document["complete"], false);
    assert_eq!(document["missing"].as_array().unwrap().len(), 4);
}

/// A file is cut wherever it may be: it is refused at a place, and no figure is made of the rest.
#[test]
fn a_file_that_was_cut_is_refused() {
    let project = holding(&[NEXTEST[1]]);
    let whole = project.read(NEXTEST[1]);
    for end in [whole.len() - 3, whole.len() / 2, 60] {
        project.write(NEXTEST[1], &whole[..end]);
        let said = analyze(&project, &[&format!("small={}", NEXTEST[1])]);
        assert_eq!(
            (said.code, said.stdout.as_str()),
            (Some(2), ""),
            "{end}: {said}"
        );
        let place = format!("--> {}:", NEXTEST[1]);
        assert!(
            said.stderr.contains(&place) && said.stderr.contains("help: "),
            "{said}"
        );
    }
}

#[test]
fn junit_xml_of_a_sweep_gives_its_figures() {
    let project = swept();
    let sweep = project.sweep("runs/latest");
    let baseline = sweep["question"]["baseline"].as_str().unwrap();
    let document = document(
        &project,
        &["runs/latest/junit.xml", "--baseline", baseline],
        0,
    );
    // Scores are not in the file.
    let bare = |mut cell: Value| {
        let fields = cell.as_object_mut().unwrap();
        for key in ["note", "cost_usd", "mean_score"] {
            fields.remove(key);
        }
        cell
    };
    let analysis = &sweep["analysis"];
    let list = |value: &Value| value.as_array().unwrap().clone();
    let wanted = list(&analysis["cells"])
        .iter()
        .map(cell)
        .map(bare)
        .collect();
    let cells: Vec<Value> = list(&document["cells"]).into_iter().map(bare).collect();
    assert!(cells.len() > 1);
    assert_eq!(by_name(cells), by_name(wanted));
    let wanted = list(&analysis["comparisons"])
        .iter()
        .flat_map(comparison)
        .collect();
    assert_eq!(by_name(list(&document["comparisons"])), by_name(wanted));
    assert_eq!(document["settings"]["unit"], "family");
    assert_eq!(document["notes"], serde_json::json!([]));
}
