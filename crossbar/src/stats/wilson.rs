//! Wilson's score interval for one proportion: a single task's rollouts, or the share of
//! infrastructure failures. Never for rollouts pooled over tasks (covers 51-61% there).

use super::error::StatsError;
use super::limits::{Limits, check_alpha, in_range};
use super::normal::two_sided_z;

/// Limits of the proportion behind `passes` in `runs` at two-sided error `alpha`, without
/// continuity correction (Wilson 1927); no run at all gives [0, 1].
/// Errors: more passes than runs, alpha outside (0, 1].
pub fn wilson(passes: u64, runs: u64, alpha: f64) -> Result<Limits, StatsError> {
    check_alpha(alpha)?;
    in_range("passes", passes as f64, passes <= runs)?;
    if runs == 0 {
        return Ok(Limits {
            lower: 0.0,
            upper: 1.0,
        });
    }
    let (n, p) = (runs as f64, passes as f64 / runs as f64);
    let z2 = two_sided_z(alpha).powi(2);
    let centre = (p + z2 / (2.0 * n)) / (1.0 + z2 / n);
    let half = (z2 * (p * (1.0 - p) / n + z2 / (4.0 * n * n))).sqrt() / (1.0 + z2 / n);
    let lower = if passes == 0 {
        0.0
    } else {
        (centre - half).max(0.0)
    };
    let upper = if passes == runs {
        1.0
    } else {
        (centre + half).min(1.0)
    };
    Ok(Limits { lower, upper })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pinned_values() {
        let limits = wilson(8, 10, 0.05).unwrap();
        assert!(
            (limits.lower - 0.490162).abs() < 5e-7 && (limits.upper - 0.943318).abs() < 5e-7,
            "{limits:?}"
        );
        assert_eq!(
            wilson(0, 0, 0.05).unwrap(),
            Limits {
                lower: 0.0,
                upper: 1.0
            }
        );
        assert!(wilson(3, 2, 0.05).is_err());
        assert!(wilson(1, 2, 0.0).is_err());
    }
}
