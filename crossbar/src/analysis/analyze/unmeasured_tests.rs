//! Rollouts that were not measured: of a side of which there are no others nothing is said, and of
//! the rest only what holds however they had ended.

use super::super::fixture::{Sweep, infrastructure};
use super::super::{
    Analysis, Cheaper, ConfidenceReason, Lack, NamedInterval, NoCostPerSuccess, Status, Undecided,
    Unmeasured, Verdict,
};
use crate::domain::{Cost, CostSource, Outcome, Rollout, Usd};

pub(super) fn lose(rollout: &mut Rollout) {
    rollout.outcome = infrastructure();
    rollout.score = None;
    rollout.cost = Cost::Known {
        amount: Usd::ZERO,
        source: CostSource::Modelled,
    };
}

/// A baseline that always passes and a challenger that mostly does, both priced.
pub(super) fn pair(tasks: usize, repeats: u32) -> Sweep {
    Sweep::new(tasks, repeats)
        .flat("base+x", 900, repeats)
        .flat("new+x", 10, repeats - 1)
        .baseline("base+x")
}

fn dark(mut sweep: Sweep, cells: &[&str]) -> Analysis {
    sweep.question.k = Some(2);
    sweep.question.ci = NamedInterval::named("bootstrap-percentile");
    for cell in cells {
        sweep = sweep.edit(cell, |_, rollout| lose(rollout));
    }
    sweep.analyze()
}

const SIDES: [(&[&str], Unmeasured); 3] = [
    (&["new+x"], Unmeasured::Challenger),
    (&["base+x"], Unmeasured::Baseline),
    (&["base+x", "new+x"], Unmeasured::Both),
];

#[test]
fn nothing_is_said_of_a_side_without_a_measured_rollout() {
    for ((cells, side), (tasks, repeats)) in SIDES
        .iter()
        .flat_map(|side| [(side, (2, 3)), (side, (40, 5)), (side, (4, 2))])
    {
        let analysis = dark(pair(tasks, repeats), cells);
        assert_eq!(analysis.completeness.status, Status::Complete);
        let found = &analysis.comparisons[0];
        assert_eq!(found.unmeasured, Some(*side));
        assert!(found.like.is_none() && found.these.is_none() && found.time.is_none());
        assert!(found.cost.ratio.is_none() && found.influence.is_none());
        for cell in &analysis.cells {
            let measured = !cells.contains(&cell.id.to_string().as_str());
            let rates = [cell.pass_rate, cell.pack_rate, cell.pass_at_k];
            let others = [cell.pass_hat_k, cell.mean_score];
            let all = rates.iter().chain(&others);
            assert!(all.clone().all(|rate| rate.is_some() == measured));
            let why = cell.cost_per_success.why_not;
            assert_eq!(why == Some(NoCostPerSuccess::NothingMeasured), !measured);
        }
        assert!(analysis.best.is_none() && analysis.front.is_none());
        let confidence = &analysis.confidence;
        assert_eq!(confidence.reason, ConfidenceReason::NothingMeasured);
        assert!(confidence.tasks_needed.is_none() && confidence.half_width.is_none());
        let check = analysis.cross_check.as_ref().unwrap();
        assert!(check.comparisons[0].difference.is_none());
        assert!(check.comparisons[0].mcnemar.is_none());
        for verdict in analysis
            .verdict_these
            .iter()
            .chain([&analysis.verdict_like])
        {
            let Verdict::CannotTell { why, open, .. } = verdict else {
                panic!("{verdict:?}")
            };
            assert_eq!(*why, Undecided::UnmeasuredRollouts);
            assert_eq!(open[0].lacks, [Lack::Unmeasured]);
            assert!(open[0].needs.is_empty() && open[0].leaning.is_none());
        }
    }
}

#[test]
fn without_a_baseline_no_bar_is_missed_by_what_was_not_measured() {
    let mut sweep = Sweep::new(20, 5).flat("one+x", 10, 5).flat("two+x", 10, 5);
    sweep.question.quality_bar = Some(0.5);
    let analysis = dark(sweep, &["one+x", "two+x"]);
    let Verdict::CannotTell { why, open, closed } = &analysis.verdict_like else {
        panic!()
    };
    assert_eq!(*why, Undecided::UnmeasuredRollouts);
    assert!(closed.is_empty() && open.iter().all(|one| one.lacks == [Lack::Unmeasured]));
}

