//! The file: never made by reading, refused when newer, small, and exact.

use crate::records::{do_one, finished, key, plan, rollout, run_id, sqlite, store_with};
use crossbar::domain::{Score, Sink};
use crossbar::store::{Store, StoreError};

#[test]
fn open_existing_makes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("runs").join("store.db");
    assert!(Store::open_existing(&path).unwrap().is_none());
    assert!(!folder.path().join("runs").exists());
    drop(Store::open(&path).unwrap());
    assert!(Store::open_existing(&path).unwrap().is_some());
}

#[test]
fn a_newer_store_and_a_foreign_database_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store.db");
    drop(Store::open(&path).unwrap());
    sqlite(&path)
        .execute_batch("UPDATE written_by SET crossbar = '9.8.7'; PRAGMA user_version = 2;")
        .unwrap();
    for error in [
        Store::open(&path).unwrap_err(),
        Store::open_existing(&path).unwrap_err(),
    ] {
        let error = error.to_string();
        assert!(error.contains("install crossbar-test 9.8.7"), "{error}");
    }
    let other = folder.path().join("other.db");
    sqlite(&other).execute_batch("CREATE TABLE t (x)").unwrap();
    let refused = Store::open(&other);
    assert!(
        matches!(refused, Err(StoreError::Foreign(_))),
        "{refused:?}"
    );
}

/// Older versions can corrupt a file when its write-ahead log is reset.
#[test]
fn the_linked_sqlite_is_new_enough() {
    assert!(
        rusqlite::version_number() >= 3_051_003,
        "{}",
        rusqlite::version()
    );
}

/// Bytes per rollout once the file is closed.
fn bytes_per_rollout(tasks: u32) -> u64 {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store.db");
    let (store, recorder) = store_with(&path, None, &plan(4, tasks, 1));
    std::thread::scope(|scope| {
        for cell in 1..=4 {
            let recorder = &recorder;
            scope.spawn(move || {
                for task in 1..=tasks {
                    do_one(recorder, &key(cell, task, 1), u64::from(task));
                }
            });
        }
    });
    let record = store.read(&run_id()).unwrap();
    assert_eq!(record.rollouts.len(), 4 * tasks as usize);
    for (kept, (cell, task)) in record.rollouts.iter().zip(in_key_order(tasks)) {
        assert_eq!(kept, &rollout(key(cell, task, 1), 1, u64::from(task)));
    }
    drop((store, recorder));
    assert!(
        !path.with_extension("db-wal").exists(),
        "the log was not folded in"
    );
    path.metadata().unwrap().len() / u64::from(4 * tasks)
}

fn in_key_order(tasks: u32) -> Vec<(u32, u32)> {
    let mut order: Vec<(u32, u32)> = (1..=4)
        .flat_map(|cell| (1..=tasks).map(move |task| (cell, task)))
        .collect();
    order.sort_by_key(|(cell, task)| key(*cell, *task, 1));
    order
}

#[test]
fn ten_thousand_rollouts_are_small_and_cost_the_same_each() {
    let (few, many) = (bytes_per_rollout(250), bytes_per_rollout(2500));
    println!("bytes per two-turn rollout: {few} of 1,000, {many} of 10,000");
    assert!(many <= 1200, "{many} bytes per rollout");
    assert!(many <= few + few / 20, "{few} bytes each, then {many}");
}

#[test]
fn numbers_and_texts_come_back_bit_for_bit() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store.db");
    let (store, recorder) = store_with(&path, None, &plan(1, 500, 1));
    let mut written = Vec::new();
    for task in 1..=500 {
        let mut one = rollout(key(1, task, 1), 1, 1);
        let process = 1.0 / (2.0 + f64::from(task) * 0.7);
        one.score = Some(Score {
            security: 1.0,
            completion: f64::from(task) / 517.0,
            process,
        });
        one.trajectory.final_text = Some("\0 \u{7f} \\u0000 \"ä\" \u{1f980} [0,1]".to_owned());
        recorder.begin(&one.key).unwrap();
        recorder.on(&finished(one.clone())).unwrap();
        written.push(one);
    }
    written.sort_by(|a, b| a.key.cmp(&b.key));
    for (kept, one) in store.read(&run_id()).unwrap().rollouts.iter().zip(&written) {
        assert_eq!(kept, one);
    }
}
