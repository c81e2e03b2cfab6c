//! Two looks over small sweeps: what decides, and how often that is red for no reason.

use super::*;
use crate::analysis::fixture::{Stream, Sweep, cell_id};
use crate::analysis::{GateState, Held, StoredReferences, hold};
use crate::domain::{GateRules, Reference, RunId};
use std::collections::{BTreeMap, BTreeSet};

const OLD: &str = "old+react";
const NEW: &str = "new+react";
const REPEATS: u32 = 5;

fn look(old: &[u32], new: &[u32]) -> GateAnswer {
    let sweep = Sweep::new(old.len(), REPEATS)
        .cell(OLD, 10, old)
        .cell(NEW, 10, new)
        .baseline(OLD);
    let held = Held {
        rules: &GateRules {
            reference: GateReference::Concurrent,
            cell: Some(cell_id(NEW)),
            ..GateRules::regression()
        },
        question: &sweep.question,
        analysis: &sweep.analyze(),
        stored: &StoredReferences::default(),
        watched: None,
    };
    hold(&held).unwrap()
}

fn red() -> GateAnswer {
    look(&[4; 20], &[1; 20])
}

fn second() -> SecondLook {
    SecondLook {
        run: RunId::new("one-second").unwrap(),
        seed: 7,
        dataset_hash: "0a1b".to_owned(),
    }
}

#[test]
fn only_two_reds_fail_and_the_second_look_has_the_word_with_the_first_named() {
    let both = red().after(second(), Some(&red()));
    assert_eq!(both.state(), GateState::Failed);
    for (now, word) in [
        ([4; 20], GateWord::NoRegressionShown),
        ([5; 20], GateWord::Improvement),
    ] {
        let decided = red().after(second(), Some(&look(&[4; 20], &now)));
        assert_eq!((decided.word, decided.state()), (word, GateState::Held));
        let cell = &decided.cells[0];
        let first = cell.first_look.as_ref().unwrap();
        assert_eq!((cell.word, first.word), (word, GateWord::Regression));
        assert_eq!(first.difference, red().cells[0].difference);
        assert_eq!(decided.second_look, Some(second()));
    }
}

#[test]
fn a_second_look_that_was_not_measured_is_neither_red_nor_green() {
    let open = red().after(second(), None);
    assert_eq!(
        (open.word, open.state()),
        (GateWord::Incomplete, GateState::Incomplete)
    );
    assert!(open.cells[0].first_look.is_some());
    // Whoever goes on with it looks at the same cells.
    assert_eq!(open.to_look_at_again(), [cell_id(NEW)]);
}

#[test]
fn nothing_else_is_looked_at_again() {
    assert!(
        look(&[4; 20], &[4; 20]).to_look_at_again().is_empty(),
        "not red"
    );
    let mut stored = red();
    stored.reference = GateReference::Stored;
    assert!(stored.to_look_at_again().is_empty(), "the old one is gone");
    let mut margin = red();
    margin.mode = GateMode::Noninferiority;
    assert!(margin.to_look_at_again().is_empty(), "another question");
}

/// The same judgement over the same counts, the old ones given as records: what it takes to analyse
/// one cell is a tenth of what two take.
fn quick(old: &[u32], new: &[u32]) -> GateAnswer {
    let sweep = Sweep::new(new.len(), REPEATS).cell(NEW, 10, new);
    let tasks = sweep.question.tasks.iter().zip(old);
    let records = tasks.map(|(task, pass)| Reference {
        task: task.id.clone(),
        task_fp: task.fingerprint.clone(),
        cell_fp: "c".to_owned(),
        n: REPEATS,
        pass: *pass,
        score_e6: 0,
        score_sq_e6: 0,
        usd_e6: None,
        usd_sq_e12: None,
        ended: BTreeMap::new(),
        requested: NEW.to_owned(),
        answered: BTreeSet::new(),
        agent: "react".to_owned(),
        day: "2026-01-02".to_owned(),
        run: "0123abcd".to_owned(),
        accepted_drop: None,
    });
    let stored = StoredReferences {
        records: BTreeMap::from([(cell_id(NEW), records.collect())]),
        agents: BTreeMap::from([(cell_id(NEW), "react".to_owned())]),
        day: "2026-01-02".to_owned(),
    };
    let held = Held {
        rules: &GateRules::regression(),
        question: &sweep.question,
        analysis: &sweep.analyze(),
        stored: &stored,
        watched: None,
    };
    let mut answer = hold(&held).unwrap();
    answer.reference = GateReference::Concurrent;
    answer
}

#[test]
fn records_of_the_same_counts_are_judged_alike() {
    for new in [[1; 20], [4; 20], [5; 20]] {
        let (two, one) = (look(&[4; 20], &new), quick(&[4; 20], &new));
        assert_eq!(two.word, one.word);
        assert_eq!(two.cells[0].difference, one.cells[0].difference);
        assert_eq!(two.cells[0].adjusted_p, one.cells[0].adjusted_p);
    }
}

/// Whether one look at new rollouts is red, and whether both are.
fn reds(stream: &mut Stream, rates: &[f64], drop: f64) -> (bool, bool) {
    let mut cell = |drop: f64| -> Vec<u32> {
        let passes = rates.iter().map(|rate| stream.passes(REPEATS, rate - drop));
        passes.collect()
    };
    let mut look = || quick(&cell(0.0), &cell(drop));
    let first = look();
    if first.to_look_at_again().is_empty() {
        return (false, false);
    }
    let decided = first.after(second(), Some(&look()));
    (true, decided.state() == GateState::Failed)
}

/// How many of so many runs one look makes red, and two.
fn counted(stream: &mut Stream, runs: u32, rates: &[f64], drop: f64) -> (u32, u32) {
    let (mut once, mut twice) = (0, 0);
    for _ in 0..runs {
        let (one, both) = reds(stream, rates, drop);
        once += u32::from(one);
        twice += u32::from(both);
    }
    (once, twice)
}

#[test]
fn two_looks_are_red_for_no_reason_less_often_than_one() {
    let mut stream = Stream(41);
    let rates: Vec<f64> = (0..24).map(|_| stream.fraction()).collect();
    let (once, twice) = counted(&mut stream, 400, &rates, 0.0);
    assert!((4..=24).contains(&once), "{once} of 400 by one look");
    assert!(twice <= 2, "{twice} of 400 by two, {once} by one");
}

#[test]
fn a_drop_of_twenty_points_on_48_tasks_is_red_in_both_looks() {
    let mut stream = Stream(42);
    let rates: Vec<f64> = (0..48).map(|_| 0.4 + 0.6 * stream.fraction()).collect();
    let (once, twice) = counted(&mut stream, 60, &rates, 0.2);
    assert!(twice >= 57, "{twice} of 60 by two looks, {once} by one");
}
