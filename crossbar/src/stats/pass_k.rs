//! pass@k (at least one of k rollouts passes) and pass^k (all k pass), unbiased per task (sections
//! 2f and 3.10).

use super::arm::Arm;
use super::error::StatsError;

/// Both values of every task of one cell.
#[derive(Clone, Debug, PartialEq)]
pub struct PassK {
    /// 1 - C(R-c, k) / C(R, k) of each task: capability
    pub at: Vec<f64>,
    /// C(c, k) / C(R, k) of each task: reliability
    pub hat: Vec<f64>,
}

/// The share of k-subsets of `runs` rollouts with at least one of the `passes`, in [0, 1];
/// `None` if k is 0 or above `runs`, or passes exceed runs.
pub fn pass_at_k(runs: u32, passes: u32, k: u32) -> Option<f64> {
    let fails = runs.checked_sub(passes)?;
    subset_share(runs, fails, k).map(|all_fail| 1.0 - all_fail)
}

/// The share of k-subsets of `runs` rollouts that are all among the `passes`, in [0, 1];
/// `None` if k is 0 or above `runs`, or passes exceed runs.
pub fn pass_hat_k(runs: u32, passes: u32, k: u32) -> Option<f64> {
    if passes > runs {
        None
    } else {
        subset_share(runs, passes, k)
    }
}

/// C(c, k) / C(n, k) as a product of k factors: no large number ever appears.
fn subset_share(n: u32, c: u32, k: u32) -> Option<f64> {
    if k == 0 || k > n {
        return None;
    }
    if k > c {
        return Some(0.0);
    }
    Some(
        (0..k)
            .map(|i| f64::from(c - i) / f64::from(n - i))
            .product(),
    )
}

/// pass@k and pass^k of every task of a cell. As graded units they go into
/// [`korn_graubard`](super::korn_graubard()), by task, weight or family.
/// Errors: k = 0, a task with fewer than k rollouts.
pub fn pass_k(arm: Arm<'_>, k: u32) -> Result<PassK, StatsError> {
    let (mut at, mut hat) = (
        Vec::with_capacity(arm.tasks()),
        Vec::with_capacity(arm.tasks()),
    );
    for (task, (passes, runs)) in arm.counts().enumerate() {
        let too_few = StatsError::TooFewRuns {
            task,
            runs,
            needed: k.max(1),
        };
        let zero = StatsError::OutOfRange {
            name: "k",
            value: 0.0,
        };
        let error = if k == 0 { zero } else { too_few };
        at.push(pass_at_k(runs, passes, k).ok_or_else(|| error.clone())?);
        hat.push(pass_hat_k(runs, passes, k).ok_or(error)?);
    }
    Ok(PassK { at, hat })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pinned_values() {
        assert_eq!(pass_at_k(5, 4, 2), Some(1.0));
        for (k, want) in [(2, 0.6), (4, 0.2), (5, 0.0)] {
            assert!((pass_hat_k(5, 4, k).unwrap() - want).abs() < 1e-15);
        }
        assert_eq!(pass_hat_k(5, 4, 6), None);
        assert!(pass_at_k(1000, 500, 900).unwrap() <= 1.0);
    }

    #[test]
    fn equals_enumeration() {
        for n in 1..=12_u32 {
            for c in 0..=n {
                for k in 1..=n {
                    let subsets = (0..1_u32 << n).filter(|s| s.count_ones() == k);
                    let passing = (1_u32 << c) - 1;
                    let (mut all, mut any, mut hat) = (0.0, 0.0, 0.0);
                    for subset in subsets {
                        all += 1.0;
                        any += f64::from(u8::from(subset & passing != 0));
                        hat += f64::from(u8::from(subset & passing == subset));
                    }
                    assert!((pass_at_k(n, c, k).unwrap() - any / all).abs() < 1e-12);
                    assert!((pass_hat_k(n, c, k).unwrap() - hat / all).abs() < 1e-12);
                }
            }
        }
    }

    #[test]
    fn three_solid_and_two_dead_tasks() {
        let both = pass_k(Arm::new(&[4, 4, 4, 0, 0], &[4; 5]).unwrap(), 2).unwrap();
        assert_eq!((&both.at, both.at.iter().sum()), (&both.hat, 3.0));
        let few = pass_k(Arm::new(&[4, 1], &[4, 1]).unwrap(), 2).unwrap_err();
        assert_eq!(
            few,
            StatsError::TooFewRuns {
                task: 1,
                runs: 1,
                needed: 2
            }
        );
    }
}
