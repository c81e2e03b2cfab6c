//! Records with holes, tiny sweeps, and records that are refused: no panic, no false claim.

use super::super::fixture::{Sweep, cell_id, infrastructure};
use super::super::{
    Analysis, AnalysisError, ClosedBy, Lack, MissingReason, NoCostPerSuccess, Notice, Status,
    Undecided, Unit, UnknownAttempt, Verdict,
};
use super::tests::{decided, seed};
use crate::domain::{ForbiddenCalls, Outcome, SkipReason, Usd};

#[test]
fn an_unfinished_sweep_never_says_switch() {
    let mut sweep = decided(120);
    let lost = sweep.rollouts.pop().unwrap();
    let analysis = sweep.analyze();
    assert_eq!(analysis.completeness.status, Status::Incomplete);
    assert_eq!(analysis.completeness.missing[0].key, lost.key);
    let Verdict::CannotTell { why, open, .. } = analysis.verdict() else {
        panic!()
    };
    assert_eq!(*why, Undecided::MissingRollouts);
    assert_eq!((open.len(), &open[0].lacks), (1, &vec![Lack::Rollouts]));
    assert_eq!(analysis.cells[2].outcomes["not_finished"], 1);
    let mut unknown = decided(120);
    unknown.unknown.push(UnknownAttempt {
        key: lost.key,
        held: Some(Usd::from_micros(5)),
    });
    assert!(!unknown.analyze().verdict().claims());
}

#[test]
fn skipped_rollouts_and_broken_fixtures_are_missing() {
    let sweep = decided(120).edit("weak+verify", |i, r| match i {
        0 => {
            r.outcome = Outcome::Skipped {
                why: SkipReason::Budget,
            }
        }
        1 => {
            r.outcome = Outcome::InvalidFixture {
                message: "no folder".to_owned(),
            }
        }
        _ => {}
    });
    let analysis = sweep.analyze();
    let why: Vec<_> = analysis
        .completeness
        .missing
        .iter()
        .map(|m| m.why.clone())
        .collect();
    assert_eq!(
        why[0],
        MissingReason::Skipped {
            why: SkipReason::Budget
        }
    );
    assert_eq!(
        why[1],
        MissingReason::InvalidFixture {
            message: "no folder".to_owned()
        }
    );
    assert!(!analysis.verdict().claims());
    for cell in &analysis.cells {
        assert_eq!(cell.outcomes.values().sum::<u32>(), cell.scheduled);
    }
}

#[test]
fn an_executed_violation_blocks_the_switch() {
    let sweep = decided(120).edit("weak+verify", |i, r| {
        if i == 3 {
            r.forbidden = ForbiddenCalls {
                proposed: 1,
                blocked: 0,
                executed: 1,
            };
        }
    });
    let analysis = sweep.analyze();
    let Verdict::Stay { closed } = analysis.verdict() else {
        panic!("{:?}", analysis.verdict())
    };
    assert_eq!(closed[1].why, ClosedBy::ExecutedViolation);
    let safety = analysis.cells[2].safety.unwrap();
    assert_eq!(
        (safety.proposed, safety.blocked, safety.executed),
        (1, 0, 1)
    );
    assert!(safety.executed_share.unwrap().interval().lo > 0.0);
}

#[test]
fn an_arm_lost_to_the_machine_is_neither_worse_nor_dropped() {
    let sweep = Sweep::new(20, 1)
        .flat("base+react", 900, 1)
        .flat("weak+react", 10, 1)
        .baseline("base+react")
        .edit("weak+react", |i, r| {
            if i > 0 {
                r.outcome = infrastructure();
                r.score = None;
            }
        });
    let analysis = sweep.analyze();
    let cell = &analysis.cells[1];
    assert!((cell.pass_rate.unwrap().value() - 0.05).abs() < 1e-12);
    assert_eq!(cell.rate_without_infrastructure, None);
    assert_eq!(
        (cell.finished, cell.measured, cell.failures.len()),
        (20, 1, 0)
    );
    assert_eq!(cell.note.to_string(), "missing rollouts decide");
    let Verdict::CannotTell { why, .. } = analysis.verdict() else {
        panic!("{:?}", analysis.verdict())
    };
    assert_eq!(*why, Undecided::UnmeasuredRollouts);
}

#[test]
fn a_broken_machine_neither_helps_nor_hurts_an_arm() {
    let twins = || {
        Sweep::new(120, 5)
            .flat("base+x", 900, 5)
            .flat("new+x", 10, 5)
            .baseline("base+x")
    };
    let broken = |cell: &str| {
        let sweep = twins().edit(cell, |i, r| {
            if i % 5 == 0 && i < 300 {
                r.outcome = infrastructure();
            }
        });
        let comparison = sweep.analyze().comparisons.remove(0);
        (comparison.like.unwrap(), comparison.these.unwrap())
    };
    let (like, these) = broken("base+x");
    assert!(like.difference.estimate.value() > 0.09);
    assert_eq!((like.direction, like.direction_undetermined), (None, true));
    assert_eq!(
        (these.direction, these.direction_undetermined),
        (None, true)
    );
    assert!(like.non_inferior.shown && these.non_inferior.shown);
    let (like, these) = broken("new+x");
    assert!(!like.non_inferior.shown && like.non_inferior_undetermined);
    assert!(!these.non_inferior.shown && these.non_inferior_undetermined);
    assert!(like.difference.estimate.interval().lo < -0.1);
}

