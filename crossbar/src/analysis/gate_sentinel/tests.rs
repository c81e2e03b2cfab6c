//! A held cell beside a sentinel that stands, moves, is another one, or is not there.

use super::*;
use crate::analysis::fixture::{Sweep, cell_id, infrastructure};
use crate::analysis::{ChangedPart, GateAnswer, GateState};
use crate::domain::{CellId, GateReference, Reference};
use std::collections::BTreeMap;

const WATCH: &str = "today+react";
const HELD: &str = "next+react";

/// The records of a cell that passed so often in five rollouts of each task.
fn records(cell: &str, passes: &[u32]) -> (CellId, Vec<Reference>) {
    let sweep = Sweep::new(passes.len(), 5).cell(cell, 10, passes);
    let record = |(task, pass): (&crate::analysis::TaskInfo, &u32)| Reference {
        task: task.id.clone(),
        task_fp: "f".to_owned(),
        cell_fp: "c".to_owned(),
        n: 5,
        pass: *pass,
        score_e6: 0,
        score_sq_e6: 0,
        usd_e6: None,
        usd_sq_e12: None,
        ended: BTreeMap::new(),
        requested: cell.to_owned(),
        answered: std::collections::BTreeSet::new(),
        agent: "react".to_owned(),
        day: "2026-01-02".to_owned(),
        run: "0123abcd".to_owned(),
        accepted_drop: None,
    };
    let tasks = sweep.question.tasks.iter().zip(passes);
    (cell_id(cell), tasks.map(record).collect())
}

/// Ten tasks of the held cell and five of the sentinel, each accepted with 4 of 5.
struct Case {
    held: Sweep,
    watch: Option<Sweep>,
    stored: StoredReferences,
}

impl Case {
    fn new(held: u32, watch: u32) -> Self {
        let sweep = |cell, tasks, passes| Sweep::new(tasks, 5).flat(cell, 10, passes);
        let agent = |cell| (cell_id(cell), "react".to_owned());
        Self {
            held: sweep(HELD, 10, held),
            watch: Some(sweep(WATCH, 5, watch)),
            stored: StoredReferences {
                records: [records(HELD, &[4; 10]), records(WATCH, &[4; 10])].into(),
                agents: [agent(HELD), agent(WATCH)].into(),
                day: "2026-01-12".to_owned(),
            },
        }
    }

    fn of_watch(mut self, change: impl Fn(&mut Reference)) -> Self {
        let records = self.stored.records.get_mut(&cell_id(WATCH)).unwrap();
        records.iter_mut().for_each(change);
        self
    }

    fn answer(&self) -> GateAnswer {
        let rules = GateRules {
            cell: Some(cell_id(HELD)),
            reference: GateReference::Sentinel { tasks: 5 },
            ..GateRules::regression()
        };
        let watch = self
            .watch
            .as_ref()
            .map(|watch| (&watch.question, watch.analyze()));
        hold(&Held {
            rules: &rules,
            question: &self.held.question,
            analysis: &self.held.analyze(),
            stored: &self.stored,
            watched: watch
                .as_ref()
                .map(|(question, analysis)| Watched { question, analysis }),
        })
        .unwrap()
    }

    /// The word over all, what follows, and the sentinel's own word.
    fn words(&self) -> (GateWord, GateState, Option<GateWord>) {
        let answer = self.answer();
        let sentinel = answer.sentinel.as_ref().map(|one| one.word);
        (answer.word, answer.state(), sentinel)
    }
}

const STANDS: Option<GateWord> = Some(GateWord::NoRegressionShown);
const REFUSED: (GateWord, GateState) = (GateWord::NotComparable, GateState::Refused);

#[test]
fn beside_a_sentinel_that_stands_the_record_has_the_word() {
    let drop = Case::new(0, 4).words();
    assert_eq!(drop, (GateWord::Regression, GateState::Failed, STANDS));
    let same = Case::new(4, 4).words();
    assert_eq!(same, (GateWord::NoRegressionShown, GateState::Held, STANDS));
    let rise = Case::new(5, 4);
    assert_eq!(rise.words().1, GateState::Held);
    let answer = Case::new(4, 4).answer();
    let sentinel = answer.sentinel.unwrap();
    assert_eq!(
        (sentinel.tasks.paired, sentinel.tasks.removed.len()),
        (5, 0)
    );
    assert!(
        (0.2..0.6).contains(&sentinel.smallest_drop.unwrap()),
        "{sentinel:?}"
    );
}

