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
    /// degrees of freedom, n + 1
    pub df: f64,
    /// P(true difference > -margin)
    pub p_within_margin: f64,
    /// expected loss of pass rate on switching to a: E max(0, -difference)
    pub expected_drop: f64,
}

/// The leaning of a against b within `margin` (a fraction in [0, 1]), over equally weighted units
/// padded with one difference of +1 and one of -1.
/// Errors: other units in the two arms, margin out of range.
pub fn leaning(a: &Units, b: &Units, margin: f64) -> Result<Leaning, StatsError> {
    a.check_pairs_with(b)?;
    in_range("margin", margin, (0.0..=1.0).contains(&margin))?;
    let (mut sum, mut squares) = (0.0, 2.0);
    for (x, y) in a.values().iter().zip(b.values()) {
        sum += x - y;
        squares += (x - y).powi(2);
    }
    let n = a.len() as f64 + 2.0;
    let (mean, df) = (sum / n, n - 1.0);
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
    fn twins_are_even_odds_without_a_margin() {
        let units = Units::tasks(Arm::new(&[5, 3, 4, 0], &[5; 4]).unwrap());
        let got = leaning(&units, &units, 0.0).unwrap();
        assert_eq!((got.mean, got.p_within_margin), (0.0, 0.5));
        assert!(got.expected_drop > 0.0);
        assert!(leaning(&units, &units, -0.1).is_err());
    }
}
