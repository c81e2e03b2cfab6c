//! The binomial distribution: probability, tails, and the exact two-sided test of one proportion.

use super::beta::{beta_cdf, ln_choose};
use super::error::StatsError;
use super::limits::in_range;

/// How `passes` of `runs` independent trials sit in the binomial distribution of one rate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Binomial {
    /// P(X = passes)
    pub mass: f64,
    /// P(X <= passes)
    pub at_most: f64,
    /// P(X >= passes)
    pub at_least: f64,
    /// sum over all counts that are no more likely than the observed one
    pub two_sided: f64,
}

/// Counts whose probabilities differ by less than this share count as equally likely, as in
/// scipy and R.
const SLACK: f64 = 1e-7;

/// Tails and the exact test of `passes` in `runs` against the true rate `rate`, in [0, 1].
/// Only for trials that are independent: one task's rollouts, never rollouts of several tasks.
/// Errors: more passes than runs, a rate outside [0, 1].
pub fn binomial(passes: u64, runs: u64, rate: f64) -> Result<Binomial, StatsError> {
    in_range("passes", passes as f64, passes <= runs)?;
    in_range("rate", rate, (0.0..=1.0).contains(&rate))?;
    let mass = binomial_mass(passes, runs, rate);
    let (k, n) = (passes as f64, runs as f64);
    let at_most = if passes == runs {
        1.0
    } else {
        beta_cdf(1.0 - rate, n - k, k + 1.0)
    };
    let at_least = if passes == 0 {
        1.0
    } else {
        beta_cdf(rate, k, n - k + 1.0)
    };
    let limit = mass * (1.0 + SLACK);
    let two_sided: f64 = (0..=runs)
        .map(|x| binomial_mass(x, runs, rate))
        .filter(|mass| *mass <= limit)
        .sum();
    Ok(Binomial {
        mass,
        at_most,
        at_least,
        two_sided: two_sided.min(1.0),
    })
}

/// P(X = k) for X binomial with `n` trials of rate `p`.
pub(crate) fn binomial_mass(k: u64, n: u64, p: f64) -> f64 {
    // 0 ln 0 is 0 here: what can't happen doesn't have to
    let times_ln = |count: u64, ln: f64| if count == 0 { 0.0 } else { count as f64 * ln };
    (ln_choose(n, k) + times_ln(k, p.ln()) + times_ln(n - k, libm::log1p(-p))).exp()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn certain_and_impossible_rates() {
        let all = binomial(3, 3, 1.0).unwrap();
        assert_eq!((all.mass, all.at_least, all.two_sided), (1.0, 1.0, 1.0));
        let none = binomial(1, 3, 0.0).unwrap();
        assert_eq!((none.mass, none.at_most, none.at_least), (0.0, 1.0, 0.0));
        assert_eq!(binomial(0, 0, 0.4).unwrap().two_sided, 1.0);
        assert!(binomial(4, 3, 0.5).is_err() && binomial(1, 3, 1.5).is_err());
    }
}
