//! Odds that are printed only under CAN'T TELL: how likely the challenger is within the margin,
//! and how much one should expect to lose by switching (formula F7).

use super::error::StatsError;
use super::limits::in_range;
use super::student::{t_cdf, t_density};
use super::units::Units;

/// A leaning, not a claim. All fractions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Leaning {
    /// padded mean of the task differences a - b
    pub mean: f64,
    /// its padded standard error
    pub scale: f64,
    /// degrees of freedom, n + 1, where n is what the units' weights are worth
    pub df: f64,
    /// P(true difference > -margin)
    pub p_within_margin: f64,
    /// expected loss of pass rate on switching to a: E max(0, -difference)
    pub expected_drop: f64,
}

/// The leaning of a against b within `margin` (a fraction in [0, 1]), over units padded with one
/// difference of +1 and one of -1. Weights enter as in F1: averages are theirs, and n is what they
/// are worth.
/// Errors: other units in the two arms, margin out of range.
pub fn leaning(a: &Units, b: &Units, margin: f64) -> Result<Leaning, StatsError> {
    a.check_pairs_with(b)?;
    in_range("margin", margin, (0.0..=1.0).contains(&margin))?;
    let pairs = a.values().iter().zip(b.values());
    let differences: Vec<f64> = pairs.map(|(x, y)| x - y).collect();
    let of_squares: Vec<f64> = differences.iter().map(|d| d * d).collect();
    let worth = a.n_weight();
    let squares = worth * a.mean_of(&of_squares) + 2.0;
    let n = worth + 2.0;
    let (mean, df) = (worth * a.mean_of(&differences) / n, n - 1.0);
    let scale = ((squares - n * mean * mean) / df / n).sqrt();
    let z = mean / scale;
    Ok(Leaning {
        mean,
        scale,
        df,
        p_within_margin: t_cdf((mean + margin) / scale, df),
        expected_drop: scale * (df + z * z) / (df - 1.0) * t_density(z, df) - mean * t_cdf(-z, df),
    })
}

#[cfg(test)]
mod tests {
    use super::super::Arm;
    use super::*;

    #[test]
    fn weights_count_as_tasks_that_are_there_as_often() {
        let units = |passes: &[u32], weights: &[f64]| {
            let runs = vec![5; passes.len()];
            Units::weighted(Arm::new(passes, &runs).unwrap(), weights).unwrap()
        };
        let (a, b) = (units(&[5, 1], &[3.0, 1.0]), units(&[5, 5], &[3.0, 1.0]));
        let got = leaning(&a, &b, 0.05).unwrap();
        // worth 1 / (9/16 + 1/16) = 1.6 tasks, whose mean difference is -0.2
        assert!((got.df - 2.6).abs() < 1e-12 && (got.mean + 0.32 / 3.6).abs() < 1e-12);
        let flat = leaning(&units(&[5, 1], &[1.0; 2]), &units(&[5, 5], &[1.0; 2]), 0.05).unwrap();
        assert!(got.expected_drop < flat.expected_drop);
    }

    #[test]
    fn twins_are_even_odds_without_a_margin() {
        let units = Units::tasks(Arm::new(&[5, 3, 4, 0], &[5; 4]).unwrap());
        let got = leaning(&units, &units, 0.0).unwrap();
        assert_eq!((got.mean, got.p_within_margin), (0.0, 0.5));
        assert!(got.expected_drop > 0.0);
        assert!(leaning(&units, &units, -0.1).is_err());
    }
}
