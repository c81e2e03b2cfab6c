//! The verdict over the parts of one run equals that of the run in one piece, and what no part has
//! is missing by name.

use crossbar_suites::project::{Output, Project, SERVER, card, lasting};
use serde_json::Value;

/// Runs a partition into a results folder of its own.
pub(super) fn part(project: &mut Project, folder: &str, partition: &str) {
    project.env("CROSSBAR_RESULTS_DIR", folder);
    let said = project.nextest(&["run", "--partition", partition]);
    assert_eq!(said.code, Some(0), "{said}");
    project.unset("CROSSBAR_RESULTS_DIR");
}

/// The record, the analysis and the card: what must be the same.
fn figures(project: &Project, said: &Output) -> (String, Value, String) {
    let lines = project.read("runs/latest/rollouts.csv");
    let sweep = lasting(&project.sweep("runs/latest"));
    (lines, sweep, card(&said.stdout).to_owned())
}

#[test]
fn two_partitions_give_the_figures_of_the_single_run() {
    let mut project = Project::first_test();
    let single = project.cargo(&["test", "--test", "agents"]);
    assert_eq!(single.code, Some(0), "{single}");
    let single = figures(&project, &single);

    part(&mut project, "runs/a", "slice:1/2");
    part(&mut project, "runs/b", "slice:2/2");
    let both = project.cargo(&["crossbar", "verdict", "runs/a", "runs/b/store.db"]);
    assert_eq!(both.code, Some(0), "{both}");
    assert_eq!(figures(&project, &both), single);
    assert!(
        both.stderr
            .contains("merged from runs/a, runs/b/store.db\n"),
        "{both}"
    );

    // The same rollouts once more count once.
    let thrice = ["crossbar", "verdict", "runs/a", "runs/b", "runs/a"];
    let thrice = project.cargo(&thrice);
    assert_eq!(figures(&project, &thrice), single);
    std::fs::create_dir(project.path().join("runs/copy")).unwrap();
    let [from, to] =
        ["runs/a/store.db", "runs/copy/store.db"].map(|path| project.path().join(path));
    std::fs::copy(from, to).unwrap();
    let copied = project.cargo(&["crossbar", "verdict", "runs/a", "runs/b", "runs/copy"]);
    assert_eq!(copied.code, Some(0), "{copied}");
    assert_eq!(figures(&project, &copied), single);
    assert!(
        copied.stderr.contains("in more than one, and count once"),
        "{copied}"
    );
    let swapped = project.cargo(&["crossbar", "verdict", "runs/copy", "runs/b"]);
    assert_eq!(figures(&project, &swapped), single);
}

#[test]
fn what_no_part_has_is_missing_by_name_and_another_run_is_no_part() {
    let mut project = Project::first_test();
    part(&mut project, "runs/a", "slice:1/2");
    let alone = project.crossbar(&["verdict", "runs/a"]);
    assert_eq!(alone.code, Some(4), "{alone}");
    assert!(alone.stdout.contains("INCOMPLETE: "), "{alone}");
    let named = alone
        .stderr
        .lines()
        .find(|line| line.starts_with("never run: "));
    let named = named.unwrap_or_else(|| panic!("{alone}"));
    let lines = project.rollouts("runs/latest").lines;
    let ran = |case: &str| {
        lines
            .iter()
            .any(|line| case == format!("{}::{}", line["task"], line["cell"]))
    };
    let matrix = named["never run: ".len()..]
        .split(", ")
        .filter(|case| case.ends_with(" (3)"));
    let matrix: Vec<_> = matrix.map(|case| case.trim_end_matches(" (3)")).collect();
    assert_eq!(matrix.len() * 3, 18 - lines.len(), "{named}");
    assert!(matrix.iter().all(|case| !ran(case)), "{named}");
    assert!(named.contains("::control+"), "{named}");

    project.env("CROSSBAR_SEED", "7");
    part(&mut project, "runs/b", "slice:2/2");
    project.unset("CROSSBAR_SEED");
    let other = project.crossbar(&["verdict", "runs/a", "runs/b"]);
    assert_eq!(other.code, Some(2), "{other}");
    let said = "error: runs/b is no part of the run that runs/a is a part of: seed: 0 -> 7\nhelp: ";
    assert!(other.stderr.contains(said), "{other}");

    project.replace(
        "tasks/route-billing.task.yaml",
        "Leave the others alone.",
        "Leave all others alone.",
    );
    project.remove("runs/b");
    part(&mut project, "runs/b", "slice:2/2");
    let other = project.crossbar(&["verdict", "runs/a", "runs/b"]);
    assert_eq!(other.code, Some(2), "{other}");
    assert!(
        other
            .stderr
            .contains("task tasks::route-billing is another one"),
        "{other}"
    );

    project.write("nightly", "a file of somebody's own");
    let absent = project.crossbar(&["verdict", "nightly"]);
    assert!(
        absent.stderr.contains("error: there is no run in "),
        "{absent}"
    );
    let absent = project.crossbar(&["verdict", "nowhere/at/all"]);
    assert_eq!(absent.code, Some(2), "{absent}");
    assert!(
        absent
            .stderr
            .contains("error: there is no record in nowhere/at/all\nhelp: "),
        "{absent}"
    );
}

#[test]
fn what_one_part_could_not_measure_another_can() {
    let mut project = Project::pack();
    let mark = project.path().join("mark");
    let script = format!("[ -e {mark:?} ] || exit 1; exec \"$0\" \"$@\"");
    let argument = serde_json::to_string(&script.replace('$', "$$")).unwrap();
    let args = format!("[\"-c\", {argument}, \"${{CROSSBAR_BIN}}\", __serve");
    let server = SERVER.replace("\"${CROSSBAR_BIN}\"", "sh");
    project.serve(&server.replace("[__serve", &args));
    for (folder, code) in [("failed", 4), ("measured", 0)] {
        project.env("CROSSBAR_RESULTS_DIR", folder);
        let said = project.crossbar(&["run"]);
        assert_eq!(said.code, Some(code), "{said}");
        project.write("mark", "");
    }
    let measured = project.read("measured/latest/rollouts.csv");
    project.unset("CROSSBAR_RESULTS_DIR");
    for parts in [["failed", "measured"], ["measured", "failed"]] {
        let said = project.crossbar(&[&["verdict"][..], &parts].concat());
        assert_eq!(said.code, Some(0), "{said}");
        assert_eq!(project.read("runs/latest/rollouts.csv"), measured);
        assert_eq!(project.read("runs/.gitignore"), "*\n");
    }
}
