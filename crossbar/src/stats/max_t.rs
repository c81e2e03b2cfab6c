//! "Do the patterns differ?" over several challengers: Westfall and Young's step-down max-T with
//! one common sign per task (section 3.6, integers by rule A10). A screen, no claim about means: a
//! common baseline and specialists break its level (up to 76% false claims if read so).

use std::cmp::Ordering;

use super::bootstrap::Resampling;
use super::error::StatsError;
use super::limits::in_range;
use super::signs::{Signs, tasks_of};

/// One comparison of the family.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MaxT {
    /// numerator of T^2 = n S^2 / (n Q - S^2), S the sum of the differences, Q that of squares
    pub numerator: i128,
    /// its denominator; 0 where every task differs alike, so that T is infinite
    pub denominator: i128,
    /// place in the step-down order, from 0; ties keep the input order
    pub step: usize,
    /// sign vectors whose largest statistic among the comparisons not yet stepped over is at least
    /// this one's, made monotone along the order
    pub hits: u64,
    /// sign vectors in all, the observed one among them
    pub of: u64,
    /// share of sign vectors with an |S| of at least this comparison's own
    pub unadjusted_p: f64,
}

impl MaxT {
    /// p after the step-down, in (0, 1]: exact up to 14 tasks, else (b+1)/(B+1).
    pub fn adjusted_p(&self) -> f64 {
        self.hits as f64 / self.of as f64
    }

    /// |T|; `None` where it is infinite.
    pub fn statistic(&self) -> Option<f64> {
        let finite = self.denominator > 0;
        finite.then(|| (self.numerator as f64 / self.denominator as f64).sqrt())
    }
}

/// S^2 over Q. T^2 grows with it, and n is the same for all, so it orders as T does.
#[derive(Clone, Copy)]
struct Ratio {
    s2: u128,
    q: u128,
}

impl Ratio {
    fn new(sum: i64, q: u128) -> Self {
        if q == 0 {
            return Self { s2: 0, q: 1 };
        }
        let s2 = u128::from(sum.unsigned_abs()).pow(2);
        Self { s2, q }
    }

    fn compare(self, other: Self) -> Ordering {
        (self.s2 * other.q).cmp(&(other.s2 * self.q))
    }

    fn reaches(self, other: Self) -> bool {
        self.compare(other).is_ge()
    }
}

/// How many vectors' sums are held at once.
const CHUNK: usize = 2048;

/// Largest difference that is taken: products of four of them must stay within 128 bits.
const MOST: i64 = 1 << 20;

/// Step-down max-T over the comparisons; each lists the integer differences of all n tasks (or
/// families) from the baseline, in the same order ([`SignFlip::units`](super::SignFlip)). All 2^n
/// sign vectors up to 14 tasks, else the observed one and `resampling.resamples` seeded ones.
/// Errors: no comparison or task, comparisons of different lengths, no resample, a difference
/// beyond 2^20.
pub fn max_t(comparisons: &[&[i64]], resampling: Resampling) -> Result<Vec<MaxT>, StatsError> {
    let tasks = check(comparisons, resampling)?;
    let squares: Vec<u128> = comparisons
        .iter()
        .map(|d| d.iter().map(|d| u128::from(d.unsigned_abs()).pow(2)).sum())
        .collect();
    let totals: Vec<i64> = comparisons.iter().map(|d| d.iter().sum()).collect();
    let ratio = |j: usize, sum: i64| Ratio::new(sum, squares[j]);
    let observed: Vec<Ratio> = (0..totals.len()).map(|j| ratio(j, totals[j])).collect();
    let mut order: Vec<usize> = (0..totals.len()).collect();
    order.sort_by(|&i, &j| observed[j].compare(observed[i]));

    let signs = Signs::of(tasks, resampling.resamples, resampling.seed);
    let mut hits = vec![(0_u64, 0_u64); totals.len()];
    for from in (0..signs.len()).step_by(CHUNK) {
        let to = (from + CHUNK).min(signs.len());
        for row in signs.sums(comparisons, from, to).chunks_exact(totals.len()) {
            let mut largest = Ratio { s2: 0, q: 1 };
            for &j in order.iter().rev() {
                let own = ratio(j, row[j]);
                if own.reaches(largest) {
                    largest = own;
                }
                hits[j].0 += u64::from(largest.reaches(observed[j]));
                hits[j].1 += u64::from(row[j].abs() >= totals[j].abs());
            }
        }
    }
    let mut steps: Vec<MaxT> = (0..totals.len())
        .map(|j| MaxT {
            hits: hits[j].0,
            of: signs.len() as u64,
            unadjusted_p: hits[j].1 as f64 / signs.len() as f64,
            ..t_squared(totals[j], squares[j], tasks)
        })
        .collect();
    let mut most = 0;
    for (step, &j) in order.iter().enumerate() {
        most = steps[j].hits.max(most);
        (steps[j].step, steps[j].hits) = (step, most);
    }
    Ok(steps)
}

fn check(comparisons: &[&[i64]], resampling: Resampling) -> Result<usize, StatsError> {
    let tasks = tasks_of(comparisons, MOST)?;
    let count = resampling.resamples;
    in_range("resamples", count as f64, count > 0)?;
    Ok(tasks)
}

fn t_squared(sum: i64, squares: u128, tasks: usize) -> MaxT {
    let (n, s2) = (tasks as i128, i128::from(sum).pow(2));
    let (numerator, denominator) = if squares == 0 {
        (0, 1)
    } else {
        (n * s2, n * squares as i128 - s2)
    };
    MaxT {
        numerator,
        denominator,
        step: 0,
        hits: 0,
        of: 1,
        unadjusted_p: 1.0,
    }
}

#[cfg(test)]
mod tests {
    use super::super::sign_flip_counts;
    use super::*;

    const MANY: Resampling = Resampling {
        resamples: 9_999,
        seed: 5,
    };

    #[test]
    fn one_comparison_is_the_exact_sign_flip_test() {
        let differences = [3, -1, 0, 4, 2, -6, 1];
        let got = max_t(&[&differences], MANY).unwrap()[0];
        let exact = sign_flip_counts(&differences).p_two_sided;
        assert_eq!((got.adjusted_p(), got.unadjusted_p), (exact, exact));
        assert_eq!(got.of, 128);
    }

    #[test]
    fn drawn_signs_come_close_to_all_signs() {
        let differences: Vec<i64> = (0..30).map(|i| [2, 1, 0, -1, 3][i % 5]).collect();
        let got = max_t(&[&differences, &[0; 30]], MANY).unwrap();
        let exact = sign_flip_counts(&differences).p_two_sided;
        assert!(
            (got[0].unadjusted_p - exact).abs() < 0.002,
            "{got:?} {exact}"
        );
        assert_eq!((got[1].adjusted_p(), got[1].statistic()), (1.0, Some(0.0)));
    }

    #[test]
    fn wrong_shapes_are_refused() {
        assert_eq!(max_t(&[], MANY).unwrap_err(), StatsError::NoTasks);
        assert!(max_t(&[&[1, 2], &[1]], MANY).is_err());
        assert!(max_t(&[&[1 << 21]], MANY).is_err());
        assert!(
            max_t(
                &[&[1]],
                Resampling {
                    resamples: 0,
                    seed: 1
                }
            )
            .is_err()
        );
    }
}
