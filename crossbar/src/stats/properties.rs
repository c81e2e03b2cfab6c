//! What holds of the methods whatever the counts: properties over random ones.

use super::promises::{roll, units};
use super::random::Draws;
use super::{
    Arm, Padding, Pair, Units, directional_holm, korn_graubard, mover, sign_flip, stratified_exact,
};

fn random_arm(draws: &mut Draws, tasks: usize) -> (Vec<u32>, Vec<u32>) {
    let runs: Vec<u32> = (0..tasks).map(|_| 1 + draws.index(6) as u32).collect();
    let rate = draws.fraction() * 1.4;
    let passes = runs
        .iter()
        .map(|r| (0..*r).map(|_| u32::from(draws.fraction() < rate)).sum())
        .collect();
    (passes, runs)
}

#[test]
fn cell_intervals_hold_their_mean_and_nest() {
    let mut draws = Draws::new(1);
    for _ in 0..2000 {
        let n = 1 + draws.index(30);
        let (mut passes, mut runs) = random_arm(&mut draws, n);
        let at = |passes: &[u32], runs: &[u32], alpha| {
            korn_graubard(&Units::tasks(Arm::new(passes, runs).unwrap()), alpha).unwrap()
        };
        let (wide, narrow) = (at(&passes, &runs, 0.05), at(&passes, &runs, 0.2));
        assert!(0.0 <= wide.lower && wide.upper <= 1.0, "{wide:?}");
        assert!(
            wide.lower <= narrow.lower && narrow.lower <= wide.mean + 1e-12,
            "{wide:?} {narrow:?}"
        );
        assert!(
            wide.mean <= narrow.upper + 1e-12 && narrow.upper <= wide.upper,
            "{wide:?} {narrow:?}"
        );
        let fails: Vec<u32> = passes.iter().zip(&runs).map(|(k, r)| r - k).collect();
        let mirrored = at(&fails, &runs, 0.05);
        assert!(
            (wide.lower + mirrored.upper - 1.0).abs() < 1e-9,
            "{wide:?} {mirrored:?}"
        );
        passes.rotate_left(1);
        runs.rotate_left(1);
        let turned = at(&passes, &runs, 0.05);
        assert!(
            (turned.lower - wide.lower).abs() < 1e-10 && (turned.upper - wide.upper).abs() < 1e-10
        );
    }
}

#[test]
fn comparisons_do_not_depend_on_order_or_sign() {
    let mut draws = Draws::new(2);
    for _ in 0..500 {
        let n = 2 + draws.index(20);
        let (mut pass_a, mut runs_a) = random_arm(&mut draws, n);
        let (mut pass_b, mut runs_b) = random_arm(&mut draws, n);
        let (forth, flip, exact) = compare((&pass_a, &runs_a), (&pass_b, &runs_b));
        let (back, flip_back, exact_back) = compare((&pass_b, &runs_b), (&pass_a, &runs_a));
        assert!(
            forth.lower <= forth.diff && forth.diff <= forth.upper,
            "{forth:?}"
        );
        assert!(
            (forth.lower + back.upper).abs() < 1e-10 && (forth.upper + back.lower).abs() < 1e-10
        );
        assert!((flip - flip_back).abs() < 1e-12 && (exact - exact_back).abs() < 1e-9);
        for list in [&mut pass_a, &mut runs_a, &mut pass_b, &mut runs_b] {
            list.rotate_left(1);
        }
        let (turned, flip_turned, exact_turned) = compare((&pass_a, &runs_a), (&pass_b, &runs_b));
        assert!(
            (forth.lower - turned.lower).abs() < 1e-10
                && (forth.upper - turned.upper).abs() < 1e-10
        );
        assert!((flip - flip_turned).abs() < 1e-12 && (exact - exact_turned).abs() < 1e-9);
    }
}

fn compare(a: (&[u32], &[u32]), b: (&[u32], &[u32])) -> (super::Difference, f64, f64) {
    let (a, b) = (Arm::new(a.0, a.1).unwrap(), Arm::new(b.0, b.1).unwrap());
    let (units_a, units_b) = (Units::tasks(a), Units::tasks(b));
    let interval = mover(
        Pair {
            a: &units_a,
            b: &units_b,
        },
        0.05,
        Padding::Normal,
    )
    .unwrap();
    (
        interval,
        sign_flip(a, b).unwrap().p_two_sided,
        stratified_exact(a, b).unwrap().p_two_sided,
    )
}

#[test]
fn the_p_of_a_direction_is_where_its_interval_meets_zero() {
    let mut draws = Draws::new(3);
    let mut settled = 0;
    for _ in 0..300 {
        let n = 4 + draws.index(20);
        let rates: Vec<f64> = (0..n).map(|_| draws.fraction()).collect();
        let low: Vec<f64> = rates.iter().map(|p| p * 0.5).collect();
        let (a, b) = (
            units(&roll(&mut draws, &low, 5), 5),
            units(&roll(&mut draws, &rates, 5), 5),
        );
        let pair = Pair { a: &a, b: &b };
        let claim = directional_holm(&[pair], 0.05, Padding::Normal).unwrap()[0];
        if claim.p < 1e-12 || claim.p > 0.999 {
            continue;
        }
        settled += 1;
        let excludes = |alpha| {
            let interval = mover(pair, alpha, Padding::Normal).unwrap();
            interval.lower > 0.0 || interval.upper < 0.0
        };
        assert!(
            excludes(claim.p * 1.000_01) && !excludes(claim.p * 0.999_99),
            "{claim:?}"
        );
    }
    assert!(settled > 200, "{settled}");
}
