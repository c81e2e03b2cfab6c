//! A challenger that broke off whole: nothing is easier to claim of the others for it.

use super::super::fixture::Sweep;
use super::super::{Analysis, Cheaper, Unmeasured};
use super::unmeasured_tests::{Dice, lose, pair};

#[test]
fn a_dead_cell_keeps_its_place_among_the_challengers() {
    let without = pair(40, 5).analyze();
    let twin = pair(40, 5).flat("dead+x", 900, 5);
    let with = pair(40, 5).flat("dead+x", 10, 5);
    let with = with.edit("dead+x", |_, rollout| lose(rollout)).analyze();
    let parts = |analysis: &Analysis| {
        let found = &analysis.comparisons[0];
        let (like, these) = (found.like.as_ref().unwrap(), found.these.as_ref().unwrap());
        [like.difference, these.difference]
    };
    // one that does what the baseline does has the p of 1 that an absent one is taken to have
    assert_eq!(parts(&with), parts(&twin.analyze()));
    for (one, two) in parts(&with).iter().zip(parts(&without)) {
        assert_eq!(one.adjusted_p, (2.0 * two.p).min(1.0));
    }
    let ratio = |analysis: &Analysis| analysis.comparisons[0].cost.ratio.unwrap().interval();
    assert!(ratio(&with).lo < ratio(&without).lo);
    let screen = |analysis: &Analysis| {
        analysis.comparisons[0]
            .like
            .as_ref()
            .unwrap()
            .pattern_screen_p
    };
    assert_eq!((screen(&with), screen(&without).is_some()), (None, true));
    let best = |analysis: &Analysis| analysis.best.as_ref().unwrap().rate.interval().lo;
    assert!(best(&with) < best(&without));
    assert_eq!(with.comparisons[1].unmeasured, Some(Unmeasured::Challenger));
    assert_eq!(with.cells[2].note.to_string(), "not measured");
    assert_eq!(with.best.unwrap().of, 2);
    let front = with.front.unwrap();
    assert_eq!((front.cells.len(), front.left_out.len()), (2, 1));
}

#[test]
fn a_run_that_broke_off_claims_nothing_that_the_whole_one_would_not() {
    let mut dice = Dice(11);
    let (mut kept, mut lost) = (0, 0);
    for _ in 0..20 {
        let tasks = 12 + dice.roll(20) as usize;
        let mut sweep = Sweep::new(tasks, 4).baseline("base+x");
        sweep.question.margin.value = 0.12;
        for (cell, micros) in [
            ("base+x", 900),
            ("one+x", 700),
            ("two+x", 800),
            ("three+x", 850),
        ] {
            let poor = dice.roll(4);
            let passes: Vec<u32> = (0..tasks)
                .map(|_| 4 - u32::from(dice.roll(8) < poor) - u32::from(dice.roll(9) < poor))
                .collect();
            sweep = sweep.cell(cell, micros, &passes);
        }
        let whole = sweep.analyze();
        let dead = ["one+x", "three+x"][dice.roll(2) as usize];
        let part = sweep.edit(dead, |_, rollout| lose(rollout)).analyze();
        for (seen, all) in part.comparisons.iter().zip(&whole.comparisons) {
            let Some(a) = seen.like.as_ref() else {
                continue;
            };
            let (b, cost) = (
                all.like.as_ref().unwrap(),
                (seen.cost.cheaper, all.cost.cheaper),
            );
            let (c, d) = (seen.these.as_ref().unwrap(), all.these.as_ref().unwrap());
            let claims = [
                (a.difference, b.difference),
                (a.non_inferior, b.non_inferior),
                (c.difference, d.difference),
                (c.non_inferior, d.non_inferior),
            ];
            for (seen, all) in claims {
                assert_eq!(seen.p, all.p);
                assert!(seen.adjusted_p >= all.adjusted_p, "{seen:?} {all:?}");
                assert!(all.shown || !seen.shown);
                kept += u32::from(seen.shown);
                lost += u32::from(all.shown && !seen.shown);
            }
            assert!(a.pattern_adjusted_p >= b.pattern_adjusted_p);
            assert!(cost.0 == cost.1 || cost.0 == Cheaper::Open, "{cost:?}");
        }
    }
    assert!(kept >= 15 && lost >= 1, "{kept} {lost}");
}
