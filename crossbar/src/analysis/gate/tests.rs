//! Every cell of the gate's table over small sweeps, and how often it is red for no reason.

use super::*;
use crate::analysis::fixture::{Stream, Sweep, cell_id, infrastructure};
use crate::analysis::{Against, ChangedPart, GateState};
use crate::domain::Reference;

const OLD: &str = "old+react";
const NEW: &str = "new+react";

fn rules(mode: GateMode, reference: GateReference, scope: GateScope) -> GateRules {
    GateRules {
        mode,
        scope,
        cell: (reference == GateReference::Concurrent).then(|| cell_id(NEW)),
        reference,
        noise_threshold: 0.02,
        max_age_days: 14,
        forbid_removed: false,
        allow_mock: false,
    }
}

fn regression(reference: GateReference) -> GateRules {
    rules(GateMode::Regression, reference, GateScope::These)
}

fn noninferiority(scope: GateScope) -> GateRules {
    rules(GateMode::Noninferiority, GateReference::Concurrent, scope)
}

fn answer(sweep: &Sweep, rules: &GateRules, stored: &StoredReferences) -> GateAnswer {
    let held = Held {
        rules,
        question: &sweep.question,
        analysis: &sweep.analyze(),
        stored,
        watched: None,
    };
    hold(&held).unwrap()
}

fn concurrent(sweep: &Sweep, rules: &GateRules) -> GateAnswer {
    answer(sweep, rules, &StoredReferences::default())
}

/// A sweep of one cell whose passes are given, five repeats each.
fn alone(passes: &[u32]) -> Sweep {
    Sweep::new(passes.len(), 5).cell(NEW, 10, passes)
}

/// What accepting a sweep's first cell on 2026-01-02 gives.
fn accepted(sweep: &Sweep) -> StoredReferences {
    let analysis = sweep.analyze();
    let records = analysis.task_table.iter().map(|task| Reference {
        task: task.task.clone(),
        task_fp: "f".to_owned(),
        cell_fp: "c".to_owned(),
        n: task.cells[0].scheduled,
        pass: task.cells[0].accepted,
        score_e6: 0,
        score_sq_e6: 0,
        usd_e6: None,
        usd_sq_e12: None,
        ended: BTreeMap::new(),
        requested: NEW.to_owned(),
        answered: std::collections::BTreeSet::new(),
        agent: "react".to_owned(),
        day: "2026-01-02".to_owned(),
        run: "0123abcd".to_owned(),
        accepted_drop: None,
    });
    StoredReferences {
        records: BTreeMap::from([(cell_id(NEW), records.collect())]),
        agents: BTreeMap::from([(cell_id(NEW), "react".to_owned())]),
        day: "2026-01-12".to_owned(),
    }
}

fn stored(now: &[u32], change: impl Fn(&mut StoredReferences)) -> GateAnswer {
    let mut references = accepted(&alone(&vec![4; now.len()]));
    change(&mut references);
    answer(&alone(now), &regression(GateReference::Stored), &references)
}

fn each(references: &mut StoredReferences, change: impl Fn(&mut Reference)) {
    references.records.values_mut().flatten().for_each(change);
}

#[test]
fn a_cell_within_the_margin_holds_one_below_it_fails_and_the_rest_is_open() {
    let sweep = |passes: u32| {
        let mut sweep = Sweep::new(60, 5)
            .flat(OLD, 10, 5)
            .flat(NEW, 5, passes)
            .baseline(OLD);
        sweep.question.margin.value = 0.1;
        sweep
    };
    for scope in [GateScope::These, GateScope::Like] {
        let word = |passes| concurrent(&sweep(passes), &noninferiority(scope)).word;
        assert_eq!(word(5), GateWord::WithinMargin, "{scope:?}");
        assert_eq!(word(3), GateWord::WorseThanMargin, "{scope:?}");
    }
    let few = Sweep::new(4, 2).cell(OLD, 10, &[2, 2, 2, 2]);
    let few = few.cell(NEW, 5, &[2, 2, 1, 2]).baseline(OLD);
    let open = concurrent(&few, &noninferiority(GateScope::Like));
    assert_eq!(
        (open.word, open.state()),
        (GateWord::CannotTell, GateState::Open)
    );
}

#[test]
fn a_drop_a_rise_and_neither_side_by_side() {
    let sweep = |old: u32, new: u32| {
        Sweep::new(20, 5)
            .flat(OLD, 10, old)
            .flat(NEW, 5, new)
            .baseline(OLD)
    };
    for scope in [GateScope::These, GateScope::Like] {
        let rules = rules(GateMode::Regression, GateReference::Concurrent, scope);
        let word = |old, new| concurrent(&sweep(old, new), &rules).word;
        assert_eq!(word(5, 2), GateWord::Regression, "{scope:?}");
        assert_eq!(word(2, 5), GateWord::Improvement, "{scope:?}");
        assert_eq!(word(4, 4), GateWord::NoRegressionShown, "{scope:?}");
    }
    let held = concurrent(&sweep(4, 4), &regression(GateReference::Concurrent));
    let drop = held.cells[0].smallest_drop.unwrap();
    assert!((0.02..0.3).contains(&drop), "{drop}");
    assert_eq!(held.state(), GateState::Held);
}