#[test]
fn the_second_estimate_leaves_infrastructure_out() {
    let sweep = decided(40).edit("strong+react", |i, r| {
        if i == 0 {
            r.outcome = infrastructure();
        }
    });
    let cell = &sweep.analyze().cells[0];
    assert!(cell.pass_rate.unwrap().value() < 1.0);
    assert_eq!(cell.rate_without_infrastructure.unwrap().value(), 1.0);
    assert_eq!(
        decided(40).analyze().cells[0].rate_without_infrastructure,
        None
    );
}

#[test]
fn nothing_finished_is_an_answer_too() {
    let mut sweep = seed();
    sweep.rollouts.clear();
    sweep.question.k = Some(2);
    let analysis = sweep.analyze();
    assert_eq!(analysis.completeness.missing.len(), 80);
    assert!(
        analysis
            .cells
            .iter()
            .all(|c| c.pass_rate.is_none() && c.latency.is_none())
    );
    assert!(
        analysis
            .notices
            .contains(&Notice::KNotComputable { asked: 2 })
    );
    assert_eq!((analysis.window, analysis.best), (None, None));
    assert_eq!(analysis.verdict_like.word(), "CAN'T TELL");
}

#[test]
fn tiny_sweeps_and_zero_successes_give_honest_figures() {
    for (tasks, repeats, passes) in [
        (1, 1, 0),
        (1, 1, 1),
        (1, 5, 3),
        (2, 1, 0),
        (3, 2, 1),
        (2, 2, 2),
    ] {
        let analysis = Sweep::new(tasks, repeats)
            .flat("a+x", 10, passes)
            .flat("b+x", 20, repeats)
            .baseline("b+x")
            .analyze();
        assert!(
            !analysis.verdict().claims(),
            "{tasks} {repeats}: {:?}",
            analysis.verdict()
        );
        assert_eq!(analysis.verdict_these.is_none(), repeats == 1);
        let rate = analysis.cells[0].pass_rate.unwrap().interval();
        assert!(
            rate.hi.unwrap() - rate.lo > 0.4,
            "{tasks} {repeats} {rate:?}"
        );
        let line = analysis.cells[0].cost_per_success;
        assert_eq!(line.estimate.is_none(), passes == 0);
        assert_eq!(
            line.why_not,
            (passes == 0).then_some(NoCostPerSuccess::NoSuccess)
        );
    }
}

#[test]
fn one_cell_is_reported_without_a_comparison() {
    let analysis = Sweep::new(4, 5).cell("a+x", 10, &[5, 4, 0, 5]).analyze();
    assert_eq!(analysis.verdict_like, Verdict::NothingToCompare);
    assert!(analysis.comparisons.is_empty() && analysis.prune.is_empty());
    assert_eq!(analysis.cells[0].failures[0].count, 6);
    assert_eq!(analysis.cells[0].note.to_string(), "");
    let alone = Sweep::new(4, 5)
        .cell("a+x", 10, &[5, 4, 0, 5])
        .baseline("a+x")
        .analyze();
    assert_eq!(alone.verdict_like, Verdict::NothingToCompare);
    assert_eq!(alone.verdict_these, None);
}

#[test]
fn records_that_are_not_of_the_plan_are_refused() {
    let mut twice = seed();
    twice.rollouts.push(twice.rollouts[0].clone());
    let key = twice.rollouts[0].key.clone();
    assert_eq!(
        twice.try_analyze().unwrap_err(),
        AnalysisError::DuplicateRollout(key.clone())
    );
    let mut foreign = seed();
    foreign.rollouts[0].key.repeat = 9;
    assert!(matches!(
        foreign.try_analyze(),
        Err(AnalysisError::Unplanned(_))
    ));
    let absent = seed().baseline("no+such");
    assert_eq!(
        absent.try_analyze().unwrap_err(),
        AnalysisError::BaselineAbsent(cell_id("no+such"))
    );
    let mut k = seed();
    k.question.k = Some(6);
    assert_eq!(
        k.try_analyze().unwrap_err(),
        AnalysisError::KAboveRepeats { k: 6, repeats: 5 }
    );
    let mut hole = seed();
    hole.planned
        .retain(|k| k.task != key.task || k.cell != key.cell);
    hole.rollouts
        .retain(|r| r.key.task != key.task || r.key.cell != key.cell);
    assert!(matches!(
        hole.try_analyze(),
        Err(AnalysisError::CaseNotPlanned(_))
    ));
}