#[test]
fn no_p_value_comes_out_of_rollouts_that_were_not_measured() {
    // One rollout in a hundred was measured: both extremes are far from the baseline's half.
    let sweep = Sweep::new(20, 5)
        .cell("base+x", 900, &[2, 3].repeat(10))
        .flat("new+x", 10, 5)
        .baseline("base+x")
        .edit("new+x", |i, rollout| {
            if i > 0 {
                lose(rollout);
            }
        });
    let analysis = sweep.analyze();
    let found = &analysis.comparisons[0];
    let (like, these) = (found.like.as_ref().unwrap(), found.these.as_ref().unwrap());
    assert!(like.direction_undetermined && these.direction_undetermined);
    let claims = [like.difference, these.difference];
    let mut p: Vec<f64> = claims.iter().flat_map(|c| [c.p, c.adjusted_p]).collect();
    let patterns = [
        like.pattern_p,
        like.pattern_adjusted_p,
        like.pattern_screen_p,
    ];
    p.extend(patterns.into_iter().flatten());
    assert_eq!(p, [1.0; 7]);
    assert!(!like.borderline && these.pack_only.is_none());
    assert_eq!(
        analysis.cells[1].note.to_string(),
        "missing rollouts decide"
    );
    let Verdict::CannotTell { open, .. } = &analysis.verdict_like else {
        panic!()
    };
    assert!(open[0].lacks.contains(&Lack::Unmeasured));
    assert!(open[0].needs.is_empty() && open[0].leaning.is_none());
}

#[test]
fn a_rollout_that_broke_off_early_makes_no_cell_cheaper() {
    // The same work at the same price; three tasks are dear, and the machine broke on them.
    let mut sweep = Sweep::new(60, 5)
        .flat("base+x", 1_000, 5)
        .flat("new+x", 1_000, 5)
        .baseline("base+x");
    sweep.question.margin.value = 0.2;
    let dear = |i: usize| i < 15;
    let cost = |micros| Cost::Known {
        amount: Usd::from_micros(micros),
        source: CostSource::Modelled,
    };
    let sweep = sweep
        .edit("base+x", |i, rollout| {
            if dear(i) {
                rollout.cost = cost(50_000);
            }
        })
        .edit("new+x", |i, rollout| {
            if dear(i) {
                lose(rollout);
            }
        });
    let analysis = sweep.analyze();
    let found = &analysis.comparisons[0];
    assert!(found.like.as_ref().unwrap().non_inferior.shown);
    assert_eq!(found.cost.cheaper, Cheaper::Open);
    assert!(!found.cost.distinguishable, "{:?}", found.cost);
    assert!(!analysis.verdict().claims(), "{:?}", analysis.verdict());
    // and none dearer where it broke on the baseline
    let mut other = sweep;
    other.question.baseline = Some(super::super::fixture::cell_id("new+x"));
    assert_eq!(other.analyze().comparisons[0].cost.cheaper, Cheaper::Open);
}

#[test]
fn a_task_that_nobody_could_measure_decides_nothing() {
    let whole = Sweep::new(30, 5)
        .flat("base+x", 900, 5)
        .flat("new+x", 10, 5)
        .baseline("base+x");
    let lost = ["base+x", "new+x"].iter().fold(whole, |sweep, cell| {
        sweep.edit(cell, |i, rollout| {
            if i < 5 {
                lose(rollout);
            }
        })
    });
    let analysis = lost.analyze();
    let like = analysis.comparisons[0].like.as_ref().unwrap();
    // its limits are those of the two sweeps in which the task is one side's alone
    let mut failed = vec![5; 30];
    failed[0] = 0;
    let limits = |base: &[u32], new: &[u32]| {
        let sweep = Sweep::new(30, 5).cell("base+x", 900, base);
        let analysis = sweep.cell("new+x", 10, new).baseline("base+x").analyze();
        let like = analysis.comparisons[0].like.as_ref().unwrap();
        like.plain.interval()
    };
    let interval = like.plain.interval();
    assert_eq!(interval.lo, limits(&[5; 30], &failed).lo);
    assert_eq!(interval.hi, limits(&failed, &[5; 30]).hi);
    assert_eq!((like.direction, like.difference.adjusted_p), (None, 1.0));
    assert!(analysis.prune.iter().all(|one| one.task.task() != "t000"));
    assert_eq!(analysis.task_table[0].signal, None);
    let front = analysis.front.unwrap();
    assert!(front.cells.iter().all(|cell| cell.beaten_by.is_none()));
}

