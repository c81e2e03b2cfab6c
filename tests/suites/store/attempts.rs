//! Attempts: begun once, ended once, and found again after a death.

use crate::other::{Other, as_child, say, told};
use crate::records::{do_one, finished, key, plan, rollout, run_id, skipped, status, store_with};
use crossbar::domain::{
    Budget, BudgetLimit, InfrastructureEvidence, Outcome, RunEvent, Sink, SkipReason, Usd,
};
use crossbar::store::{InfrastructureFailures, Recovery, RunState, Store, StoreError};
use std::path::Path;

/// The child's three rollouts: one finished, one free, one that has begun to pay.
#[test]
fn the_dead_are_told_from_the_living_and_a_paid_attempt_is_never_offered_again() {
    let name =
        "attempts::the_dead_are_told_from_the_living_and_a_paid_attempt_is_never_offered_again";
    if let Some(path) = as_child() {
        return begin_three(&path);
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store.db");
    let mut other = Other::start(name, &path);
    assert_eq!(other.hear().as_deref(), Some("ready"));
    let store = Store::open_existing(&path).unwrap().unwrap();
    let keep = InfrastructureFailures::Keep;
    let alive = Recovery {
        finished: vec![key(1, 1, 1)],
        ..Recovery::default()
    };
    assert_eq!(store.recover(&run_id(), keep).unwrap(), alive);
    let recorder = store.recorder(&run_id()).unwrap();
    for task in [2, 3] {
        let begun = recorder.begin(&key(1, task, 1));
        assert!(
            matches!(begun, Err(StoreError::AlreadyRunning { .. })),
            "{begun:?}"
        );
    }

    other.kill();
    let dead = Recovery {
        rerun: vec![key(1, 2, 1)],
        unknown: vec![key(1, 3, 1)],
        finished: vec![key(1, 1, 1)],
    };
    assert_eq!(store.recover(&run_id(), keep).unwrap(), dead);
    let again = InfrastructureFailures::RunAgain;
    assert_eq!(store.recover(&run_id(), again).unwrap(), dead);
    assert_eq!(recorder.begin(&key(1, 2, 1)).unwrap(), 2);
    let paid = recorder.begin(&key(1, 3, 1));
    assert!(matches!(paid, Err(StoreError::PaidUnknown(_))), "{paid:?}");

    let record = store.read(&run_id()).unwrap();
    assert_eq!(record.head.unknown, [key(1, 3, 1)]);
    assert_eq!(record.rollouts.len(), 1);
    assert_eq!(record.head.budget, Some(status(1000, 70, 0)));
    assert_eq!(recorder.budget_status().unwrap(), record.head.budget);
}

fn begin_three(path: &Path) {
    let limit = BudgetLimit::Usd(Usd::from_micros(1000));
    let (_store, recorder) = store_with(path, Some(limit), &plan(1, 4, 1));
    do_one(&recorder, &key(1, 1, 1), 1);
    recorder.begin(&key(1, 2, 1)).unwrap();
    recorder.begin(&key(1, 3, 1)).unwrap();
    recorder
        .reserve(&key(1, 3, 1), Usd::from_micros(70))
        .unwrap();
    say("ready");
    told();
}

#[test]
fn an_attempt_is_begun_once_and_ended_once() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store.db");
    let (store, recorder) = store_with(&path, None, &plan(1, 2, 1));
    let second = store.recorder(&run_id()).unwrap();
    let (one, two) = (key(1, 1, 1), key(1, 2, 1));
    assert!(recorder.on(&finished(rollout(one.clone(), 1, 1))).is_err());
    assert_eq!(recorder.begin(&one).unwrap(), 1);
    let started = |attempt| RunEvent::RolloutStarted {
        key: one.clone(),
        attempt,
        position: 0,
    };
    recorder.on(&started(1)).unwrap();
    assert!(recorder.on(&started(2)).is_err());
    assert!(second.on(&started(1)).is_err());
    assert!(second.on(&finished(rollout(one.clone(), 1, 1))).is_err());
    recorder.on(&finished(rollout(one.clone(), 1, 1))).unwrap();
    assert!(recorder.on(&finished(rollout(one.clone(), 1, 1))).is_err());
    assert!(matches!(
        second.begin(&one),
        Err(StoreError::AlreadyDone(_))
    ));
    let foreign = second.begin(&key(9, 1, 1));
    assert!(matches!(foreign, Err(StoreError::NotPlanned(_))));

    // A recorder that is dropped has given its attempts up.
    second.begin(&two).unwrap();
    drop(second);
    let recovery = store
        .recover(&run_id(), InfrastructureFailures::Keep)
        .unwrap();
    assert_eq!(recovery.rerun, [two]);
}

#[test]
fn skipped_rollouts_run_again_and_infrastructure_failures_only_if_asked() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store.db");
    let (store, recorder) = store_with(&path, None, &plan(1, 2, 1));
    let (one, two) = (key(1, 1, 1), key(1, 2, 1));
    recorder.begin(&one).unwrap();
    let mut broken = rollout(one.clone(), 1, 1);
    broken.outcome = Outcome::InfrastructureFailure {
        evidence: InfrastructureEvidence::ServerDied,
        message: "desk ended".to_owned(),
    };
    recorder.on(&finished(broken.clone())).unwrap();
    let skip = skipped(two.clone(), SkipReason::Budget);
    assert!(
        recorder.on(&finished(skip.clone())).is_err(),
        "it has not begun"
    );
    recorder.begin(&two).unwrap();
    recorder.on(&finished(skip.clone())).unwrap();
    let ended = RunEvent::RunFinished { interrupted: true };
    recorder.on(&ended).unwrap();
    assert_eq!(store.runs().unwrap()[0].state, RunState::Finished);

    let kept = store
        .recover(&run_id(), InfrastructureFailures::Keep)
        .unwrap();
    assert_eq!(
        (kept.rerun, kept.finished),
        (vec![two.clone()], vec![one.clone()])
    );
    assert_eq!(store.runs().unwrap()[0].state, RunState::Open);
    let asked = store
        .recover(&run_id(), InfrastructureFailures::RunAgain)
        .unwrap();
    assert_eq!(asked.rerun, [one.clone(), two.clone()]);
    // Until the new record is there, the old one stands.
    let before = store.read(&run_id()).unwrap();
    assert_eq!(before.rollouts, [broken, skip]);
    assert_eq!(before.events, [ended]);

    assert_eq!(recorder.begin(&one).unwrap(), 2);
    let mended = rollout(one.clone(), 2, 1);
    recorder.on(&finished(mended.clone())).unwrap();
    assert_eq!(store.read(&run_id()).unwrap().rollouts[0], mended);
}