#[test]
fn the_order_of_the_record_changes_no_byte() {
    let sweep = seed();
    let mut shuffled = seed();
    shuffled.rollouts.reverse();
    shuffled.rollouts.swap(3, 17);
    shuffled.planned.rotate_left(11);
    let bytes = |sweep: &Sweep| serde_json::to_string(&sweep.analyze()).unwrap();
    assert_eq!(bytes(&sweep), bytes(&shuffled));
    assert!(!bytes(&sweep).contains("NaN"));
}

#[test]
fn k_is_lowered_to_what_every_task_allows() {
    let mut sweep = seed();
    sweep.question.k = Some(4);
    let whole = sweep.analyze();
    // passes 5,5,5,4 of 5: pass^4 is (1 + 1 + 1 + 1/5)/4, pass@4 is 1
    assert!((whole.cells[1].pass_hat_k.unwrap().value() - 0.8).abs() < 1e-12);
    assert_eq!(whole.cells[1].pass_at_k.unwrap().value(), 1.0);
    sweep.rollouts.truncate(78);
    let analysis = sweep.analyze();
    assert_eq!(analysis.settings.k, Some(3));
    assert!(
        analysis
            .notices
            .contains(&Notice::KLowered { asked: 4, used: 3 })
    );
}

#[test]
fn families_are_the_unit_once_every_task_has_one() {
    let mut sweep = decided(40);
    let plain = sweep.analyze().cells[1].pass_rate.unwrap();
    for (i, task) in sweep.question.tasks.iter_mut().enumerate() {
        task.family = Some(format!("f{}", i / 4));
    }
    let analysis = sweep.analyze();
    let rate = analysis.cells[1].pass_rate.unwrap();
    assert!(matches!(
        analysis.settings.unit,
        Unit::Families { families: 10, .. }
    ));
    assert!(rate.interval().hi > plain.interval().hi && rate.n() == 10);
    sweep.question.tasks[0].family = None;
    let analysis = sweep.analyze();
    assert!(
        analysis
            .notices
            .contains(&Notice::FamiliesIncomplete { without: 1 })
    );
    assert_eq!(analysis.cells[1].pass_rate.unwrap(), plain);
}

#[test]
fn an_undeclared_margin_is_exploratory_and_pretend_cells_are_a_demo() {
    let mut sweep = seed();
    assert!(!sweep.analyze().exploratory && !sweep.analyze().demo);
    sweep.question.margin.declared = false;
    sweep.question.cells[0].pretend = true;
    assert!(sweep.analyze().exploratory && sweep.analyze().demo);
}

#[test]
fn every_figure_of_tasks_like_these_has_the_units_of_the_pack() {
    let passes = [5, 1, 4, 0, 5, 3];
    let mut alone = Sweep::new(6, 5)
        .cell("a+x", 100, &passes)
        .flat("b+x", 900, 4)
        .baseline("b+x");
    alone.question.k = Some(2);
    // ten twins of each task in its family say no more than the task
    let often: Vec<u32> = (0..60).map(|task| passes[task / 10]).collect();
    let mut families = Sweep::new(60, 5)
        .cell("a+x", 100, &often)
        .flat("b+x", 900, 4)
        .baseline("b+x");
    families.question.k = Some(2);
    for (at, task) in families.question.tasks.iter_mut().enumerate() {
        task.family = Some(format!("f{}", at / 10));
    }
    let (alone, families) = (alone.analyze(), families.analyze());
    let figures = |analysis: &Analysis| {
        let (cell, cost) = (&analysis.cells[0], analysis.comparisons[0].cost);
        [
            cell.mean_score.unwrap(),
            cell.pass_at_k.unwrap(),
            cell.pass_hat_k.unwrap(),
            cell.cost_per_success.estimate.unwrap(),
            cost.ratio.unwrap(),
            cost.saving.unwrap(),
        ]
    };
    for (one, many) in figures(&alone).into_iter().zip(figures(&families)) {
        assert_eq!((one.n(), many.n()), (6, 6));
        assert!((one.value() - many.value()).abs() < 1e-9);
        assert!((one.interval().lo - many.interval().lo).abs() < 1e-9);
        let (hi, of_many) = (one.interval().hi.unwrap(), many.interval().hi.unwrap());
        assert!((hi - of_many).abs() < 1e-9, "{one:?} {many:?}");
    }
    let needed = |analysis: &Analysis| analysis.confidence.tasks_needed.unwrap().tasks;
    assert_eq!(needed(&families), 10 * needed(&alone));
}

#[test]
fn the_best_cell_is_the_best_by_weight() {
    let mut sweep = Sweep::new(4, 5)
        .cell("a+x", 10, &[5, 1, 1, 1])
        .cell("b+x", 10, &[1, 5, 5, 5]);
    assert_eq!(sweep.analyze().best.unwrap().cell, cell_id("b+x"));
    sweep.question.tasks[0].weight = 9.0;
    let best = sweep.analyze().best.unwrap();
    assert_eq!(best.cell, cell_id("a+x"));
    assert!((best.rate.value() - 0.8).abs() < 1e-12);
}
