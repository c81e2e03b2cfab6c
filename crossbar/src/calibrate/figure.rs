//! What was counted in many sweeps: a share or a mean, always with its interval and its n.

use crate::stats::{normal_quantile, wilson};

/// A running sum over sweeps. Sweeps that say nothing about a figure are not in it.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Tally {
    n: u32,
    sum: f64,
    squares: f64,
}

impl Tally {
    /// Adds what one sweep says: 1 or 0 for something that happened or didn't, else a number.
    pub fn add(&mut self, value: f64) {
        self.n += 1;
        self.sum += value;
        self.squares += value * value;
    }

    /// Something that happened in some of so many sweeps.
    #[cfg(test)]
    pub(super) fn of(happened: u32, sweeps: u32) -> Self {
        let mut tally = Self::default();
        for sweep in 0..sweeps {
            tally.add(f64::from(u8::from(sweep < happened)));
        }
        tally
    }

    /// Adds another part of the same sweeps.
    pub fn merge(&mut self, other: &Self) {
        self.n += other.n;
        self.sum += other.sum;
        self.squares += other.squares;
    }

    /// How many sweeps say something.
    #[must_use]
    pub fn n(&self) -> u32 {
        self.n
    }

    /// The sum: how often it happened, where it is a share.
    #[must_use]
    pub fn sum(&self) -> f64 {
        self.sum
    }
}

/// How a tally is to be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Figure {
    /// The share of sweeps in which something happened.
    Share,
    /// The mean of a number, a fraction, over sweeps.
    Mean,
}

impl Figure {
    /// Value, lower and upper limit at 95%, as fractions: Wilson for a share, the normal one for a
    /// mean; `None` without a sweep (two for a mean).
    #[must_use]
    pub fn interval(self, tally: &Tally) -> Option<(f64, f64, f64)> {
        let n = f64::from(tally.n);
        match self {
            Self::Share if tally.n > 0 => {
                let limits = wilson(tally.sum.round() as u64, tally.n.into(), 0.05).ok()?;
                Some((tally.sum / n, limits.lower, limits.upper))
            }
            Self::Mean => {
                let (mean, se) = mean(tally)?;
                let half = normal_quantile(0.975) * se;
                Some((mean, mean - half, mean + half))
            }
            Self::Share => None,
        }
    }
}

/// The mean of a tally and its standard error; `None` with fewer than two sweeps.
pub(super) fn mean(tally: &Tally) -> Option<(f64, f64)> {
    if tally.n < 2 {
        return None;
    }
    let n = f64::from(tally.n);
    let mean = tally.sum / n;
    let variance = (tally.squares - n * mean * mean).max(0.0) / (n - 1.0);
    Some((mean, (variance / n).sqrt()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_add_up_and_nothing_seen_is_no_figure() {
        assert_eq!(Figure::Share.interval(&Tally::default()), None);
        let (mut one, mut two) = (Tally::default(), Tally::default());
        one.add(1.0);
        two.add(0.0);
        two.add(0.0);
        two.add(1.0);
        one.merge(&two);
        assert_eq!((one.n(), one.sum()), (4, 2.0));
        let (value, low, high) = Figure::Share.interval(&one).unwrap();
        assert!(value == 0.5 && low < 0.2 && high > 0.8);
        let (value, low, high) = Figure::Mean.interval(&one).unwrap();
        assert!(value == 0.5 && (high - low - 2.0 * 1.96 * 0.288_675).abs() < 1e-4);
    }
}
