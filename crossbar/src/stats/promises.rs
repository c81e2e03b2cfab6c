//! What the methods promise, held by seeded simulation in hostile worlds. Bounds are the measured
//! figures plus Monte-Carlo error.

use super::random::Draws;
use super::{
    Arm, CostArm, Direction, FamilyWeight, Padding, Pair, Units, cost_per_success,
    directional_holm, fisher_exact, korn_graubard, leaning, mover, noninferiority_holm, pack_line,
    sign_flip, winner,
};

/// Passes of each task in `runs` rollouts at the task's true rate.
pub(super) fn roll(draws: &mut Draws, rates: &[f64], runs: u32) -> Vec<u32> {
    rates
        .iter()
        .map(|p| (0..runs).map(|_| u32::from(draws.fraction() < *p)).sum())
        .collect()
}

pub(super) fn units(passes: &[u32], runs: u32) -> Units {
    Units::tasks(Arm::new(passes, &vec![runs; passes.len()]).unwrap())
}

/// Share of `count` rounds in which `event` happens.
fn share(count: u32, mut event: impl FnMut() -> bool) -> f64 {
    f64::from((0..count).map(|_| u32::from(event())).sum::<u32>()) / f64::from(count)
}

#[test]
fn one_cell_covers_its_truth() {
    // mixtures of task rates: bimodal, alike, mostly clean, rarely solved, spread out
    let worlds: [&[f64]; 5] = [
        &[0.0, 0.5, 1.0],
        &[0.8],
        &[1.0, 1.0, 1.0, 1.0, 0.2],
        &[0.05],
        &[0.1, 0.5, 0.7, 0.9],
    ];
    for (seed, world) in (10..).zip(worlds) {
        let mut draws = Draws::new(seed);
        let truth = world.iter().sum::<f64>() / world.len() as f64;
        for n in [4, 10, 20, 50] {
            let covered = share(3000, || {
                let rates: Vec<f64> = (0..n).map(|_| world[draws.index(world.len())]).collect();
                let got = korn_graubard(&units(&roll(&mut draws, &rates, 5), 5), 0.05).unwrap();
                got.lower <= truth && truth <= got.upper
            });
            assert!(covered >= 0.94, "world {world:?} n {n}: {covered}");
        }
    }
}

#[test]
fn differences_cover_their_truth() {
    for (seed, n) in [(20, 4), (21, 10), (22, 30)] {
        let mut draws = Draws::new(seed);
        let covered = share(3000, || {
            let rates: Vec<f64> = (0..n)
                .map(|_| [0.3, 0.8, 0.95, 1.0][draws.index(4)])
                .collect();
            let worse: Vec<f64> = rates.iter().map(|p| p - 0.1).collect();
            let (a, b) = (
                units(&roll(&mut draws, &worse, 5), 5),
                units(&roll(&mut draws, &rates, 5), 5),
            );
            let got = mover(Pair { a: &a, b: &b }, 0.05, Padding::Normal).unwrap();
            got.lower <= -0.1 && -0.1 <= got.upper
        });
        assert!(covered >= 0.94, "n {n}: {covered}");
    }
}

#[test]
fn a_specialist_breaks_sign_flip_but_not_the_directional_claim() {
    let mut draws = Draws::new(30);
    let (mut flips, mut claims) = (0, 0);
    for _ in 0..1000 {
        let generalist = roll(&mut draws, &[0.95; 20], 10);
        let dead: Vec<f64> = (0..20)
            .map(|_| f64::from(u8::from(draws.fraction() >= 0.05)))
            .collect();
        let specialist = roll(&mut draws, &dead, 10);
        let runs = [10; 20];
        let (a, b) = (
            Arm::new(&specialist, &runs).unwrap(),
            Arm::new(&generalist, &runs).unwrap(),
        );
        flips += u32::from(sign_flip(a, b).unwrap().p_two_sided <= 0.05);
        let pair = Pair {
            a: &Units::tasks(a),
            b: &Units::tasks(b),
        };
        let claim = directional_holm(&[pair], 0.05, Padding::Normal).unwrap()[0].claim;
        claims += u32::from(claim != Direction::Unsettled);
    }
    assert!(
        (270..370).contains(&flips),
        "sign-flip rejects {flips} of 1000"
    );
    assert!(claims <= 20, "{claims} false claims of 1000");
}

