//! The difference of two proportions of one task: its rollouts then and now (Newcombe 1998, method
//! 10: square and add of the two Wilson limits). Never for rollouts pooled over tasks.

use super::error::StatsError;
use super::limits::Limits;
use super::wilson::wilson;

/// Limits of the first proportion minus the second at two-sided error `alpha`, each given as
/// passes and runs; a side without a run leaves it anywhere.
/// Errors: more passes than runs, alpha outside (0, 1].
pub fn newcombe(a: (u64, u64), b: (u64, u64), alpha: f64) -> Result<Limits, StatsError> {
    let (first, second) = (wilson(a.0, a.1, alpha)?, wilson(b.0, b.1, alpha)?);
    let share = |(passes, runs): (u64, u64)| passes as f64 / (runs.max(1)) as f64;
    let (p, q) = (share(a), share(b));
    let below = (p - first.lower).hypot(second.upper - q);
    let above = (first.upper - p).hypot(q - second.lower);
    Ok(Limits {
        lower: (p - q - below).max(-1.0),
        upper: (p - q + above).min(1.0),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_authors_own_examples() {
        let near = |got: f64, want: f64| (got - want).abs() < 5e-5;
        let limits = newcombe((56, 70), (48, 80), 0.05).unwrap();
        assert!(
            near(limits.lower, 0.0524) && near(limits.upper, 0.3339),
            "{limits:?}"
        );
        let limits = newcombe((9, 10), (3, 10), 0.05).unwrap();
        assert!(
            near(limits.lower, 0.1705) && near(limits.upper, 0.8090),
            "{limits:?}"
        );
        let limits = newcombe((10, 10), (0, 10), 0.05).unwrap();
        assert!(
            near(limits.lower, 0.6075) && near(limits.upper, 1.0),
            "{limits:?}"
        );
    }
}
