//! Runs and plans: joined, united, refused when changed, and found by name.

use crate::records::{do_one, key, new_run, plan, run_id, store_with};
use crossbar::domain::RunId;
use crossbar::store::{NewRun, Store, StoreError};
use serde_json::json;

#[test]
fn plans_are_united_and_changed_things_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store.db");
    let (store, recorder) = store_with(&path, None, &plan(2, 2, 1));
    store.plan(&run_id(), &plan(3, 1, 2)).unwrap();
    let record = store.read(&run_id()).unwrap();
    let cells: Vec<String> = record
        .head
        .cells
        .iter()
        .map(|c| c.fingerprint.clone())
        .collect();
    assert_eq!(cells, ["c1", "c2", "c3"]);
    assert_eq!((record.tasks.len(), record.planned.len()), (2, 8));
    assert!(
        record
            .planned
            .is_sorted_by_key(|(key, position)| (*position, key.clone()))
    );
    assert_eq!(record.head.settings, json!({"repeats": 3, "seed": 7}));

    let mut changed = plan(1, 2, 1);
    changed.tasks[1].fingerprint = "other".to_owned();
    let error = store.plan(&run_id(), &changed).unwrap_err().to_string();
    assert!(
        error.contains("task `support::refund_delivered_2`"),
        "{error}"
    );
    let error = store.create_run(&NewRun {
        settings_hash: "b2".to_owned(),
        ..new_run(None)
    });
    assert!(
        matches!(error, Err(StoreError::SettingsDiffer { .. })),
        "{error:?}"
    );
    // One refused plan does not undo what others did.
    do_one(&recorder, &key(1, 1, 1), 1);
    assert_eq!(store.read(&run_id()).unwrap().planned.len(), 8);
}

#[test]
fn a_pack_is_known_from_its_first_plan_on() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store.db");
    let met = |store: &Store, pack: &str| store.has_met_pack(pack).unwrap();
    let empty = Store::open(&path).unwrap();
    assert!(!met(&empty, "support"));
    drop(empty);
    let (store, _recorder) = store_with(&path, None, &plan(1, 1, 1));
    assert!(met(&store, "support"));
    for other in ["suppor", "support2", "refund_delivered_1", "Support", ""] {
        assert!(!met(&store, other), "{other}");
    }
}

#[test]
fn a_run_is_found_by_latest_by_id_and_by_prefix() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(&folder.path().join("store.db")).unwrap();
    assert!(matches!(store.resolve("latest"), Err(StoreError::NoRuns)));
    for (id, created_at) in [
        ("b-2", "2026-11-29T20:51:02.000Z"),
        ("b-1", "2026-11-29T20:51:01.000Z"),
        ("b-11", "2026-11-29T20:51:00.000Z"),
    ] {
        let run = NewRun {
            id: RunId::new(id).unwrap(),
            created_at: created_at.to_owned(),
            ..new_run(None)
        };
        store.create_run(&run).unwrap();
    }
    let found = |text: &str| store.resolve(text).map(|id| id.to_string());
    assert_eq!(found("latest").unwrap(), "b-2");
    assert_eq!(found("b-1").unwrap(), "b-1");
    assert_eq!(found("b-11").unwrap(), "b-11");
    assert!(matches!(found("b_"), Err(StoreError::UnknownRun(_))));
    assert!(matches!(found(""), Err(StoreError::UnknownRun(_))));
    let error = found("b-").unwrap_err().to_string();
    assert!(error.ends_with("b-1, b-11, b-2"), "{error}");
}
