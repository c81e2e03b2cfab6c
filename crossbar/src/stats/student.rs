//! Student's t distribution: distribution function, density and quantile, through the beta
//! distribution.

use super::beta::{beta_cdf, beta_quantile, ln_gamma};

/// P(T <= x) for `df` > 0 degrees of freedom.
pub fn t_cdf(x: f64, df: f64) -> f64 {
    let square = x * x;
    // beyond 1 the first form is a difference of two numbers near one half
    let tail = if square < 1.0 {
        0.5 - 0.5 * beta_cdf(square / (df + square), 0.5, df / 2.0)
    } else {
        0.5 * beta_cdf(df / (df + square), df / 2.0, 0.5)
    };
    if x > 0.0 { 1.0 - tail } else { tail }
}

/// The x with P(T <= x) = p for `df` > 0 degrees of freedom, p in (0, 1).
pub fn t_quantile(p: f64, df: f64) -> f64 {
    if p > 0.5 {
        return -t_quantile(1.0 - p, df);
    }
    let two_tails = 2.0 * p;
    if two_tails > 0.5 {
        let y = beta_quantile(1.0 - two_tails, 0.5, df / 2.0);
        -(df * y / (1.0 - y)).sqrt()
    } else {
        let x = beta_quantile(two_tails, df / 2.0, 0.5);
        -(df * (1.0 - x) / x).sqrt()
    }
}

/// The density of t with `df` degrees of freedom at x.
pub(crate) fn t_density(x: f64, df: f64) -> f64 {
    let ln_front =
        ln_gamma((df + 1.0) / 2.0) - ln_gamma(df / 2.0) - 0.5 * (df * std::f64::consts::PI).ln();
    (ln_front - (df + 1.0) / 2.0 * libm::log1p(x * x / df)).exp()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_degree_of_freedom_is_the_cauchy_distribution() {
        assert!((t_cdf(1.0, 1.0) - 0.75).abs() < 1e-15);
        assert!((t_quantile(0.75, 1.0) - 1.0).abs() < 1e-13);
        assert!((t_density(0.0, 1.0) - std::f64::consts::FRAC_1_PI).abs() < 1e-15);
        assert_eq!(t_quantile(0.5, 7.0), 0.0);
    }
}
