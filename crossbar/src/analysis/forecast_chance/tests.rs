//! Numbers by hand, by the formula, and by playing.

use super::super::fixture::{Sweep, cell_id};
use super::*;
use crate::domain::ResultRow;

fn planned(tasks: usize, repeats: u32) -> Sweep {
    let sweep = Sweep::new(tasks, repeats).flat("base+x", 1, repeats);
    let mut sweep = sweep.flat("new+x", 1, repeats).baseline("base+x");
    sweep.question.margin.value = 0.2;
    sweep
}

fn usual() -> Assumed {
    Assumed::of(&planned(2, 2).question, None)
}

#[test]
fn many_tasks_are_those_of_the_formula_and_few_are_played() {
    let (sweep, assumed) = (planned(12, 5), usual());
    let asked = |drop| Asked::new(&sweep.question, 1, drop, &assumed).unwrap();
    // the recipe's table: 1876, 721 and 206 tasks with one repeat
    for (drop, tasks) in [(0.03, 1876), (0.05, 721), (0.1, 206)] {
        assert_eq!(
            asked(drop).tasks(1, asked(drop).worse).unwrap(),
            Some(tasks)
        );
    }
    // the formula says 19, and at 20 tasks MOVER shows 20 points in about 6 of 10 sweeps
    let played = asked(0.2).tasks(5, asked(0.2).worse).unwrap().unwrap();
    assert!((24..=36).contains(&played), "{played}");
}

#[test]
fn a_planted_pilot_gives_its_own_numbers() {
    let mut pilot = Sweep::new(40, 4).baseline("base+x");
    let base: Vec<u32> = (0..40).map(|task| [4, 3, 2, 3][task % 4]).collect();
    let new: Vec<u32> = (0..40).map(|task| [3, 3, 2, 4][task % 4]).collect();
    pilot = pilot.cell("base+x", 10, &base).cell("new+x", 10, &new);
    let rows: Vec<_> = pilot.rollouts.iter().map(ResultRow::of).collect();
    let told = Pilot {
        question: &pilot.question,
        rows: &rows,
    };
    let assumed = Assumed::of(&pilot.question, Some(&told));
    let AssumedBasis::Pilot { challenger, rate } = &assumed.basis else {
        panic!("{assumed:?}")
    };
    assert_eq!((challenger, rate.n()), (&cell_id("new+x"), 40));
    assert!((assumed.world.pass_rate - 0.75).abs() < 1e-12);
    let asked = Asked::new(&pilot.question, 1, 0.05, &assumed).unwrap();
    // one rollout has 0.2083 in each cell; differences -1/4, 0, 0, 1/4 have 0.03205, of which
    // rollouts gave 0.1042: nothing is left for the tasks
    let by_hand: f64 = 7.848_88 * (2.0 * 0.208_333_3 / 4.0) / 0.0025;
    let tasks = asked.tasks(4, asked.worse).unwrap().unwrap();
    assert_eq!(tasks, by_hand.ceil() as u32);
}

#[test]
fn a_chance_has_its_interval_and_grows_with_the_tasks() {
    let assumed = usual();
    let chance = |tasks: usize| {
        let sweep = planned(tasks, 3);
        let asked = Asked::new(&sweep.question, 1, 0.3, &assumed).unwrap();
        asked.chance(&Grouping::Tasks).unwrap()
    };
    let (few, more) = (chance(6), chance(24));
    for (few, more) in [
        (few.worse_these, more.worse_these),
        (few.worse_like, more.worse_like),
        (few.within_these, more.within_these),
        (few.within_like, more.within_like),
    ] {
        let (few, more) = (few.unwrap(), more.unwrap());
        assert_eq!(few.n(), PLAYED.sweeps);
        assert!(few.interval().lo <= few.value() && few.value() < more.value());
    }
}

#[test]
fn no_margin_is_shown_by_no_number_and_a_drop_has_its_bounds() {
    let mut sweep = planned(6, 2);
    sweep.question.margin.value = 0.0;
    let assumed = usual();
    let asked = Asked::new(&sweep.question, 1, 0.5, &assumed).unwrap();
    assert_eq!(asked.tasks(5, asked.within).unwrap(), None);
    assert_eq!(asked.repeats(asked.within).unwrap(), None);
    for drop in [0.0, 0.81, f64::NAN] {
        assert!(Asked::new(&sweep.question, 1, drop, &assumed).is_err());
    }
}
