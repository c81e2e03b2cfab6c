//! "Do the arms differ on these very tasks?": the exact conditional test that holds each task's
//! total of passes fixed and sums over tasks (formula 3.3). Valid at any number of tasks; it says
//! nothing about other tasks (28-54% false claims if read that way).

use super::arm::Arm;
use super::beta::ln_choose;
use super::error::StatsError;

/// Tail probabilities of the sum of a's passes given every task's total.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StratifiedExact {
    /// P(at least as far from the mean as observed)
    pub p_two_sided: f64,
    /// two-sided p less half the mass at the observed distance
    pub mid_p: f64,
    /// P(sum >= observed)
    pub p_greater: f64,
    /// P(sum <= observed)
    pub p_less: f64,
    /// sum of a's passes
    pub observed: u64,
    /// its mean if the arms don't differ
    pub expected: f64,
}

/// Edges of the distribution below this are dropped: they can't reach a printed digit, and
/// denormal numbers are slow.
const DROP: f64 = 1e-280;

/// Distances closer than this are equal: expectations of unequal arms are rounded fractions.
const SAME: f64 = 1e-7;

/// The exact stratified test; arms may have different repeats.
/// Errors: other tasks in the two arms.
pub fn stratified_exact(a: Arm<'_>, b: Arm<'_>) -> Result<StratifiedExact, StatsError> {
    a.check_same_tasks(&b)?;
    let mut sum = SumOfPasses {
        first: 0,
        mass: vec![1.0],
    };
    let mut expected = 0.0;
    for ((pass_a, runs_a), (pass_b, runs_b)) in a.counts().zip(b.counts()) {
        let total = pass_a + pass_b;
        expected += f64::from(runs_a) * f64::from(total) / f64::from(runs_a + runs_b);
        sum.add(&Stratum {
            total: total.into(),
            runs_a: runs_a.into(),
            runs_b: runs_b.into(),
        });
    }
    Ok(sum.tails(a.total_passes(), expected))
}

struct Stratum {
    total: u64,
    runs_a: u64,
    runs_b: u64,
}

impl Stratum {
    /// The smallest possible number of a's passes, and the hypergeometric mass from there on.
    fn hypergeometric(&self) -> (u64, Vec<f64>) {
        let first = self.total.saturating_sub(self.runs_b);
        let last = self.total.min(self.runs_a);
        let ln_all = ln_choose(self.runs_a + self.runs_b, self.total);
        let ln_mass =
            |k: u64| ln_choose(self.runs_a, k) + ln_choose(self.runs_b, self.total - k) - ln_all;
        (first, (first..=last).map(|k| ln_mass(k).exp()).collect())
    }
}

/// Distribution of a's passes summed over the strata so far.
struct SumOfPasses {
    first: u64,
    mass: Vec<f64>,
}

impl SumOfPasses {
    fn add(&mut self, stratum: &Stratum) {
        let (first, part) = stratum.hypergeometric();
        self.first += first;
        if part.len() == 1 {
            return;
        }
        let mut next = vec![0.0; self.mass.len() + part.len() - 1];
        for (shift, weight) in part.iter().enumerate() {
            for (to, from) in next[shift..].iter_mut().zip(&self.mass) {
                *to += weight * from;
            }
        }
        let head = next.iter().take_while(|&&m| m < DROP).count();
        let tail = next.iter().rev().take_while(|&&m| m < DROP).count();
        self.first += head as u64;
        self.mass = next[head..next.len() - tail].to_vec();
    }

    fn tails(&self, observed: u64, expected: f64) -> StratifiedExact {
        let distance = (observed as f64 - expected).abs();
        let (mut two_sided, mut equal, mut greater, mut less) = (0.0, 0.0, 0.0, 0.0);
        for (sum, &mass) in (self.first..).zip(&self.mass) {
            let away = (sum as f64 - expected).abs() - distance;
            if away > -SAME {
                two_sided += mass;
            }
            if away.abs() < SAME {
                equal += mass;
            }
            if sum >= observed {
                greater += mass;
            }
            if sum <= observed {
                less += mass;
            }
        }
        StratifiedExact {
            p_two_sided: f64::min(two_sided, 1.0),
            mid_p: f64::min(two_sided - 0.5 * equal, 1.0),
            p_greater: f64::min(greater, 1.0),
            p_less: f64::min(less, 1.0),
            observed,
            expected,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_task_is_fishers_test() {
        let (a, b) = (
            Arm::new(&[9], &[10]).unwrap(),
            Arm::new(&[3], &[10]).unwrap(),
        );
        let (got, fisher) = (
            stratified_exact(a, b).unwrap(),
            super::super::fisher_exact([[9, 1], [3, 7]]),
        );
        assert!((got.p_greater - fisher.greater).abs() < 1e-12);
        assert!((got.p_two_sided - fisher.two_sided).abs() < 1e-12);
    }

    #[test]
    fn clean_arms_have_p_one() {
        let arm = Arm::new(&[5; 40], &[5; 40]).unwrap();
        let test = stratified_exact(arm, arm).unwrap();
        assert_eq!((test.p_two_sided, test.observed), (1.0, 200));
    }

    #[test]
    fn edges_that_reach_no_digit_are_dropped_and_the_rest_stays_where_it_is() {
        let stratum = Stratum {
            total: 10,
            runs_a: 10,
            runs_b: 10,
        };
        let mut sum = SumOfPasses {
            first: 0,
            mass: vec![1.0],
        };
        (0..100).for_each(|_| sum.add(&stratum));
        let (first, last) = (sum.mass[0], sum.mass[sum.mass.len() - 1]);
        assert!(first >= DROP && last >= DROP, "{first} {last}");
        let half = Arm::new(&[5; 100], &[10; 100]).unwrap();
        let test = stratified_exact(half, half).unwrap();
        assert!((test.p_less - test.p_greater).abs() < 1e-9, "{test:?}");
        assert!((0.5..0.52).contains(&test.p_less), "{test:?}");
    }

    #[test]
    fn four_tasks_can_be_significant() {
        let (a, b) = (
            Arm::new(&[0, 1, 0, 1], &[5; 4]).unwrap(),
            Arm::new(&[5, 5, 4, 5], &[5; 4]).unwrap(),
        );
        assert!(stratified_exact(a, b).unwrap().p_two_sided < 0.001);
    }
}
