//! The normal distribution: distribution function and quantile.

use std::f64::consts::{PI, SQRT_2};

/// P(Z <= x) for a standard normal Z.
pub fn normal_cdf(x: f64) -> f64 {
    0.5 * libm::erfc(-x / SQRT_2)
}

/// The x with P(Z <= x) = p. `p` is a probability: 0 gives minus infinity, 1 plus infinity.
///
/// Halley steps on the distribution function, which triple the correct digits each time.
pub fn normal_quantile(p: f64) -> f64 {
    if p > 0.5 {
        return -normal_quantile(1.0 - p);
    }
    if p == 0.5 {
        return 0.0;
    }
    if p <= 0.0 {
        return f64::NEG_INFINITY;
    }
    let mut x = start(p);
    for _ in 0..3 {
        let density = (-0.5 * x * x).exp() / (2.0 * PI).sqrt();
        let step = (normal_cdf(x) - p) / density;
        x -= step / (1.0 + 0.5 * x * step);
    }
    x
}

/// The quantile of p in (0, 1/2] by the rational approximation 26.2.23 of Abramowitz and Stegun.
fn start(p: f64) -> f64 {
    let t = (-2.0 * p.ln()).sqrt();
    let numerator = 2.515517 + t * (0.802853 + t * 0.010328);
    let denominator = 1.0 + t * (1.432788 + t * (0.189269 + t * 0.001308));
    numerator / denominator - t
}

/// The z of a two-sided error: P(|Z| > z) = alpha.
pub(crate) fn two_sided_z(alpha: f64) -> f64 {
    -normal_quantile(alpha / 2.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_quantiles() {
        assert!((two_sided_z(0.05) - 1.959963984540054).abs() < 1e-14);
        assert!((normal_quantile(0.95) - 1.644853626951472).abs() < 1e-14);
        assert!((normal_quantile(1e-300) + 37.0471).abs() < 1e-4);
        assert_eq!(normal_quantile(0.5), 0.0);
        assert_eq!(normal_quantile(0.0), f64::NEG_INFINITY);
        assert_eq!(normal_quantile(1.0), f64::INFINITY);
    }

    #[test]
    fn the_steps_start_as_near_as_the_source_says() {
        let mut worst = 0.0_f64;
        for i in 1..=2000 {
            let p = (-0.05 * f64::from(i)).exp() / 2.0;
            worst = worst.max((start(p) - normal_quantile(p)).abs());
        }
        assert!((4.0e-4..4.5e-4).contains(&worst), "{worst}");
    }

    #[test]
    fn the_quantile_undoes_the_distribution_function() {
        for i in 1..400 {
            let p = f64::from(i) / 400.0;
            assert!((normal_cdf(normal_quantile(p)) - p).abs() < 1e-15);
        }
    }
}
