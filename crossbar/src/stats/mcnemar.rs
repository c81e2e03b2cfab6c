//! McNemar's exact test for one binary outcome per task and arm: a cross-check beside the
//! sign-flip test, which keeps the repeats that this one throws away.

use super::arm::Arm;
use super::binomial::binomial_mass;
use super::error::StatsError;

/// The test on the tasks that only one arm passes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct McNemar {
    /// tasks that only a passes
    pub only_a: u64,
    /// tasks that only b passes
    pub only_b: u64,
    /// exact two-sided p
    pub exact: f64,
    /// mid-p: less conservative, level held in practice (Fagerland et al. 2013)
    pub mid_p: f64,
}

/// McNemar's test from the two discordant counts; none gives p = 1.
pub fn mcnemar(only_a: u64, only_b: u64) -> McNemar {
    let (n, fewer) = (only_a + only_b, only_a.min(only_b));
    if n == 0 {
        return McNemar {
            only_a,
            only_b,
            exact: 1.0,
            mid_p: 1.0,
        };
    }
    let mass = |k: u64| binomial_mass(k, n, 0.5);
    let tail: f64 = (0..=fewer).map(mass).sum();
    let mid_p = if only_a == only_b {
        1.0 - 0.5 * mass(fewer)
    } else {
        2.0 * tail - mass(fewer)
    };
    McNemar {
        only_a,
        only_b,
        exact: (2.0 * tail).min(1.0),
        mid_p,
    }
}

/// Collapses each task to the majority of its rollouts first; a task that is tied in either arm
/// counts as concordant. Errors: other tasks in the two arms.
pub fn mcnemar_majority(a: Arm<'_>, b: Arm<'_>) -> Result<McNemar, StatsError> {
    a.check_same_tasks(&b)?;
    let majority = |(passes, runs): (u32, u32)| (2 * u64::from(passes)).cmp(&u64::from(runs));
    let (mut only_a, mut only_b) = (0, 0);
    for (a, b) in a.counts().zip(b.counts()) {
        match (majority(a), majority(b)) {
            (std::cmp::Ordering::Greater, std::cmp::Ordering::Less) => only_a += 1,
            (std::cmp::Ordering::Less, std::cmp::Ordering::Greater) => only_b += 1,
            _ => {}
        }
    }
    Ok(mcnemar(only_a, only_b))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pinned_values() {
        assert!((mcnemar(10, 2).exact - 0.03857).abs() < 5e-6);
        assert_eq!(mcnemar(10, 2).exact, mcnemar(2, 10).exact);
        assert_eq!(mcnemar(0, 0).exact, 1.0);
        assert_eq!(mcnemar(5, 5).exact, 1.0);
    }

    #[test]
    fn majorities_with_ties_concordant() {
        let a = Arm::new(&[4, 2, 2, 0], &[4; 4]).unwrap();
        let b = Arm::new(&[1, 0, 2, 3], &[4; 4]).unwrap();
        let test = mcnemar_majority(a, b).unwrap();
        assert_eq!((test.only_a, test.only_b), (1, 1));
    }
}
