//! Runs that are drawn, looked at and stopped: what is asked for next, what stops, what is claimed.

use super::super::fixture::{Stream, Sweep, cell_id};
use super::*;

/// A run of 10 repeats in which cell c passes task i with `rate(c, i)`, every rollout drawn anew.
fn run(
    names: &[&str],
    tasks: usize,
    stream: &mut Stream,
    rate: &dyn Fn(usize, usize) -> f64,
) -> Sweep {
    let mut sweep = Sweep::new(tasks, 10).baseline(names[0]);
    sweep.question.margin.value = 0.1;
    for name in names {
        sweep = sweep.flat(name, 1_000, 0);
    }
    for (at, rollout) in sweep.rollouts.iter_mut().enumerate() {
        let (cell, task) = (at / (10 * tasks), at / 10 % tasks);
        if stream.fraction() < rate(cell, task) {
            rollout.outcome = crate::domain::Outcome::Accepted;
        }
    }
    sweep
}

fn looks() -> LookPlan {
    LookPlan::between(3, 10).unwrap()
}

/// The course once everything that it asks for is there.
fn ended(sweep: &Sweep) -> Course {
    let rows: Vec<_> = sweep.rollouts.iter().map(ResultRow::of).collect();
    of(sweep, &rows)
}

fn of(sweep: &Sweep, rows: &[ResultRow]) -> Course {
    let record = Record {
        planned: &[],
        rows,
        unknown: &sweep.unknown,
    };
    course(&sweep.question, &looks(), record).unwrap()
}

/// Rollouts that an adaptive run needs, as a share of those of a fixed one.
fn used(course: &Course) -> f64 {
    let cells: u32 = course.cells.iter().map(|cell| cell.repeats).sum();
    f64::from(cells + course.baseline_repeats) / (10.0 * (course.cells.len() as f64 + 1.0))
}

#[test]
fn each_batch_is_asked_for_in_turn_and_the_same_record_says_the_same() {
    let rate = |cell: usize, task: usize| [0.95, 0.1, 0.9][cell] - 0.01 * (task % 3) as f64;
    let sweep = run(&["base+x", "poor+x", "good+x"], 12, &mut Stream(5), &rate);
    let rows: Vec<_> = sweep.rollouts.iter().map(ResultRow::of).collect();
    let mut have: Vec<ResultRow> = Vec::new();
    let (mut batches, mut ran) = (Vec::new(), 0);
    while let Some(batch) = of(&sweep, &have).next {
        let new = rows.iter().filter(|row| {
            (batch.from..=batch.to).contains(&row.key.repeat) && batch.cells.contains(&row.key.cell)
        });
        // what a killed run leaves of a batch is asked for again, as the same batch
        let new: Vec<_> = new.cloned().collect();
        ran += new.len();
        let half = [&have[..], &new[..new.len() / 2]].concat();
        assert_eq!(of(&sweep, &half).next.as_ref(), Some(&batch));
        have.extend(new);
        batches.push((batch.from, batch.to, batch.cells.len()));
    }
    let end = of(&sweep, &have);
    assert_eq!((batches[0], batches[1].2), ((1, 3, 3), 2), "{batches:?}");
    assert_eq!((end.cells[0].look, end.cells[0].repeats), (1, 3));
    assert_eq!(end.cells[0].stop, Some(Stop::Worse));
    // looking into rollouts that were never to run changes nothing
    assert_eq!(end, ended(&sweep));
    assert!((used(&end) - ran as f64 / rows.len() as f64).abs() < 1e-12);
    have.reverse();
    assert_eq!(end, of(&sweep, &have));
}

#[test]
fn a_cell_that_is_shown_worse_keeps_what_its_look_said() {
    let rate = |cell: usize, _: usize| [0.95, 0.05][cell];
    let end = ended(&run(&["base+x", "poor+x"], 12, &mut Stream(6), &rate));
    let cell = &end.cells[0];
    let like = cell.comparison.as_ref().unwrap().like.as_ref().unwrap();
    assert_eq!(
        (cell.stop, cell.look, end.next),
        (Some(Stop::Worse), 1, None)
    );
    assert!(like.difference.shown && like.difference.estimate.interval().hi.unwrap() < 0.0);
}

#[test]
fn a_look_has_no_p_of_a_test_that_knows_no_other() {
    let sweep = run(&["base+x", "poor+x"], 12, &mut Stream(6), &|cell, _| {
        [0.95, 0.05][cell]
    });
    let p = |course: &Course| {
        let comparison = course.cells[0].comparison.as_ref().unwrap();
        let like = comparison.like.as_ref().unwrap();
        [
            like.pattern_p,
            like.pattern_adjusted_p,
            like.pattern_screen_p,
        ]
    };
    assert_eq!(p(&ended(&sweep)), [None; 3]);
    let fixed = sweep.analyze();
    let like = fixed.comparisons[0].like.as_ref().unwrap();
    assert!(like.pattern_p.is_some() && like.pattern_screen_p.is_some());
}

