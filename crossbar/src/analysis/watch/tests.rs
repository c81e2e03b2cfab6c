//! Each line of WATCH OUT appears where it should, and not where it should not.

use super::super::fixture::{Sweep, cell_id, infrastructure};
use super::WatchOut;
use crate::domain::{Cost, CostSource, CutShort, FailureMode, ForbiddenCalls, Step, StepKind, Usd};

fn pair(base: u32, new: u32) -> Sweep {
    Sweep::new(10, 5)
        .flat("base+x", 1_000, base)
        .flat("new+x", 100, new)
        .baseline("base+x")
}

fn lines(sweep: &Sweep) -> Vec<WatchOut> {
    sweep.analyze().watch
}

#[test]
fn a_quiet_sweep_has_no_line() {
    assert_eq!(lines(&pair(5, 5)), []);
}

#[test]
fn nothing_passed_anywhere() {
    assert!(lines(&pair(0, 0)).contains(&WatchOut::EveryCellFailed));
    assert!(!lines(&pair(0, 1)).contains(&WatchOut::EveryCellFailed));
    let mut empty = pair(0, 0);
    empty.rollouts.clear();
    assert_eq!(lines(&empty), []);
}

#[test]
fn a_mode_that_grew_is_named_with_its_ratio() {
    let sweep = pair(4, 2);
    let over = |w: &WatchOut| match w {
        WatchOut::FailureModeOver {
            mode, ratio, cell, ..
        } => Some((*mode, *ratio, cell.clone())),
        _ => None,
    };
    let found: Vec<_> = lines(&sweep).iter().filter_map(over).collect();
    assert_eq!(
        found,
        [(FailureMode::ContractFormat, Some(3.0), cell_id("new+x"))]
    );
    let same = pair(4, 4);
    assert_eq!(lines(&same).iter().filter_map(over).count(), 0);
}

#[test]
fn a_task_that_the_best_cell_alone_fails_is_to_be_inspected() {
    let of = |best: &[u32], other: &[u32], third: &[u32]| {
        let sweep = Sweep::new(4, 3)
            .cell("best+x", 10, best)
            .cell("other+x", 10, other)
            .cell("third+x", 10, third);
        let found = lines(&sweep).into_iter().filter_map(|line| match line {
            WatchOut::Inspect { cell, task, n } => Some((cell, task.task().to_owned(), n)),
            _ => None,
        });
        found.collect::<Vec<_>>()
    };
    let found = of(&[3, 0, 3, 3], &[1, 3, 2, 2], &[0, 3, 0, 3]);
    assert_eq!(found, [(cell_id("best+x"), "t001".to_owned(), 3)]);
    // One of the others misses it too; the best one passes it once; no cell is the best.
    assert_eq!(of(&[3, 0, 3, 3], &[1, 3, 2, 2], &[0, 2, 0, 3]), []);
    assert_eq!(of(&[3, 1, 3, 3], &[1, 3, 2, 2], &[0, 3, 0, 3]), []);
    assert_eq!(of(&[3, 0, 3, 3], &[3, 3, 3, 0], &[0, 3, 0, 3]), []);
}

#[test]
fn executed_calls_are_named() {
    let sweep = pair(5, 5).edit("base+x", |i, r| {
        if i < 2 {
            r.forbidden = ForbiddenCalls {
                proposed: 2,
                blocked: 1,
                executed: 1,
            };
        }
    });
    let expected = WatchOut::ExecutedViolations {
        cell: cell_id("base+x"),
        calls: 2,
    };
    assert_eq!(lines(&sweep), [expected]);
}

#[test]
fn infrastructure_that_hits_one_arm_is_named() {
    let broken = |count: usize| {
        pair(5, 5).edit("new+x", move |i, r| {
            if i < count {
                r.outcome = infrastructure();
            }
        })
    };
    let named = |sweep: &Sweep| {
        let lines = lines(sweep);
        lines
            .iter()
            .any(|w| matches!(w, WatchOut::InfrastructureAsymmetry { .. }))
    };
    assert!(named(&broken(8)) && !named(&broken(2)));
}