#[test]
fn the_smallest_drop_is_seen_four_times_in_five() {
    let mut draws = Stream(11);
    let rate = 0.8;
    let reference: Vec<u32> = (0..20).map(|_| draws.passes(5, rate)).collect();
    let mut references = accepted(&alone(&reference));
    let rules = regression(GateReference::Stored);
    let drop = answer(&alone(&reference), &rules, &references).cells[0]
        .smallest_drop
        .unwrap();
    let mut red = 0;
    for _ in 0..200 {
        let old: Vec<u32> = (0..20).map(|_| draws.passes(5, rate)).collect();
        references.records = accepted(&alone(&old)).records;
        let new: Vec<u32> = (0..20).map(|_| draws.passes(5, rate - drop)).collect();
        red += u32::from(answer(&alone(&new), &rules, &references).word == GateWord::Regression);
    }
    assert!(
        (140..=185).contains(&red),
        "{red} of 200 at a drop of {drop}"
    );
}

#[test]
fn the_same_rates_are_rarely_red_and_a_planted_drop_is_nearly_always() {
    let mut draws = Stream(7);
    let rules = regression(GateReference::Stored);
    let rates: Vec<f64> = (0..24).map(|_| draws.fraction()).collect();
    let (mut red, mut found) = (0, 0);
    for _ in 0..300 {
        let mut run = |drop: f64| -> Vec<u32> {
            rates
                .iter()
                .map(|rate| draws.passes(5, rate - drop))
                .collect()
        };
        let references = accepted(&alone(&run(0.0)));
        let word = |now: &[u32]| answer(&alone(now), &rules, &references).word;
        red += u32::from(word(&run(0.0)) == GateWord::Regression);
        found += u32::from(word(&run(0.25)) == GateWord::Regression);
    }
    assert!(red <= 15, "{red} of 300 for no reason");
    assert!(found >= 240, "{found} of 300 planted drops found");
}

#[test]
fn a_drop_below_the_noise_threshold_is_none() {
    let sweep = Sweep::new(20, 5)
        .flat(OLD, 10, 5)
        .flat(NEW, 5, 4)
        .baseline(OLD);
    let mut rules = regression(GateReference::Concurrent);
    assert_eq!(concurrent(&sweep, &rules).word, GateWord::Regression);
    rules.noise_threshold = 0.2;
    assert_eq!(concurrent(&sweep, &rules).word, GateWord::NoRegressionShown);
}

#[test]
fn no_reference_holds_and_a_shown_drop_against_one_fails() {
    let none = stored(&[4; 10], |references| references.records.clear());
    assert_eq!(
        (none.word, none.state()),
        (GateWord::NoReference, GateState::Held)
    );
    assert_eq!(stored(&[1; 10], |_| ()).word, GateWord::Regression);
    assert_eq!(stored(&[4; 10], |_| ()).word, GateWord::NoRegressionShown);
}

#[test]
fn removed_new_and_changed_tasks_are_named_and_not_compared() {
    let change = |references: &mut StoredReferences| {
        let records = references.records.get_mut(&cell_id(NEW)).unwrap();
        records[0].task = crate::domain::TaskId::new("pack", "gone").unwrap();
        records[1].task_fp = "weaker checks".to_owned();
        records[1].pass = 0;
    };
    let found = stored(&[4; 10], change);
    let names =
        |tasks: &[crate::domain::TaskId]| tasks.iter().map(ToString::to_string).collect::<Vec<_>>();
    let tasks = &found.cells[0].tasks;
    assert_eq!(names(&tasks.removed), ["pack::gone"]);
    assert_eq!(names(&tasks.new), ["pack::t000"]);
    assert_eq!(names(&tasks.changed), ["pack::t001"]);
    assert_eq!((tasks.paired, found.word), (8, GateWord::NoRegressionShown));
    let mut rules = regression(GateReference::Stored);
    rules.forbid_removed = true;
    let mut references = accepted(&alone(&[4; 10]));
    change(&mut references);
    let forbidden = answer(&alone(&[4; 10]), &rules, &references);
    assert_eq!(forbidden.word, GateWord::TasksRemoved);
    assert_eq!(forbidden.state(), GateState::Failed);
}

