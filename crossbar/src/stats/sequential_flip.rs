//! The exact sign-flip test over several looks: one sign per task for its whole path, so that the
//! error over all looks is what was to be spent (section 3.7, rules A1 and A2). Level 0.7 to 4.7% at
//! 5% for exchangeable cells; 29.8% against a specialist, so it never makes a directional word alone.

use super::error::StatsError;
use super::limits::in_range;
use super::signs::{Signs, tasks_of};
use super::spending::Looks;

/// Which sign vectors are taken beyond 14 tasks: the observed one and `drawn` seeded ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FlipDraws {
    /// seeded sign vectors, 9,999 unless there is a reason
    pub drawn: usize,
    /// seed of the ChaCha8 streams
    pub seed: u64,
}

/// What happened at one look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FlipLook {
    /// how many more sign vectors may be rejected here; none if it isn't above 0
    pub allowed: i64,
    /// the |sum| that a rejected one must exceed; `None` where none may be
    pub cut: Option<i64>,
    /// sign vectors rejected here
    pub rejected: u64,
}

/// The test up to the last look that there are data for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SequentialFlip {
    /// the look at which the observed path was rejected, from 0
    pub stop: Option<usize>,
    /// every look until then
    pub looks: Vec<FlipLook>,
}

/// The largest |difference| of one task at one look that is taken.
const MOST: i64 = 1 << 40;

/// Joint test of the cumulative differences: `at_look[k][i]` is task i's difference (passes of the
/// challenger minus those of the baseline over the same repeats, or families' sums) up to look k.
/// A task that joins at a later look has 0 before. Looks still to come are left out.
/// Errors: no look or task, more looks than planned, lists of different lengths, no vector drawn.
pub fn sequential_flip(
    at_look: &[&[i64]],
    looks: &Looks,
    draws: FlipDraws,
) -> Result<SequentialFlip, StatsError> {
    let tasks = check(at_look, looks, draws)?;
    let signs = Signs::of(tasks, draws.drawn, draws.seed);
    let sums = signs.sums(at_look, 0, signs.len());
    let mut alive: Vec<usize> = (0..signs.len()).collect();
    let mut seen = SequentialFlip {
        stop: None,
        looks: Vec::new(),
    };
    for (look, spent) in (0..at_look.len()).zip(looks.spent()) {
        let statistic = |vector: usize| sums[vector * at_look.len() + look].abs();
        let all = signs.len();
        // the spent error is a rounded fraction, the number of vectors is not
        let may = (spent * all as f64 + 1e-9).floor() as i64;
        let allowed = may - (all - alive.len()) as i64;
        if allowed <= 0 {
            seen.looks.push(FlipLook {
                allowed,
                cut: None,
                rejected: 0,
            });
            continue;
        }
        let cut = cut(
            alive.iter().map(|v| statistic(*v)).collect(),
            allowed as usize,
        );
        let before = alive.len();
        alive.retain(|v| statistic(*v) <= cut);
        seen.looks.push(FlipLook {
            allowed,
            cut: Some(cut),
            rejected: (before - alive.len()) as u64,
        });
        if alive.first() != Some(&0) {
            seen.stop = Some(look);
            break;
        }
    }
    Ok(seen)
}

/// The (allowed + 1)-th largest of the statistics, below all of them if there are no more.
fn cut(mut statistics: Vec<i64>, allowed: usize) -> i64 {
    if allowed >= statistics.len() {
        return -1;
    }
    let (_, cut, _) = statistics.select_nth_unstable_by(allowed, |a, b| b.cmp(a));
    *cut
}

fn check(at_look: &[&[i64]], looks: &Looks, draws: FlipDraws) -> Result<usize, StatsError> {
    let tasks = tasks_of(at_look, MOST)?;
    in_range(
        "looks",
        at_look.len() as f64,
        at_look.len() <= looks.spent().len(),
    )?;
    in_range("drawn sign vectors", draws.drawn as f64, draws.drawn > 0)?;
    Ok(tasks)
}

#[cfg(test)]
mod tests {
    use super::super::{Spending, sign_flip_counts};
    use super::*;

    const DRAWS: FlipDraws = FlipDraws {
        drawn: 9_999,
        seed: 1,
    };

    #[test]
    fn one_look_is_the_exact_test() {
        let looks = Looks::new(Spending::Pocock, 0.05, &[5]).unwrap();
        for differences in [
            vec![2, 3, 1, 2, 1, 4],
            vec![2, 3, 1, -2, 1, 4],
            vec![5; 5],
            vec![5; 6],
        ] {
            let got = sequential_flip(&[&differences], &looks, DRAWS).unwrap();
            let significant = sign_flip_counts(&differences).p_two_sided <= 0.05;
            assert_eq!(got.stop == Some(0), significant, "{differences:?}");
        }
    }

    #[test]
    fn later_looks_do_not_change_what_an_earlier_one_said() {
        let paths: [&[i64]; 3] = [&[3; 20], &[4; 20], &[9; 20]];
        let looks = Looks::new(Spending::Pocock, 0.05, &[3, 5, 10]).unwrap();
        let first = sequential_flip(&paths[..1], &looks, DRAWS).unwrap();
        let all = sequential_flip(&paths, &looks, DRAWS).unwrap();
        assert_eq!((first.stop, all.stop), (Some(0), Some(0)));
        assert_eq!(first.looks[0], all.looks[0]);
    }

    #[test]
    fn as_many_are_rejected_as_the_error_allows() {
        let look = |alpha, differences: &[i64]| {
            let looks = Looks::new(Spending::Pocock, alpha, &[5]).unwrap();
            let got = sequential_flip(&[differences], &looks, DRAWS).unwrap();
            (got.stop, got.looks[0])
        };
        // a twentieth of 10,000 vectors, which rounding must not make 499
        assert_eq!(look(0.05, &[1; 20]).1.allowed, 500);
        // the whole error rejects every vector, those whose sum is 0 with them
        let (stop, all) = look(1.0, &[1, 1, 0]);
        assert_eq!((stop, all.allowed, all.rejected), (Some(0), 8, 8));
    }

    #[test]
    fn wrong_shapes_are_refused() {
        let looks = Looks::new(Spending::Pocock, 0.05, &[3]).unwrap();
        assert!(sequential_flip(&[], &looks, DRAWS).is_err());
        assert!(sequential_flip(&[&[1], &[2]], &looks, DRAWS).is_err());
        let none = FlipDraws { drawn: 0, seed: 1 };
        assert!(sequential_flip(&[&[1]], &looks, none).is_err());
    }
}
