//! The ledger: ceilings that hold under threads, holds, bills, and failing closed.

use crate::records::{finished, key, new_run, plan, rollout, run_id, status, store_with};
use crossbar::domain::{Budget, BudgetError, BudgetLimit, Reservation, RolloutKey, Sink, Usd};
use crossbar::store::{InfrastructureFailures, Recorder, Store};

#[test]
fn a_budget_of_n_units_buys_exactly_n() {
    const UNITS: i64 = 200;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store.db");
    let limit = BudgetLimit::Usd(Usd::from_micros(UNITS));
    let (first, one) = store_with(&path, Some(limit), &plan(8, 1, 1));
    let second = Store::open(&path).unwrap();
    let two = second.recorder(&run_id()).unwrap();
    let bought: i64 = std::thread::scope(|scope| {
        let buyers: Vec<_> = (1..=8)
            .map(|cell| {
                let recorder = if cell % 2 == 0 { &one } else { &two };
                scope.spawn(move || buy_all(recorder, &key(cell, 1, 1)))
            })
            .collect();
        buyers.into_iter().map(|buyer| buyer.join().unwrap()).sum()
    });
    assert_eq!(bought, UNITS);
    let record = first.read(&run_id()).unwrap();
    let used = record.head.budget.unwrap();
    assert_eq!((used.held + used.spent).micros(), UNITS);
    assert!(used.held > Usd::ZERO && used.spent > Usd::ZERO);
}

/// Buys single units until refused, and returns how many; every other one is settled.
fn buy_all(recorder: &Recorder, key: &RolloutKey) -> i64 {
    recorder.begin(key).unwrap();
    let unit = Usd::from_micros(1);
    let mut bought = 0;
    loop {
        match recorder.reserve(key, unit) {
            Ok(reservation) => {
                bought += 1;
                let actual = (bought % 2 == 0).then_some(unit);
                recorder.settle(reservation, actual).unwrap();
            }
            // Busy: what the others hold might come back; here nobody gives it back.
            Err(BudgetError::Refused { asked } | BudgetError::Busy { asked }) => {
                assert_eq!(asked, unit);
                return bought;
            }
            Err(error) => panic!("{error}"),
        }
    }
}

#[test]
fn no_budget_and_no_attempt_buy_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store.db");
    let (store, recorder) = store_with(&path, None, &plan(1, 2, 1));
    let (one, unit) = (key(1, 1, 1), Usd::from_micros(1));
    let unbegun = recorder.reserve(&one, unit);
    assert!(matches!(unbegun, Err(BudgetError::Ledger(_))));
    recorder.begin(&one).unwrap();
    let refused = BudgetError::Refused { asked: unit };
    assert_eq!(recorder.reserve(&one, unit), Err(refused));
    assert_eq!(recorder.budget_status().unwrap(), None);
    // A refused call was not sent: the attempt may run again after a crash.
    drop(recorder);
    let recovery = store.recover(&run_id(), InfrastructureFailures::Keep);
    assert_eq!(recovery.unwrap().rerun, std::slice::from_ref(&one));

    store
        .create_run(&new_run(Some(BudgetLimit::Unlimited)))
        .unwrap();
    let recorder = store.recorder(&run_id()).unwrap();
    recorder.begin(&one).unwrap();
    recorder.reserve(&one, Usd::from_micros(1 << 50)).unwrap();
    let below = recorder.reserve(&one, Usd::from_micros(-1));
    assert!(matches!(below, Err(BudgetError::Ledger(_))));
}

#[test]
fn a_bill_above_its_hold_is_recorded_and_the_next_call_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store.db");
    let limit = BudgetLimit::Usd(Usd::from_micros(100));
    let (store, recorder) = store_with(&path, Some(limit), &plan(1, 1, 1));
    let (one, unit) = (key(1, 1, 1), Usd::from_micros(1));
    recorder.begin(&one).unwrap();
    let hold = recorder.reserve(&one, Usd::from_micros(60)).unwrap();
    assert_eq!(recorder.budget_status().unwrap(), Some(status(100, 60, 0)));
    recorder.settle(hold, Some(Usd::from_micros(130))).unwrap();
    assert!(matches!(
        recorder.reserve(&one, unit),
        Err(BudgetError::Refused { .. })
    ));
    for unheld in [hold, Reservation(77)] {
        assert!(recorder.settle(unheld, Some(unit)).is_err(), "{unheld:?}");
    }
    let spent = Some(status(100, 0, 130));
    assert_eq!(store.read(&run_id()).unwrap().head.budget, spent);
    recorder.on(&finished(rollout(one, 1, 1))).unwrap();
    assert_eq!(store.read(&run_id()).unwrap().head.budget, spent);
}