/// Equal cells that find other tasks hard: pooled, one rollout in a task stands for another.
#[test]
fn pooled_rollouts_see_differences_that_equal_cells_do_not_have() {
    let mut draws = Draws::new(31);
    for tasks in [4, 10, 20] {
        let runs = vec![5; tasks];
        let mut arm = || {
            let hard = |draws: &mut Draws| if draws.fraction() < 0.5 { 0.2 } else { 1.0 };
            let rates: Vec<f64> = (0..tasks).map(|_| hard(&mut draws)).collect();
            roll(&mut draws, &rates, 5)
        };
        let (mut pooled, mut flips) = (0, 0);
        for _ in 0..1000 {
            let (a, b) = (arm(), arm());
            let row = |passes: &[u32]| {
                let passed: u64 = passes.iter().map(|k| u64::from(*k)).sum();
                [passed, 5 * tasks as u64 - passed]
            };
            pooled += u32::from(fisher_exact([row(&a), row(&b)]).two_sided <= 0.05);
            let (a, b) = (Arm::new(&a, &runs).unwrap(), Arm::new(&b, &runs).unwrap());
            flips += u32::from(sign_flip(a, b).unwrap().p_two_sided <= 0.05);
        }
        assert!(pooled > 200, "{tasks} tasks: pooled {pooled} of 1000");
        assert!(flips <= 65, "{tasks} tasks: sign-flip {flips} of 1000");
    }
}

#[test]
fn shared_dead_tasks_stay_near_the_level() {
    // half the tasks are dead for both; elsewhere the challenger is perfect but for 5% dead tasks
    for (seed, padding, bound) in [(31, Padding::Normal, 0.085), (32, Padding::Strict, 0.08)] {
        let mut draws = Draws::new(seed);
        let margin = 0.1;
        let wrong = share(800, || {
            let (mut base, mut challenger) = (Vec::new(), Vec::new());
            for _ in 0..100 {
                let shared = draws.fraction() < 0.5;
                base.push(if shared { 0.0 } else { 0.95 });
                let dead = shared || draws.fraction() < 0.05 + 2.0 * margin;
                challenger.push(if dead { 0.0 } else { 1.0 });
            }
            let (a, b) = (
                units(&roll(&mut draws, &challenger, 10), 10),
                units(&roll(&mut draws, &base, 10), 10),
            );
            noninferiority_holm(&[Pair { a: &a, b: &b }], margin, 0.05, padding).unwrap()[0].passed
        });
        assert!(wrong <= bound, "{padding:?}: {wrong}");
    }
}

#[test]
fn fifteen_candidates_at_the_margin_rarely_pass() {
    for (seed, n) in [(40, 20), (41, 50)] {
        let mut draws = Draws::new(seed);
        let mut wrong = 0;
        for _ in 0..300 {
            let base: Vec<f64> = (0..n)
                .map(|_| [0.7, 0.9, 1.0, 1.0][draws.index(4)])
                .collect();
            let worse: Vec<f64> = base.iter().map(|p| p - 0.1).collect();
            let baseline = units(&roll(&mut draws, &base, 5), 5);
            let cells: Vec<Units> = (0..15)
                .map(|_| units(&roll(&mut draws, &worse, 5), 5))
                .collect();
            let pairs: Vec<Pair<'_>> = cells.iter().map(|a| Pair { a, b: &baseline }).collect();
            let rows = noninferiority_holm(&pairs, 0.1, 0.05, Padding::Normal).unwrap();
            wrong += u32::from(rows.iter().any(|row| row.passed));
        }
        assert!(wrong <= 15, "n {n}: {wrong} of 300");
    }
}

#[test]
fn the_pack_line_misses_five_percent() {
    for (seed, n, runs) in [(50, 4, 2), (51, 10, 5), (52, 20, 10)] {
        let mut draws = Draws::new(seed);
        let a: Vec<f64> = (0..n).map(|i| [0.9, 0.5, 1.0, 0.7][i % 4]).collect();
        let b: Vec<f64> = (0..n).map(|i| [1.0, 0.8, 0.9, 0.4][i % 4]).collect();
        let truth = a.iter().sum::<f64>() / n as f64 - b.iter().sum::<f64>() / n as f64;
        let list = vec![runs; n];
        let missed = share(3000, || {
            let (a, b) = (roll(&mut draws, &a, runs), roll(&mut draws, &b, runs));
            let line =
                pack_line(Arm::new(&a, &list).unwrap(), Arm::new(&b, &list).unwrap()).unwrap();
            line.lower_one_sided(0.05) > truth
        });
        assert!(missed <= 0.065, "n {n} R {runs}: {missed}");
    }
}

