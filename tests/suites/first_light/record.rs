//! The record is the state: the card is read out of it, and a killed sweep goes on from it.

use crossbar_suites::project::{Project, binaries, card};
use rusqlite::Connection;
use std::path::Path;

/// One attempt of the tickets server for every rollout, as the server itself has noted it.
fn starts(project: &Project) -> usize {
    let log = project.read("calls.log");
    log.lines().filter(|line| *line == "start").count()
}

/// The tickets server, with a log in the project's folder.
fn logged(project: &Project) -> String {
    let log = project.path().join("calls.log");
    format!(
        "{{name: tickets, command: \"${{CROSSBAR_BIN}}\", args: [__serve, tickets, --log, {log:?}]}}"
    )
}

#[test]
fn the_card_shows_what_the_store_holds_and_not_what_the_process_remembers() {
    let project = Project::first_test();
    let first = project.cargo(&["test"]);
    assert_eq!(first.code, Some(0), "{first}");
    let store = Connection::open(project.path().join("runs/store.db")).unwrap();
    let forget = "CREATE TRIGGER forget AFTER UPDATE OF outcome ON rollout
        WHEN new.repeat = 3 AND new.outcome IS NOT NULL BEGIN
            UPDATE rollout SET state = 'planned', final_attempt = NULL, outcome = NULL,
                passed = NULL, score = NULL
            WHERE run = new.run AND cell = new.cell AND task = new.task AND repeat = 3;
        END";
    store.execute_batch(forget).unwrap();
    drop(store);
    let agents = project.agents();
    let mut project = project;
    let folder = project.path().to_string_lossy().into_owned();
    project.env("CARGO_MANIFEST_DIR", &folder);
    let second = project.start(&agents, &[]).end();
    assert_eq!(second.code, Some(4), "{second}");
    assert!(second.stdout.contains("6 of 18"), "{second}");
    assert_eq!(project.rollouts("runs/latest").lines.len(), 12);
}

#[test]
fn a_verdict_shows_a_change_of_the_store_and_its_hash_another_data_set() {
    let project = Project::pack();
    let run = project.crossbar(&["run"]);
    assert_eq!(run.code, Some(0), "{run}");
    let before = project.sweep("runs/latest");
    let store = Connection::open(project.path().join("runs/store.db")).unwrap();
    let changed = store.execute("DELETE FROM rollout WHERE repeat = 2", []);
    assert_eq!(changed.unwrap(), 4, "no control has a second repeat");
    drop(store);
    let verdict = project.crossbar(&["verdict"]);
    assert_eq!(verdict.code, Some(4), "{verdict}");
    let after = project.sweep("runs/latest");
    assert_ne!(before["dataset_hash"], after["dataset_hash"]);
    assert!(
        verdict
            .stdout
            .contains(after["dataset_hash"].as_str().unwrap())
    );
}

#[test]
fn a_sweep_killed_half_way_goes_on_and_repeats_nothing() {
    let project = Project::first_test();
    project
        .replace("crossbar.yaml", "repeats: 3", "repeats: 12\n  concurrency: 2")
        .replace(
            "tasks/route-billing.task.yaml",
            "    - name: tickets\n      command: ${CROSSBAR_BIN}\n      args: [\"__serve\", \"tickets\"]",
            &format!("    - {}", logged(&project)),
        );
    let whole = project.crossbar(&["run"]);
    assert_eq!(whole.code, Some(0), "{whole}");
    let undisturbed = project.read("runs/latest/rollouts.csv");
    assert_eq!(starts(&project), 3 * 12 + 4, "cells and controls");
    project.remove("runs").remove("calls.log");

    let crossbar = binaries().join("crossbar");
    let mut sweep = project.start(&crossbar, &["run"]);
    assert!(sweep.wait_for(20, |line| line.contains("/72 ")));
    sweep.kill();
    let killed = sweep.end();
    assert_eq!(killed.signal, Some(9), "{killed}");
    let finished = killed
        .stderr
        .lines()
        .filter(|line| line.contains("/72 "))
        .count();
    assert!((20..72).contains(&finished), "{killed}");
    assert!(!project.has("runs/latest"));

    let resumed = project.crossbar(&["run", "--resume"]);
    assert_eq!(resumed.code, Some(0), "{resumed}");
    assert_eq!(project.read("runs/latest/rollouts.csv"), undisturbed);
    assert_eq!(card(&resumed.stdout), card(&whole.stdout));
    let again = resumed
        .stderr
        .lines()
        .filter(|line| line.contains("/72 "))
        .count();
    assert!(again <= 72 - finished, "{resumed}");
    // What was in flight at two workers was cut and is begun again; nothing else is.
    assert!(
        (40..=42).contains(&starts(&project)),
        "{}",
        starts(&project)
    );
}

