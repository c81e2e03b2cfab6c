//! The same seed gives the same sweep: in another process, on another number of workers, through
//! another door. Another seed gives another one.

use crossbar_suites::project::{Project, card, lasting, task};

/// The lines, the lasting part of sweep.json, the card.
fn swept(project: &Project, args: &[&str]) -> (String, serde_json::Value, String) {
    let said = project.crossbar(&[&["run"], args].concat());
    assert_eq!(said.code, Some(0), "{said}");
    let lines = project.read("runs/latest/rollouts.csv");
    let sweep = lasting(&project.sweep("runs/latest"));
    (lines, sweep, card(&said.stdout).to_owned())
}

/// The pack with models that sometimes fail and sometimes do not.
fn pack() -> Project {
    let project = Project::pack();
    project.replace("crossbar.yaml", "skill: 1\n", "skill: 0.9\n");
    project.replace("crossbar.yaml", "repeats: 3", "repeats: 8");
    project
}

#[test]
fn two_processes_give_the_same_bytes() {
    let (one, other) = (pack(), pack());
    let first = swept(&one, &[]);
    assert!(first.0.contains("accepted") && first.0.contains("task_failure"));
    assert_eq!(swept(&one, &[]), first);
    assert_eq!(swept(&other, &[]), first, "in another folder too");
}

#[test]
fn one_worker_and_four_give_the_same_bytes_and_each_rollout_once() {
    let project = pack();
    project.replace("crossbar.yaml", "concurrency: 2", "concurrency: 1");
    let alone = swept(&project, &[]);
    project.replace("crossbar.yaml", "concurrency: 1", "concurrency: 4");
    let crowd = swept(&project, &[]);
    assert_eq!(crowd, alone);
    let mut keys: Vec<_> = project
        .rollouts("runs/latest")
        .lines
        .into_iter()
        .map(|line| {
            (
                line["cell"].clone(),
                line["task"].clone(),
                line["repeat"].clone(),
            )
        })
        .collect();
    assert_eq!(keys.len(), 2 * 2 * 8);
    keys.dedup();
    assert_eq!(keys.len(), 2 * 2 * 8);
}

#[test]
fn another_seed_gives_another_sweep() {
    let mut project = pack();
    let first = swept(&project, &[]);
    project.env("CROSSBAR_SEED", "7");
    let other = swept(&project, &[]);
    assert_ne!(other.0, first.0);
    assert_eq!(other.1["meta"]["seed"], 7);
    project.unset("CROSSBAR_SEED");
    project.replace("crossbar.yaml", "  baseline:", "  seed: 7\n  baseline:");
    assert_eq!(swept(&project, &[]), other, "wherever the seed is written");
}

#[test]
fn what_else_is_in_the_matrix_changes_no_rollout() {
    let project = pack();
    let with = swept(&project, &[]).0;
    project.write("desk/zero.task.yaml", &task("zero"));
    let more = swept(&project, &["--repeats", "9"]).0;
    // The last column is the hash of the whole data set.
    let without_hash = |line: &str| line.rsplit_once(',').unwrap().0.to_owned();
    let more: Vec<_> = more.lines().map(without_hash).collect();
    for line in with.lines() {
        assert!(more.contains(&without_hash(line)), "{line}");
    }
}

#[test]
fn the_test_binary_gives_the_same_bytes_on_every_number_of_workers() {
    let project = Project::first_test();
    let mut seen = Vec::new();
    for workers in ["1", "4"] {
        let roster = project.read("crossbar.yaml");
        let line = format!("repeats: 3\n  concurrency: {workers}\n");
        project.write("crossbar.yaml", &roster.replace("repeats: 3\n", &line));
        let said = project.cargo(&["test", "--test", "agents"]);
        assert_eq!(said.code, Some(0), "{said}");
        project.write("crossbar.yaml", &roster);
        seen.push((
            project.read("runs/latest/rollouts.csv"),
            lasting(&project.sweep("runs/latest")),
        ));
    }
    assert_eq!(seen[0], seen[1]);
}