#[test]
fn a_task_that_carries_the_cost_is_named() {
    let dear = |micros| {
        pair(5, 5).edit("new+x", move |_, r| {
            if r.key.task.task() == "t004" {
                let amount = Usd::from_micros(micros);
                let source = CostSource::Modelled;
                r.cost = Cost::Known { amount, source };
            }
        })
    };
    let WatchOut::TaskCarriesCost { task, part, .. } = &lines(&dear(900))[0] else {
        panic!()
    };
    assert_eq!(task.task(), "t004");
    assert!((part - 0.5).abs() < 1e-12);
    assert_eq!(lines(&dear(150)), []);
}

#[test]
fn identical_repeats_at_temperature_zero_are_named() {
    let said = |text: fn(u32) -> String| {
        let mut sweep = pair(5, 5).edit("new+x", move |_, r| {
            r.trajectory.steps = vec![Step {
                index: 1,
                kind: StepKind::Work,
                text: text(r.key.repeat),
                calls: Vec::new(),
                usage: None,
                cost: None,
                answered_model: Some("m-1".to_owned()),
                cut_short: None,
                retries: 0,
                at_ms: u64::from(r.key.repeat),
                took_ms: 1,
            }];
        });
        sweep.question.cells[1].temperature = Some(0.0);
        sweep.question.cells[1].requested_model = "m-1".to_owned();
        sweep
    };
    let same = said(|_| "done".to_owned());
    let expected = WatchOut::IdenticalRepeats {
        cell: cell_id("new+x"),
    };
    assert_eq!(lines(&same), [expected]);
    assert!(same.analyze().cells[1].answered_models.contains("m-1"));
    assert_eq!(lines(&said(|repeat| format!("done {repeat}"))), []);
}

/// A step that this model answered, cut short so.
fn step(answered: &str, cut_short: Option<CutShort>) -> Step {
    Step {
        index: 1,
        kind: StepKind::Work,
        text: String::new(),
        calls: Vec::new(),
        usage: None,
        cost: None,
        answered_model: Some(answered.to_owned()),
        cut_short,
        retries: 0,
        at_ms: 0,
        took_ms: 1,
    }
}

#[test]
fn another_model_than_was_asked_for_is_named() {
    let told = |asked: &str, answered: &'static str| {
        let mut sweep = pair(5, 5).edit("new+x", |_, r| {
            r.trajectory.steps = vec![step(answered, None)];
        });
        sweep.question.cells[1].requested_model = asked.to_owned();
        lines(&sweep)
    };
    let other = WatchOut::AnsweredByAnother {
        cell: cell_id("new+x"),
        asked: "big-1".to_owned(),
        answered: vec!["small-1".to_owned()],
    };
    assert_eq!(told("big-1", "small-1"), [other]);
    assert_eq!(told("big-1", "big-1-20261130"), [], "the name says more");
    assert_eq!(told("vendor/big-1", "big-1"), [], "the name says less");
}

#[test]
fn refusals_are_told_apart_with_their_share() {
    let sweep = pair(5, 5).edit("new+x", |i, r| {
        let category = None;
        let refused = (i < 3).then_some(CutShort::Refused { category });
        r.trajectory.steps = vec![step("new+x", refused)];
    });
    let found = lines(&sweep);
    let WatchOut::Refusals { cell, share } = &found[0] else {
        panic!("{found:?}")
    };
    assert_eq!((cell, share.n(), found.len()), (&cell_id("new+x"), 50, 1));
    assert!((share.value() - 0.06).abs() < 1e-12);
}

#[test]
fn tasks_that_no_cell_solves_are_named_from_a_fifth_on() {
    let dead = |count: usize| {
        let passes: Vec<u32> = (0..10).map(|i| if i < count { 0 } else { 5 }).collect();
        Sweep::new(10, 5)
            .cell("a+x", 10, &passes)
            .cell("b+x", 20, &passes)
    };
    assert_eq!(lines(&dead(1)), []);
    let WatchOut::UnsolvedTasks { tasks, of } = &lines(&dead(2))[0] else {
        panic!()
    };
    assert_eq!((tasks.len(), *of), (2, 10));
}
