//! Many processes on one file, and a process that is killed while it writes.

use crate::other::{Other, as_child, say, told};
use crate::records::{do_one, key, plan, run_id, sqlite, store_with};
use crossbar::store::{InfrastructureFailures, Store, StoreError};
use std::collections::BTreeSet;
use std::path::Path;

const PROCESSES: u32 = 16;
const ROUNDS: u32 = 100;

/// Each round: sixteen processes are released at once on a file that does not exist.
#[test]
fn sixteen_processes_meet_on_a_fresh_file() {
    let name = "crowd::sixteen_processes_meet_on_a_fresh_file";
    if let Some(folder) = as_child() {
        return meet(&folder);
    }
    let folder = tempfile::tempdir().unwrap();
    let mut others: Vec<Other> = (0..PROCESSES)
        .map(|_| Other::start(name, folder.path()))
        .collect();
    for other in &mut others {
        assert_eq!(other.hear().as_deref(), Some("ready"));
    }
    let mut opens = 0;
    for round in 0..ROUNDS {
        for (cell, other) in (1..).zip(&mut others) {
            other.tell(&format!("{round} {cell}"));
        }
        for other in &mut others {
            assert_eq!(other.hear().as_deref(), Some("done"), "round {round}");
            opens += 1;
        }
        let store = Store::open_existing(&folder.path().join(format!("{round}/store.db")));
        let record = store.unwrap().unwrap().read(&run_id()).unwrap();
        assert_eq!(record.rollouts.len(), 16, "round {round}");
    }
    assert_eq!(opens, PROCESSES * ROUNDS);
    println!("{PROCESSES} processes x {ROUNDS} rounds: {opens} opens, no error");
}

fn meet(folder: &Path) {
    say("ready");
    while let Some(line) = told() {
        let (round, cell) = line.split_once(' ').unwrap();
        let path = folder.join(round).join("store.db");
        let (_store, recorder) = store_with(&path, None, &plan(PROCESSES, 1, 1));
        do_one(&recorder, &key(cell.parse().unwrap(), 1, 1), 1);
        say("done");
    }
}

/// Whatever was acknowledged before a kill -9 is there after it.
#[test]
fn a_killed_process_loses_nothing_that_was_acknowledged() {
    let name = "crowd::a_killed_process_loses_nothing_that_was_acknowledged";
    if let Some(path) = as_child() {
        return finish_many(&path);
    }
    for enough in [1, 40, 170, 333, 500] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("store.db");
        let mut other = Other::start(name, &path);
        let mut acknowledged: BTreeSet<String> = BTreeSet::new();
        while acknowledged.len() < enough {
            acknowledged.insert(other.hear().unwrap());
        }
        acknowledged.extend(other.kill());
        let store = Store::open_existing(&path).unwrap().unwrap();
        let record = store.read(&run_id()).unwrap();
        let kept: BTreeSet<String> = record.rollouts.iter().map(|r| r.key.to_string()).collect();
        assert!(acknowledged.is_subset(&kept), "acknowledged and lost");
        assert!(
            kept.len() < MANY as usize,
            "it was not killed in the middle"
        );
        let verdict: String = sqlite(&path)
            .query_row("PRAGMA integrity_check", [], |row| row.get(0))
            .unwrap();
        assert_eq!(verdict, "ok");
        resume(&store, kept.len());
    }
}

/// The rest of a killed run: all that was not finished, and nothing that was.
fn resume(store: &Store, kept: usize) {
    let recovery = store
        .recover(&run_id(), InfrastructureFailures::Keep)
        .unwrap();
    assert_eq!(recovery.finished.len(), kept);
    assert_eq!(recovery.unknown, []);
    let recorder = store.recorder(&run_id()).unwrap();
    for key in &recovery.finished {
        let again = recorder.begin(key);
        assert!(
            matches!(again, Err(StoreError::AlreadyDone(_))),
            "{again:?}"
        );
    }
    for key in &recovery.rerun {
        assert_eq!(recorder.begin(key).unwrap(), 2);
    }
}

const MANY: u32 = 8000;

fn finish_many(path: &Path) {
    let (_store, recorder) = store_with(path, None, &plan(8, MANY / 8, 1));
    std::thread::scope(|scope| {
        for cell in 1..=8 {
            let recorder = &recorder;
            scope.spawn(move || {
                for task in 1..=MANY / 8 {
                    let key = key(cell, task, 1);
                    do_one(recorder, &key, u64::from(task));
                    say(&key.to_string());
                }
            });
        }
    });
}
