//! What must not change a figure: threads, the order of the record, a resume, repeats that say
//! nothing new.

use crossbar::analysis::NamedInterval;
use crossbar_suites::results::Results;

/// Numbers that look random and are the same everywhere (SplitMix64).
struct Draws(u64);

impl Draws {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % limit as u64) as usize
    }
}

/// A sweep with everything that is drawn: front, noise, max-T over more than 14 tasks, a bootstrap.
fn sweep(seed: u64, tasks: usize) -> Results {
    let mut draws = Draws(seed);
    let mut results = Results::new(tasks, 5);
    for (cell, micros) in [("a+x", 900), ("b+x", 300), ("c+x", 70)] {
        let passes: Vec<u32> = (0..tasks)
            .map(|_| [0, 1, 3, 4, 5, 5, 5][draws.below(7)])
            .collect();
        results = results.cell(cell, micros, &passes);
    }
    results.question.ci = NamedInterval::named("bootstrap-percentile");
    results.baseline("a+x")
}

#[test]
fn one_thread_and_eight_give_the_same_bits() {
    let results = sweep(1, 40);
    let alone = results.json().to_string();
    let together: Vec<String> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..8)
            .map(|_| scope.spawn(|| results.json().to_string()))
            .collect();
        threads.into_iter().map(|one| one.join().unwrap()).collect()
    });
    assert!(together.iter().all(|text| *text == alone));
}

#[test]
fn no_order_of_the_record_and_no_resume_changes_a_bit() {
    let results = sweep(2, 25);
    let whole = results.json().to_string();
    let mut draws = Draws(9);
    for _ in 0..5 {
        let mut shuffled = results.clone();
        for at in (1..shuffled.rows.len()).rev() {
            shuffled.rows.swap(at, draws.below(at + 1));
            shuffled.planned.swap(at, draws.below(at + 1));
        }
        assert_eq!(shuffled.json().to_string(), whole);
        // what is there when a run is cut claims nothing, and the rest makes it whole
        let mut first = shuffled.clone();
        let rest = first
            .rows
            .split_off(draws.below(shuffled.rows.len() - 1) + 1);
        assert!(!first.analyze().verdict().claims());
        first.rows.splice(0..0, rest);
        assert_eq!(first.json().to_string(), whole);
    }
}

#[test]
fn repeats_that_say_nothing_new_change_no_test_over_tasks() {
    for seed in 0..6 {
        let mut once = sweep(seed, 8 + 3 * seed as usize);
        once.question.ci = NamedInterval::named("wilson");
        let mut twice = Results::new(once.question.tasks.len(), 10);
        for (cell, micros) in [("a+x", 900), ("b+x", 300), ("c+x", 70)] {
            let passes = once
                .rows
                .chunks(5)
                .filter(|rows| rows[0].key.cell.to_string() == cell);
            let passes = passes.map(|rows| {
                let accepted = rows.iter().filter(|row| row.outcome.is_accepted());
                2 * accepted.count() as u32
            });
            twice = twice.cell(cell, micros, &passes.collect::<Vec<_>>());
        }
        twice.question.ci = once.question.ci;
        let (once, twice) = (once.analyze(), twice.baseline("a+x").analyze());
        for (one, two) in once.comparisons.iter().zip(&twice.comparisons) {
            let (one, two) = (one.like.as_ref().unwrap(), two.like.as_ref().unwrap());
            assert_eq!(one.pattern_p, two.pattern_p);
            assert_eq!(one.pattern_adjusted_p, two.pattern_adjusted_p);
            assert_eq!(one.pattern_screen_p, two.pattern_screen_p);
        }
        let (one, two) = (once.cross_check.unwrap(), twice.cross_check.unwrap());
        for (one, two) in one.comparisons.iter().zip(&two.comparisons) {
            assert_eq!(one.mcnemar, two.mcnemar);
        }
        // tasks differ far more than their repeats do here: the interval is that of the tasks
        for (one, two) in once.cells.iter().zip(&twice.cells) {
            let (one, two) = (one.pass_rate.unwrap(), two.pass_rate.unwrap());
            assert!((one.interval().lo - two.interval().lo).abs() < 1e-9);
        }
    }
}