#[test]
fn another_model_agent_or_age_is_not_comparable() {
    let why = |change: &dyn Fn(&mut StoredReferences)| {
        let found = stored(&[1; 10], change);
        assert_eq!(
            (found.word, found.state()),
            (GateWord::NotComparable, GateState::Refused)
        );
        found.cells[0].why.clone().unwrap()
    };
    let what = |why| match why {
        NotComparable::Changed { what, .. } => what,
        other => panic!("{other:?}"),
    };
    let asked = |one: &mut Reference| one.requested = "older".to_owned();
    let answered = |one: &mut Reference| one.answered = ["m-2025".to_owned()].into();
    let agent = |one: &mut Reference| one.agent = "react 2".to_owned();
    assert_eq!(
        what(why(&|all| each(all, asked))),
        ChangedPart::RequestedModel
    );
    assert_eq!(
        what(why(&|all| each(all, answered))),
        ChangedPart::AnsweredModel
    );
    assert_eq!(what(why(&|all| each(all, agent))), ChangedPart::Agent);
    let old = why(&|all| each(all, |one| one.day = "2025-12-28".to_owned()));
    assert_eq!(
        old,
        NotComparable::TooOld {
            days: 15,
            limit: 14
        }
    );
    let other = why(&|all| each(all, |one| one.task_fp = "x".to_owned()));
    assert_eq!(other, NotComparable::NoCommonTask);
}

#[test]
fn another_configuration_is_compared_and_said() {
    let found = stored(&[1; 10], |all| {
        each(all, |one| one.cell_fp = "before".to_owned())
    });
    assert_eq!(found.word, GateWord::Regression);
    let Some(Against::Record { changed_from, .. }) = &found.cells[0].against else {
        panic!("{found:?}");
    };
    assert_eq!(changed_from, &["before"]);
}

#[test]
fn a_mock_is_held_only_where_somebody_allows_it() {
    let mut sweep = alone(&[1; 10]);
    sweep.question.cells[0].pretend = true;
    let mut rules = regression(GateReference::Stored);
    let mut references = accepted(&alone(&[4; 10]));
    each(&mut references, |one| one.day = "2020-01-01".to_owned());
    let refused = answer(&sweep, &rules, &references);
    assert_eq!(refused.state(), GateState::Refused);
    rules.allow_mock = true;
    // A mock does not drift: its references have no age.
    assert_eq!(
        answer(&sweep, &rules, &references).word,
        GateWord::Regression
    );
}

#[test]
fn one_repeat_and_an_absent_cell_are_refused_and_a_missing_rollout_is_incomplete() {
    let one = Sweep::new(8, 1)
        .flat(OLD, 10, 1)
        .flat(NEW, 5, 1)
        .baseline(OLD);
    let refused = concurrent(&one, &regression(GateReference::Concurrent));
    assert_eq!(refused.cells[0].why, Some(NotComparable::OneRepeat));
    // the two differ on tasks, and none of that was compared
    let apart = Sweep::new(8, 1).cell(OLD, 10, &[1; 8]).flat(NEW, 5, 0);
    let refused = concurrent(&apart.baseline(OLD), &regression(GateReference::Concurrent));
    let tasks = &refused.cells[0].tasks;
    assert_eq!((tasks.paired, tasks.moved.len()), (0, 0));
    let absent = Sweep::new(8, 2).flat(OLD, 10, 1).baseline(OLD);
    let refused = concurrent(&absent, &regression(GateReference::Concurrent));
    assert_eq!(refused.cells[0].why, Some(NotComparable::NotInThisRun));
    let broken = Sweep::new(20, 5)
        .flat(OLD, 10, 5)
        .flat(NEW, 5, 1)
        .baseline(OLD);
    let broken = broken.edit(NEW, |at, rollout| {
        if at == 0 {
            rollout.outcome = infrastructure();
        }
    });
    let missing = concurrent(&broken, &regression(GateReference::Concurrent));
    assert_eq!(
        (missing.word, missing.cells.len()),
        (GateWord::Incomplete, 0)
    );
}

#[test]
fn the_family_of_cells_shares_one_error() {
    let cells = |count: usize| {
        let mut sweep = Sweep::new(12, 5).flat(NEW, 10, 4);
        let mut references = accepted(&sweep);
        for other in 1..count {
            let name = format!("m{other}+react");
            sweep = sweep.flat(&name, 10, 4);
        }
        let now = Sweep::new(12, 5).cell(NEW, 10, &[4, 4, 4, 4, 4, 4, 4, 4, 1, 1, 2, 2]);
        let mut now = now;
        for other in 1..count {
            let name = format!("m{other}+react");
            now = now.flat(&name, 10, 4);
            let mut records = references.records[&cell_id(NEW)].clone();
            records
                .iter_mut()
                .for_each(|one| one.requested.clone_from(&name));
            references.records.insert(cell_id(&name), records);
            references.agents.insert(cell_id(&name), "react".to_owned());
        }
        answer(&now, &regression(GateReference::Stored), &references)
    };
    assert_eq!(cells(1).word, GateWord::Regression);
    assert_eq!(cells(8).word, GateWord::NoRegressionShown);
}

#[test]
fn days_are_counted_over_leap_years() {
    let day = crate::analysis::gate_pairs::day_number;
    assert_eq!(day("1970-01-01"), Some(0));
    assert_eq!(day("2024-03-01").unwrap() - day("2024-02-28").unwrap(), 2);
    assert_eq!(day("2026-01-01").unwrap() - day("2025-12-31").unwrap(), 1);
    assert_eq!((day("yesterday"), day("2026-13-01")), (None, None));
}
