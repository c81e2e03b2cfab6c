//! Jobs of Harbor and results of tau2. Both ran their own loop with models that answer from a table;
//! tests/import/record.sh says how. Paths of the machine in Harbor's files are shortened.

use super::foreign::{counts, holding};
use super::{analyze, document};
use crossbar_suites::project::Project;
use crossbar_suites::tree;
use std::fs;
use std::path::Path;

const TAU2: [&str; 2] = ["tau2-1.0.1-large.json", "tau2-1.0.1-mini.json"];
const HARBOR: &str = "harbor-0.26.0";

/// A folder with Harbor's job in it.
fn job() -> Project {
    let project = Project::empty();
    copy(
        &tree::root().join("tests/fixtures/import").join(HARBOR),
        &project.path().join(HARBOR),
    );
    project
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        if entry.path().is_dir() {
            copy(&entry.path(), &to.join(entry.file_name()));
        } else {
            fs::copy(entry.path(), to.join(entry.file_name())).unwrap();
        }
    }
}

/// The folder of a trial whose name begins so.
fn trial(project: &Project, task: &str, model: &str) -> String {
    let job = project.path().join(HARBOR);
    let trials = fs::read_dir(&job)
        .unwrap()
        .map(|entry| entry.unwrap().path());
    let mut of_model = trials.filter(|path| {
        let name = path.file_name().unwrap().to_str().unwrap();
        let is_task = name.starts_with(&format!("{task}__"));
        is_task
            && fs::read_to_string(path.join("result.json"))
                .unwrap()
                .contains(model)
    });
    let path = of_model.next().unwrap();
    let path = path
        .strip_prefix(project.path())
        .unwrap()
        .join("result.json");
    path.to_str().unwrap().to_owned()
}

#[test]
fn two_files_of_tau2_are_two_models() {
    let project = holding(&TAU2);
    let document = document(&project, &[TAU2[0], TAU2[1], "--baseline", "gpt-4.1"], 0);
    let wanted = [("gpt-4.1", 4, 4, 2), ("gpt-4.1-mini", 2, 4, 2)];
    let wanted = wanted.map(|(name, accepted, all, n)| (name.to_owned(), accepted, all, n));
    assert_eq!(counts(&document), wanted);
    assert_eq!(document["settings"]["repeats"], 2);
    assert_eq!(document["files"][0]["format"], "tau2");
    assert_eq!(document["cells"][0]["cost_usd"], 0.00768);
    assert_eq!(document["cells"][1]["cost_usd"], 0.001152);
    let card = analyze(&project, &TAU2).stdout;
    assert!(card.contains("mock/create_task_1"), "{card}");
}

#[test]
fn a_simulation_that_tau2_lost_is_missing() {
    let project = holding(&TAU2[..1]);
    let mut results: serde_json::Value = serde_json::from_str(&project.read(TAU2[0])).unwrap();
    // Nothing but the run's own plan knows of the other task.
    let simulations = results["simulations"].as_array_mut().unwrap();
    simulations.retain(|one| one["task_id"] == "create_task_1");
    project.write(TAU2[0], &results.to_string());
    let document = document(&project, &[TAU2[0]], 4);
    assert_eq!(document["complete"], false);
    assert_eq!(document["missing"].as_array().unwrap().len(), 2);
}

#[test]
fn a_job_of_harbor_has_a_cell_for_each_model() {
    let project = job();
    let document = document(&project, &[HARBOR, "--baseline", "acme/large+table"], 0);
    let wanted = [("acme/large+table", 6, 6, 3), ("acme/small+table", 2, 6, 3)];
    let wanted = wanted.map(|(name, accepted, all, n)| (name.to_owned(), accepted, all, n));
    assert_eq!(counts(&document), wanted);
    assert_eq!(document["settings"]["repeats"], 2);
    assert_eq!(document["files"].as_array().unwrap().len(), 1);
    assert_eq!(document["files"][0]["format"], "harbor");
    assert_eq!(document["files"][0]["rollouts"], 12);
    assert_eq!(document["cells"][0]["cost_usd"], 0.12);
    let notes = document["notes"].to_string();
    assert!(
        notes.contains("whose reward Harbor takes as valid: 2; each counts"),
        "{notes}"
    );
}

#[test]
fn a_trial_that_is_broken_is_named_and_one_that_is_gone_is_missing() {
    let project = job();
    let path = trial(&project, "two", "acme/small");
    let whole = project.read(&path);
    project.write(&path, &whole[..whole.len() / 2]);
    let said = analyze(&project, &[HARBOR]);
    assert_eq!((said.code, said.stdout.as_str()), (Some(2), ""), "{said}");
    assert!(said.stderr.contains(&format!("--> {path}:")), "{said}");
    assert!(said.stderr.contains("help: "), "{said}");
    fs::remove_file(project.path().join(&path)).unwrap();
    let document = document(&project, &[HARBOR], 4);
    assert_eq!(document["missing"].as_array().unwrap().len(), 1);
    let notes = document["notes"].to_string();
    assert!(
        notes.contains("planned 12 trials, and 11 have a result"),
        "{notes}"
    );
}

#[test]
fn a_folder_without_results_and_a_job_given_twice_are_refused() {
    let project = job();
    fs::create_dir(project.path().join("empty")).unwrap();
    let said = analyze(&project, &["empty"]);
    assert_eq!((said.code, said.stdout.as_str()), (Some(2), ""), "{said}");
    assert!(said.stderr.contains("no result.json in empty"), "{said}");
    let said = analyze(&project, &[HARBOR, HARBOR]);
    assert_eq!(said.code, Some(2), "{said}");
    assert!(
        said.stderr.contains("two files hold the same rollouts"),
        "{said}"
    );
}
