//! Files that other tools wrote: tests/fixtures/import holds them as they came, named by the tool
//! and its version. tests/import/run.sh has the tools write new ones and reads those.

use super::{analyze, document, words};
use crossbar_suites::project::Project;
use crossbar_suites::tree;
use serde_json::Value;
use std::fs;

const LARGE: &str = "inspect-0.3.285-large.eval";
const SMALL: &str = "inspect-0.3.285-small.eval";
const SMALL_JSON: &str = "inspect-0.3.285-small.json";
const PROMPTFOO: &str = "promptfoo-0.121.20.json";

pub(super) fn holding(names: &[&str]) -> Project {
    let project = Project::empty();
    for name in names {
        let from = tree::root().join("tests/fixtures/import").join(name);
        fs::copy(from, project.path().join(name)).unwrap();
    }
    project
}

/// Cells with accepted and planned rollouts, and the rate's n.
pub(super) fn counts(document: &Value) -> Vec<(String, u64, u64, u64)> {
    let cells = document["cells"].as_array().unwrap().iter();
    let count = |value: &Value| value.as_u64().unwrap();
    cells
        .map(|cell| {
            let name = cell["cell"].as_str().unwrap().to_owned();
            let n = count(&cell["pass_rate"]["n"]);
            (name, count(&cell["accepted"]), count(&cell["planned"]), n)
        })
        .collect()
}

#[test]
fn two_logs_of_inspect_are_two_cells() {
    let project = holding(&[LARGE, SMALL]);
    let document = document(&project, &[LARGE, SMALL, "--baseline", "mockllm/large"], 0);
    // Two families in four samples, so families are the unit.
    let wanted = [("mockllm/large", 8, 8, 2), ("mockllm/small", 4, 8, 2)];
    let wanted = wanted.map(|(name, accepted, all, n)| (name.to_owned(), accepted, all, n));
    assert_eq!(counts(&document), wanted);
    assert_eq!(document["settings"]["unit"], "family");
    assert_eq!(document["files"][0]["format"], "inspect");
    assert!(
        document["window"]["first_started_at"]
            .as_str()
            .unwrap()
            .starts_with("2026-")
    );
    assert_eq!(
        document["watch"].as_array().unwrap().last().unwrap()["kind"],
        "ran_apart"
    );
    assert_eq!(document["cells"][0]["cost_usd"], Value::Null);
    assert_eq!(words(&document).first(), Some(&"CAN'T TELL"));
}

#[test]
fn a_log_says_the_same_in_both_forms() {
    let project = holding(&[SMALL, SMALL_JSON]);
    let of = |file: &str| {
        let mut document = document(&project, &[file], 0);
        let document = document.as_object_mut().unwrap();
        for key in ["files", "window"] {
            document.remove(key);
        }
        document.clone()
    };
    assert_eq!(of(SMALL), of(SMALL_JSON));
    let twice = analyze(&project, &[SMALL, SMALL_JSON]);
    assert_eq!(twice.code, Some(2));
    assert!(
        twice
            .stderr
            .contains("cell `mockllm/small`, task `sums/sum-1`, repeat 1 stands twice"),
        "{twice}"
    );
    let apart = [
        &format!("a={SMALL}")[..],
        &format!("b={SMALL_JSON}"),
        "--baseline",
        "a",
    ];
    assert_eq!(counts(&document(&project, &apart, 0)).len(), 2);
}

#[test]
fn a_log_that_was_cut_is_refused() {
    let project = holding(&[SMALL]);
    let path = project.path().join(SMALL);
    let bytes = fs::read(&path).unwrap();
    for end in [bytes.len() - 30, bytes.len() / 2, 100] {
        fs::write(&path, &bytes[..end]).unwrap();
        let said = analyze(&project, &[SMALL]);
        assert_eq!(
            (said.code, said.stdout.as_str()),
            (Some(2), ""),
            "{end}: {said}"
        );
        assert!(
            said.stderr.contains(SMALL) && said.stderr.contains("help: "),
            "{said}"
        );
    }
}

#[test]
fn the_output_of_promptfoo_has_a_cell_for_each_provider() {
    let project = holding(&[PROMPTFOO]);
    let document = document(&project, &[PROMPTFOO, "--baseline", "large"], 0);
    let wanted = [("large", 8, 8, 4), ("small", 4, 8, 4)];
    let wanted = wanted.map(|(name, accepted, all, n)| (name.to_owned(), accepted, all, n));
    assert_eq!(counts(&document), wanted);
    assert_eq!(document["settings"]["repeats"], 2);
    assert_eq!(document["cells"][0]["cost_usd"], 0.16);
    assert_eq!(document["cells"][1]["cost_usd"], 0.016);
    assert_eq!(document["files"][0]["format"], "promptfoo");
    let card = analyze(&project, &[PROMPTFOO, "--baseline", "large"]).stdout;
    assert!(
        card.contains("PRUNE") && card.contains("double one"),
        "{card}"
    );
}

#[test]
fn a_file_that_nobody_wrote_is_told_what_can_be_read() {
    let project = Project::empty();
    for (name, text) in [
        ("a.json", "{\"rows\": []}"),
        ("b.eval", "PK"),
        ("c.xlsx", "x"),
    ] {
        project.write(name, text);
        let said = analyze(&project, &[name]);
        assert_eq!(said.code, Some(2), "{said}");
        for wanted in [
            name,
            "csv (",
            "inspect (",
            "promptfoo (",
            "junit (",
            "tau2 (",
            "harbor (",
        ] {
            assert!(said.stderr.contains(wanted), "{wanted}: {said}");
        }
    }
}

#[test]
fn a_file_that_can_not_be_read_is_named_with_the_cure() {
    let project = Project::empty();
    fs::create_dir(project.path().join("folder")).unwrap();
    for (name, cure) in [
        (
            "nothing.csv",
            "help: give a file that is there, from the current folder on",
        ),
        (
            "large=nothing.csv",
            "NAME=FILE says what its cell is called",
        ),
        (
            "folder/nothing/result.json",
            "help: give a file that is there",
        ),
    ] {
        let said = analyze(&project, &[name]);
        assert_eq!((said.code, said.stdout.as_str()), (Some(2), ""), "{said}");
        let path = name.trim_start_matches("large=");
        let error = format!("error: failed to read {path}: ");
        assert!(
            said.stderr.contains(&error) && said.stderr.contains(cure),
            "{said}"
        );
    }
}
