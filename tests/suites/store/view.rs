//! A view of a run: what reading the whole of it says, one record at a time, as of one moment.

use crate::records::{do_one, key, plan, run_id, store_with};
use crossbar::domain::RunId;
use crossbar::store::StoreError;

#[test]
fn a_view_says_what_the_whole_record_says_and_stays_at_its_moment() {
    let folder = tempfile::tempdir().unwrap();
    let (store, recorder) = store_with(&folder.path().join("store.db"), None, &plan(2, 11, 2));
    // Not in the order of the keys: `.._11` comes before `.._2`.
    for (cell, task) in [(2, 2), (1, 11), (1, 2)] {
        do_one(&recorder, &key(cell, task, 1), u64::from(task));
    }
    let whole = store.read(&run_id()).unwrap();
    let view = store.view(&run_id()).unwrap();
    do_one(&recorder, &key(1, 1, 2), 7);

    let keys = view.keys().unwrap();
    assert_eq!(keys, [key(1, 11, 1), key(1, 2, 1), key(2, 2, 1)]);
    let records = keys.iter().map(|key| view.record(key).unwrap().unwrap());
    assert_eq!(records.collect::<Vec<_>>(), whole.rollouts);
    assert_eq!(view.record(&key(1, 1, 2)).unwrap(), None, "it came later");
    assert_eq!(view.head().unwrap(), whole.head);
    assert_eq!(view.tasks(|task| task).unwrap(), whole.tasks);

    let now = store.view(&run_id()).unwrap();
    assert_eq!(now.keys().unwrap().len(), 4);
    let other = store.view(&RunId::new("other").unwrap()).err();
    assert!(
        matches!(other, Some(StoreError::UnknownRun(_))),
        "{other:?}"
    );
}