#[test]
fn beside_a_sentinel_that_moved_nothing_may_be_compared_whatever_the_record_says() {
    for (held, watch, word) in [
        (0, 0, GateWord::Regression),
        (4, 0, GateWord::Regression),
        (5, 0, GateWord::Regression),
    ] {
        let (all, state, sentinel) = Case::new(held, watch).words();
        assert_eq!((all, state), REFUSED, "{held} {watch}");
        assert_eq!(sentinel, Some(word), "{held} {watch}");
    }
    // A rise is a drift too: what the held cell gained may be the provider's.
    let risen = Case::new(4, 5).of_watch(|one| one.pass = 1);
    let (all, state, sentinel) = risen.words();
    assert_eq!((all, state), REFUSED);
    assert_eq!(sentinel, Some(GateWord::Improvement));
    let why = risen.answer().cells[0].why.clone();
    let cell = Some(cell_id(WATCH));
    assert_eq!(why, Some(NotComparable::Sentinel { cell }));
}

#[test]
fn a_sentinel_is_held_to_half_of_the_error_in_each_direction() {
    // 25 of 25 then and 20 now: the one-sided p is .031, between a half of alpha and the whole.
    let case = Case::new(4, 4).of_watch(|one| one.pass = 5);
    let (word, _, sentinel) = case.words();
    assert_eq!((word, sentinel), (GateWord::NoRegressionShown, STANDS));
}

#[test]
fn a_sentinel_that_is_another_one_is_none() {
    let why = |case: &Case| {
        let answer = case.answer();
        assert_eq!((answer.word, answer.state()), REFUSED);
        answer.sentinel.unwrap().why.unwrap()
    };
    let moved = why(&Case::new(4, 4).of_watch(|one| one.cell_fp = "older".to_owned()));
    let (then, now) = ("older".to_owned(), "c".to_owned());
    assert_eq!(moved, NotComparable::Moved { then, now });
    let model = why(&Case::new(4, 4).of_watch(|one| one.requested = "older".to_owned()));
    let NotComparable::Changed { what, .. } = model else {
        panic!("{model:?}");
    };
    assert_eq!(what, ChangedPart::RequestedModel);
    let tasks = why(&Case::new(4, 4).of_watch(|one| one.task_fp = "x".to_owned()));
    assert_eq!(tasks, NotComparable::NoCommonTask);
    let mut mock = Case::new(4, 4);
    mock.watch.as_mut().unwrap().question.cells[0].pretend = true;
    assert!(matches!(why(&mock), NotComparable::Mock { .. }));
}

#[test]
fn without_a_sentinel_a_record_is_compared_with_nothing_and_without_a_record_nothing_is_asked() {
    let mut case = Case::new(4, 4);
    case.watch = None;
    assert_eq!((case.words().0, case.words().1), REFUSED);
    let none = NotComparable::Sentinel { cell: None };
    assert_eq!(case.answer().cells[0].why, Some(none));
    case.stored.records.clear();
    assert_eq!(case.words(), (GateWord::NoReference, GateState::Held, None));
    let mut case = Case::new(4, 4);
    case.stored.records.remove(&cell_id(WATCH));
    let words = case.words();
    assert_eq!((words.0, words.1), REFUSED);
    assert_eq!(words.2, Some(GateWord::NoReference));
}

#[test]
fn a_sentinel_that_was_not_measured_makes_the_gate_incomplete() {
    let mut case = Case::new(4, 4);
    let lost = |at, rollout: &mut crate::domain::Rollout| {
        if at == 0 {
            rollout.outcome = infrastructure();
        }
    };
    case.watch = case.watch.map(|watch| watch.edit(WATCH, lost));
    let words = case.words();
    assert_eq!(
        (words.0, words.1),
        (GateWord::Incomplete, GateState::Incomplete)
    );
    assert!(case.answer().cells.is_empty());
}
