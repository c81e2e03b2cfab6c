//! The binomial distribution: the probability of a count, and of as many or more.

use super::beta::{beta_cdf, ln_choose};

/// P(X >= k) for X binomial with `n` trials of rate `p`, k at most n.
#[must_use]
pub fn binomial_at_least(k: u64, n: u64, p: f64) -> f64 {
    match k {
        0 => 1.0,
        _ => beta_cdf(p, k as f64, (n - k) as f64 + 1.0),
    }
}

/// P(X = k) for X binomial with `n` trials of rate `p`.
#[must_use]
pub fn binomial_mass(k: u64, n: u64, p: f64) -> f64 {
    // 0 ln 0 is 0 here: what can't happen doesn't have to
    let times_ln = |count: u64, ln: f64| if count == 0 { 0.0 } else { count as f64 * ln };
    (ln_choose(n, k) + times_ln(k, p.ln()) + times_ln(n - k, libm::log1p(-p))).exp()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tails_are_sums_of_the_probabilities() {
        for (n, p) in [(7, 0.3), (12, 0.9), (5, 0.0), (5, 1.0)] {
            let mut tail = 0.0;
            for k in (0..=n).rev() {
                tail += binomial_mass(k, n, p);
                let got = binomial_at_least(k, n, p);
                assert!(
                    (got - tail).abs() < 1e-12,
                    "{k} of {n} at {p}: {got} {tail}"
                );
            }
        }
    }
}