/// Whole numbers below `below`, the same on every machine.
pub(super) struct Dice(pub(super) u64);

impl Dice {
    pub(super) fn roll(&mut self, below: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (self.0 >> 33) % below
    }
}

const CELLS: [&str; 3] = ["base+x", "one+x", "two+x"];

/// Three cells on 20 to 50 tasks, of which some rollouts broke, failing ones more often.
fn broken(dice: &mut Dice) -> Sweep {
    let tasks = 20 + dice.roll(31) as usize;
    let mut sweep = Sweep::new(tasks, 5).baseline("base+x");
    for (cell, micros) in CELLS.into_iter().zip([900, 300, 600]) {
        let poor = dice.roll(3) == 0;
        let passes: Vec<u32> = (0..tasks)
            .map(|_| 5 - u32::from(dice.roll(8) == 0) - 2 * u32::from(poor))
            .collect();
        sweep = sweep.cell(cell, micros, &passes);
    }
    sweep.question.margin.value = 0.15;
    sweep.question.quality_bar = Some(0.3);
    let often = 1 + dice.roll(12);
    for rollout in &mut sweep.rollouts {
        let share = if rollout.outcome.is_accepted() {
            often
        } else {
            4 * often
        };
        if dice.roll(200) < share {
            lose(rollout);
        }
    }
    sweep
}

/// The same sweep as if every rollout had ended: broken ones of challengers failed, at the cost of the
/// dearest, and those of the baseline passed for nothing; or the reverse.
fn completed(sweep: &Sweep, against_challengers: bool) -> Analysis {
    let mut whole = Sweep {
        question: sweep.question.clone(),
        planned: sweep.planned.clone(),
        rollouts: sweep.rollouts.clone(),
        unknown: Vec::new(),
    };
    for rollout in &mut whole.rollouts {
        if rollout.outcome.is_measured() {
            continue;
        }
        let passed = (rollout.key.cell.model() == "base") == against_challengers;
        rollout.outcome = if passed {
            Outcome::Accepted
        } else {
            Outcome::TaskFailure
        };
        rollout.cost = Cost::Known {
            amount: Usd::from_micros(if passed { 0 } else { 900 }),
            source: CostSource::Modelled,
        };
    }
    whole.analyze()
}

#[test]
fn what_is_claimed_stands_however_the_broken_rollouts_had_ended() {
    let mut dice = Dice(7);
    let (mut switched, mut directed) = (0, 0);
    for _ in 0..18 {
        let sweep = broken(&mut dice);
        let seen = sweep.analyze();
        let extremes = [completed(&sweep, true), completed(&sweep, false)];
        for (at, found) in seen.comparisons.iter().enumerate() {
            let (like, these) = (found.like.as_ref().unwrap(), found.these.as_ref().unwrap());
            for whole in &extremes {
                let whole = &whole.comparisons[at];
                let (a, b) = (whole.like.as_ref().unwrap(), whole.these.as_ref().unwrap());
                assert!(like.direction.is_none_or(|_| like.direction == a.direction));
                assert!(
                    these
                        .direction
                        .is_none_or(|_| these.direction == b.direction)
                );
                assert!(a.non_inferior.shown || !like.non_inferior.shown);
                assert!(b.non_inferior.shown || !these.non_inferior.shown);
                let cheaper = found.cost.cheaper;
                assert!(cheaper != Cheaper::Shown || whole.cost.cheaper == Cheaper::Shown);
                assert!(cheaper != Cheaper::ShownNot || whole.cost.cheaper == Cheaper::ShownNot);
                directed += u32::from(like.direction.is_some());
            }
        }
        if let Verdict::Switch { qualified, .. } = seen.verdict() {
            let Verdict::Switch {
                qualified: worst, ..
            } = extremes[0].verdict()
            else {
                panic!("{:?}", extremes[0].verdict())
            };
            assert!(qualified.iter().all(|cell| worst.contains(cell)));
            switched += 1;
        }
    }
    assert!(switched >= 4 && directed >= 4, "{switched} {directed}");
}