#[test]
fn the_best_of_forty_equal_cells_is_not_overpraised() {
    let mut draws = Draws::new(60);
    let runs = [5; 50];
    let (mut missed, mut plain_missed) = (0, 0);
    for _ in 0..400 {
        let cells: Vec<Vec<u32>> = (0..40)
            .map(|_| {
                let rates: Vec<f64> = (0..50)
                    .map(|_| [0.5, 0.8, 0.9, 1.0][draws.index(4)])
                    .collect();
                roll(&mut draws, &rates, 5)
            })
            .collect();
        let units = |c: &Vec<u32>| Units::tasks(Arm::new(c, &runs).unwrap());
        let units: Vec<Units> = cells.iter().map(units).collect();
        let best = winner(&units, 0.05).unwrap();
        missed += u32::from(best.simultaneous.lower > 0.8);
        plain_missed += u32::from(korn_graubard(&units[best.index], 0.05).unwrap().lower > 0.8);
    }
    assert!(missed <= 16, "{missed} of 400");
    assert!(
        plain_missed >= 100,
        "the plain interval should fail here: {plain_missed}"
    );
}

#[test]
fn leaning_of_weighted_tasks_keeps_its_odds() {
    // two kinds of tasks, one of them with four times the weight; the true difference varies
    let mut draws = Draws::new(80);
    let (runs, weights) = ([5; 20], [[4.0; 5].as_slice(), &[1.0; 15]].concat());
    let (mut sure, mut right) = (0, 0);
    for _ in 0..3000 {
        let drop = 0.25 * draws.fraction() - 0.05;
        let base: Vec<f64> = (0..20)
            .map(|_| [0.6, 0.8, 0.9, 1.0][draws.index(4)])
            .collect();
        let less: Vec<f64> = base
            .iter()
            .map(|p| (p - 2.0 * drop * draws.fraction()).clamp(0.0, 1.0))
            .collect();
        let (a, b) = (roll(&mut draws, &less, 5), roll(&mut draws, &base, 5));
        let units =
            |passes: &[u32]| Units::weighted(Arm::new(passes, &runs).unwrap(), &weights).unwrap();
        let odds = leaning(&units(&a), &units(&b), 0.1).unwrap();
        if odds.p_within_margin >= 0.9 {
            sure += 1;
            right += u32::from(drop <= 0.1);
        }
    }
    assert!(sure > 200 && right * 100 >= sure * 88, "{right} of {sure}");
}

#[test]
fn rare_dear_tasks_need_the_cap() {
    // 3% of tasks cost 20 times as much; no rollout costs over 1.0
    let mut draws = Draws::new(70);
    let truth = 0.04 * (0.97 + 0.03 * 20.0) / 0.8;
    let (mut capped, mut plain) = (0, 0);
    for _ in 0..1000 {
        let passes = roll(&mut draws, &[0.8; 20], 5);
        let costs: Vec<f64> = (0..20)
            .map(|_| {
                let dear = if draws.fraction() < 0.03 { 20.0 } else { 1.0 };
                5.0 * 0.04 * dear * (0.8 + 0.4 * draws.fraction())
            })
            .collect();
        let arm = CostArm::new(Arm::new(&passes, &[5; 20]).unwrap(), &costs).unwrap();
        let covers = |cap| {
            let limits = cost_per_success(&arm, 0.05, cap).unwrap().limits.unwrap();
            limits.lower <= truth && limits.upper.is_none_or(|upper| truth <= upper)
        };
        capped += u32::from(covers(Some(1.0)));
        plain += u32::from(covers(None));
    }
    assert!(capped >= 940, "{capped} of 1000");
    assert!(plain <= 800, "the plain interval should fail here: {plain}");
}

#[test]
fn undeclared_families_break_the_interval_and_declared_ones_mend_it() {
    let mut draws = Draws::new(80);
    let family: Vec<usize> = (0..50).map(|task| task / 5).collect();
    let (mut with, mut without) = (0, 0);
    for _ in 0..1000 {
        let centres: Vec<f64> = (0..10).map(|_| [0.4, 1.0, 1.0][draws.index(3)]).collect();
        let rates: Vec<f64> = family.iter().map(|f| centres[*f]).collect();
        let passes = roll(&mut draws, &rates, 5);
        let arm = Arm::new(&passes, &[5; 50]).unwrap();
        let covers = |units: &Units| {
            let got = korn_graubard(units, 0.05).unwrap();
            got.lower <= 0.8 && 0.8 <= got.upper
        };
        with += u32::from(covers(
            &Units::families(arm, &family, FamilyWeight::ByTasks).unwrap(),
        ));
        without += u32::from(covers(&Units::tasks(arm)));
    }
    assert!(with >= 940, "{with} of 1000");
    assert!(without <= 880, "unpooled tasks should fail here: {without}");
}
