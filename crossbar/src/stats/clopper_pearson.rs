//! The exact binomial interval of Clopper and Pearson (1934).

use super::beta::beta_quantile;
use super::error::StatsError;
use super::limits::{Limits, check_alpha, in_range};

/// Exact limits of the proportion behind `passes` in `runs` at two-sided error `alpha`; no run
/// gives [0, 1]. Errors: more passes than runs, alpha outside (0, 1].
pub fn clopper_pearson(passes: u64, runs: u64, alpha: f64) -> Result<Limits, StatsError> {
    check_alpha(alpha)?;
    in_range("passes", passes as f64, passes <= runs)?;
    let (k, n) = (passes as f64, runs as f64);
    let lower = if passes == 0 {
        0.0
    } else {
        beta_quantile(alpha / 2.0, k, n - k + 1.0)
    };
    let upper = if passes == runs {
        1.0
    } else {
        1.0 - beta_quantile(alpha / 2.0, n - k, k + 1.0)
    };
    Ok(Limits { lower, upper })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_passes_have_a_closed_form() {
        let limits = clopper_pearson(10, 10, 0.05).unwrap();
        assert!((limits.lower - 0.025_f64.powf(0.1)).abs() < 1e-14);
        assert_eq!(limits.upper, 1.0);
        assert_eq!(
            clopper_pearson(0, 0, 0.05).unwrap(),
            Limits {
                lower: 0.0,
                upper: 1.0
            }
        );
    }
}