#[test]
fn idle_cells_stop_without_a_claim() {
    // as good as the baseline, twice as dear
    let mut sweep = run(&["base+x", "dear+x"], 8, &mut Stream(7), &|_, _| 0.9);
    sweep = sweep.edit("dear+x", |_, rollout| {
        rollout.cost = crate::domain::Cost::Known {
            amount: crate::domain::Usd::from_micros(9_000),
            source: crate::domain::CostSource::Modelled,
        };
    });
    let cell = &ended(&sweep).cells[0];
    assert_eq!(cell.stop, Some(Stop::TooDear));
    let like = cell.comparison.as_ref().unwrap().like.as_ref().unwrap();
    assert!(!like.difference.shown && like.direction.is_none());
    let mut barred = run(&["base+x", "low+x"], 12, &mut Stream(8), &|_, _| 0.5);
    barred.question.quality_bar = Some(0.99);
    let cell = &ended(&barred).cells[0];
    assert_eq!(cell.stop, Some(Stop::UnderTheBar));
}

#[test]
fn a_cheap_loser_makes_no_good_cell_too_dear() {
    let mut sweep = run(
        &["base+x", "good+x", "poor+x"],
        12,
        &mut Stream(8),
        &|cell, _| [1.0, 1.0, 0.1][cell],
    );
    sweep = sweep.edit("poor+x", |_, rollout| {
        rollout.cost = crate::domain::Cost::Known {
            amount: crate::domain::Usd::from_micros(1),
            source: crate::domain::CostSource::Modelled,
        };
    });
    let end = ended(&sweep);
    let stops: Vec<_> = end.cells.iter().map(|cell| cell.stop.unwrap()).collect();
    assert_eq!(stops, [Stop::LastLook, Stop::Worse]);
}

#[test]
fn what_was_not_measured_claims_nothing_and_stops_nothing() {
    let rate = |cell: usize, _: usize| [0.95, 0.05][cell];
    let sweep = run(&["base+x", "poor+x"], 12, &mut Stream(6), &rate);
    let lost = sweep.edit("base+x", |at, rollout| {
        if at == 0 {
            rollout.outcome = super::super::fixture::infrastructure();
        }
    });
    let cell = &ended(&lost).cells[0];
    assert_eq!((cell.stop, cell.look), (Some(Stop::LastLook), 4));
    assert_eq!(cell.cell, cell_id("poor+x"));
}

#[test]
fn without_a_baseline_there_is_nothing_to_stop_for() {
    let sweep = Sweep::new(3, 3).flat("a+x", 1, 3).flat("b+x", 1, 3);
    let rows: Vec<_> = sweep.rollouts.iter().map(ResultRow::of).collect();
    let record = Record {
        planned: &[],
        rows: &rows,
        unknown: &[],
    };
    let refused = course(&sweep.question, &looks(), record);
    assert_eq!(refused, Err(AnalysisError::NoBaseline));
}

fn claims(course: &Course) -> (bool, bool) {
    let likes = course
        .cells
        .iter()
        .filter_map(|cell| cell.comparison.as_ref()?.like.as_ref());
    let likes: Vec<_> = likes.collect();
    (
        likes.iter().any(|like| like.direction.is_some()),
        likes.iter().any(|like| like.non_inferior.shown),
    )
}

/// Three challengers that are all as good as the baseline, and three that are all at the margin.
#[test]
fn false_claims_are_rarer_than_five_in_a_hundred() {
    const RUNS: u32 = 20;
    let mut stream = Stream(9);
    let (mut directions, mut margins) = (0, 0);
    for _ in 0..RUNS {
        let hard: Vec<f64> = (0..10).map(|_| 0.6 + 0.4 * stream.fraction()).collect();
        let equal = run(
            &["base+x", "a+x", "b+x", "c+x"],
            10,
            &mut stream,
            &|_, task| hard[task],
        );
        directions += u32::from(claims(&ended(&equal)).0);
        let rate = |cell: usize, task: usize| hard[task] - if cell == 0 { 0.0 } else { 0.1 };
        let worse = run(&["base+x", "a+x", "b+x", "c+x"], 10, &mut stream, &rate);
        margins += u32::from(claims(&ended(&worse)).1);
    }
    assert!(
        directions <= 2 && margins <= 2,
        "{directions} {margins} of {RUNS}"
    );
}
