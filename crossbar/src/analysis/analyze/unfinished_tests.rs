//! Figures of a cell of which rollouts are missing, and of the smallest packs, by hand.

use super::super::MissingReason;
use super::super::fixture::{Sweep, infrastructure};
use super::super::{Analysis, UnknownAttempt};
use crate::domain::{ForbiddenCalls, Interval, Usd};

/// The cell alone.
fn cell(analysis: &Analysis) -> &super::super::CellSummary {
    &analysis.cells[0]
}

/// Takes the rollouts away whose task and repeat are these.
fn without(mut sweep: Sweep, gone: &[(&str, u32)]) -> Sweep {
    sweep.rollouts.retain(|rollout| {
        let at = (rollout.key.task.task(), rollout.key.repeat);
        !gone.contains(&at)
    });
    sweep
}

#[test]
fn an_unfinished_cell_is_the_weighted_mean_over_tasks_of_what_has_ended() {
    let mut sweep = Sweep::new(3, 4).cell("a+x", 10, &[2, 4, 0]);
    sweep.question.tasks[0].weight = 3.0;
    // The first task passed in its first two repeats; of the last nothing has ended.
    let gone = [
        ("t000", 1),
        ("t002", 1),
        ("t002", 2),
        ("t002", 3),
        ("t002", 4),
    ];
    let analysis = without(sweep, &gone).analyze();
    let rate = cell(&analysis).pass_rate.unwrap();
    let by_hand = (3.0 * (1.0 / 3.0) + 1.0 * 1.0) / (3.0 + 1.0);
    assert!((rate.value() - by_hand).abs() < 1e-12, "{rate:?}");
    assert_eq!(cell(&analysis).pack_rate, None, "rollouts are missing");
    assert_eq!(cell(&analysis).outcomes["not_finished"], 5);
}

#[test]
fn a_whole_cell_has_no_rollout_that_has_not_ended() {
    let analysis = Sweep::new(2, 2).flat("a+x", 10, 1).analyze();
    assert!(!cell(&analysis).outcomes.contains_key("not_finished"));
    assert!(cell(&analysis).pack_rate.is_some());
}

#[test]
fn an_attempt_whose_end_nobody_knows_is_told_from_one_that_was_never_made() {
    let sweep = Sweep::new(2, 2).flat("a+x", 10, 1);
    let keys: Vec<_> = sweep.planned.iter().take(2).cloned().collect();
    let mut sweep = without(sweep, &[("t000", 1), ("t000", 2)]);
    sweep.unknown.push(UnknownAttempt {
        key: keys[1].clone(),
        held: Some(Usd::from_micros(5)),
    });
    let missing = sweep.analyze().completeness.missing;
    let why: Vec<_> = missing.iter().map(|one| (&one.key, &one.why)).collect();
    assert_eq!(
        why,
        [
            (&keys[0], &MissingReason::NotFinished),
            (&keys[1], &MissingReason::AttemptUnknown)
        ]
    );
}

#[test]
fn one_task_says_nothing_about_others_and_two_say_something() {
    let analysis = |tasks| {
        let mut sweep = Sweep::new(tasks, 4).flat("a+x", 10, 2);
        sweep.question.k = Some(2);
        sweep.analyze()
    };
    let nothing = Interval {
        lo: 0.0,
        hi: Some(1.0),
    };
    for (tasks, says) in [(1, false), (2, true)] {
        let analysis = analysis(tasks);
        let cell = cell(&analysis);
        for estimate in [cell.pass_rate, cell.pass_at_k, cell.pass_hat_k] {
            let interval = estimate.unwrap().interval();
            assert_eq!(interval != nothing, says, "{tasks}: {interval:?}");
        }
    }
}

#[test]
fn the_share_of_executed_violations_is_of_measured_rollouts() {
    let forbidden = ForbiddenCalls {
        proposed: 2,
        blocked: 1,
        executed: 1,
    };
    let sweep = Sweep::new(2, 4).flat("a+x", 10, 2);
    let sweep = sweep.edit("a+x", |at, rollout| match at {
        0 | 1 => rollout.forbidden = forbidden,
        7 => rollout.outcome = infrastructure(),
        _ => {}
    });
    let analysis = sweep.analyze();
    let share = cell(&analysis).safety.unwrap().executed_share.unwrap();
    assert!((share.value() - 2.0 / 7.0).abs() < 1e-12, "{share:?}");
    let nothing = Sweep::new(2, 4).flat("a+x", 10, 2);
    let nothing = nothing.edit("a+x", |_, rollout| rollout.outcome = infrastructure());
    let analysis = nothing.analyze();
    assert_eq!(cell(&analysis).safety.unwrap().executed_share, None);
}