#[test]
fn a_run_that_is_over_is_not_run_again() {
    let project = Project::pack();
    project.serve(&logged(&project));
    let first = project.crossbar(&["run"]);
    assert_eq!(first.code, Some(0), "{first}");
    let id = project.sweep("runs/latest")["run_id"]
        .as_str()
        .unwrap()
        .to_owned();
    assert_eq!(starts(&project), 12 + 4, "cells and controls");
    let again = project.crossbar(&["run", "--resume", &id[..id.len() - 1]]);
    assert_eq!(again.code, Some(0), "{again}");
    assert_eq!(starts(&project), 12 + 4, "cells and controls");
    assert_eq!(project.sweep("runs/latest")["run_id"], id.as_str());

    let fresh = project.crossbar(&["run"]);
    assert_eq!(fresh.code, Some(0), "{fresh}");
    assert_eq!(
        starts(&project),
        2 * 16,
        "without --resume a run is a new one"
    );
    assert_ne!(project.sweep("runs/latest")["run_id"], id.as_str());
}

#[test]
fn a_run_goes_on_with_its_own_settings_alone() {
    let project = Project::pack();
    assert_eq!(project.crossbar(&["run"]).code, Some(0));
    let other = project.crossbar(&["run", "--resume", "--repeats", "5"]);
    assert_eq!(other.code, Some(2), "{other}");
    assert!(
        other.stderr.contains("repeats") && other.stderr.contains("help: "),
        "{other}"
    );
    project.replace(
        "desk/one.task.yaml",
        "is urgent. Say so",
        "is urgent now. Say so",
    );
    let other = project.crossbar(&["run", "--resume"]);
    assert_eq!(other.code, Some(2), "{other}");
    assert!(other.stderr.contains("desk::one"), "{other}");
}

/// The fingerprint of every task of the run, and how many rollouts have ended.
fn on_record(store: &Path) -> (Vec<(String, String)>, u32) {
    let store = Connection::open(store).unwrap();
    let mut tasks = store
        .prepare("SELECT id, fingerprint FROM task ORDER BY id")
        .unwrap();
    let tasks = tasks.query_map([], |row| Ok((row.get(0)?, row.get(1)?)));
    let tasks = tasks.unwrap().map(Result::unwrap).collect();
    let ended = "SELECT count(*) FROM rollout WHERE state = 'terminal'";
    let ended = store.query_row(ended, [], |row| row.get(0)).unwrap();
    (tasks, ended)
}

#[test]
fn what_is_accepted_is_on_record_before_anything_runs() {
    let project = Project::pack();
    project.replace("crossbar.yaml", "concurrency: 2", "concurrency: 1");
    // The first server to be started keeps what the record holds then.
    let (runs, before) = (project.path().join("runs"), project.path().join("before"));
    let keep = format!(
        "[ -d {0} ] || cp -r {1} {0}; exec $0 __serve tickets",
        before.display(),
        runs.display()
    );
    project.serve(&format!(
        "{{name: tickets, command: sh, args: [-c, '{keep}', '${{CROSSBAR_BIN}}']}}"
    ));
    let said = project.crossbar(&["run"]);
    assert_eq!(said.code, Some(0), "{said}");
    let (at_first, ended) = on_record(&before.join("store.db"));
    assert_eq!((at_first.len(), ended), (2, 0));
    let (at_last, ended) = on_record(&runs.join("store.db"));
    assert_eq!(at_last, at_first);
    assert_eq!(ended, 12 + 4, "with the controls");
    // What is on record is the acceptance: a weaker check is another task.
    project.replace(
        "desk/one.task.yaml",
        "{ticket: {priority: urgent, team: oncall}}",
        "{ticket: {priority: urgent}}",
    );
    project.remove("before").remove("runs");
    assert_eq!(project.crossbar(&["run"]).code, Some(0));
    let (weaker, _) = on_record(&before.join("store.db"));
    assert_ne!(weaker[0], at_first[0]);
    assert_eq!(weaker[1], at_first[1]);
}
