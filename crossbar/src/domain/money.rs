//! Money as whole micro-dollars, so that sums are exact.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::iter::Sum;
use std::ops::{Add, Sub};

/// An amount in micro-dollars (1,000,000 = one US dollar).
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct Usd(i64);

impl Usd {
    /// Nothing.
    pub const ZERO: Self = Self(0);

    /// From whole micro-dollars.
    #[must_use]
    pub const fn from_micros(micros: i64) -> Self {
        Self(micros)
    }

    /// From dollars, rounded to the nearest micro-dollar; `None` unless finite and within
    /// plus or minus nine million million dollars.
    #[must_use]
    pub fn from_dollars(dollars: f64) -> Option<Self> {
        let micros = (dollars * 1e6).round();
        if micros.is_finite() && micros.abs() < 9e18 {
            Some(Self(micros as i64))
        } else {
            None
        }
    }

    /// Whole micro-dollars.
    #[must_use]
    pub const fn micros(self) -> i64 {
        self.0
    }

    /// Dollars, for arithmetic that ends in an interval or on a page.
    #[must_use]
    pub fn dollars(self) -> f64 {
        self.0 as f64 / 1e6
    }

    /// The sum, held at the largest amount instead of wrapping round.
    #[must_use]
    pub const fn saturating_add(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }
}

impl Add for Usd {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        self.saturating_add(other)
    }
}

impl Sub for Usd {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self(self.0.saturating_sub(other.0))
    }
}

impl Sum for Usd {
    fn sum<I: Iterator<Item = Self>>(amounts: I) -> Self {
        amounts.fold(Self::ZERO, Self::saturating_add)
    }
}

impl fmt::Display for Usd {
    /// Two decimals from one cent upwards, six below, so that a small cost is not shown as none.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.0 < 0 { "-" } else { "" };
        let dollars = self.dollars().abs();
        if self.0 == 0 || dollars >= 0.01 {
            write!(f, "{sign}${dollars:.2}")
        } else {
            write!(f, "{sign}${dollars:.6}")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_are_exact_where_floats_are_not() {
        let tenth = Usd::from_dollars(0.1).unwrap();
        assert_eq!(
            (0..10).map(|_| tenth).sum::<Usd>(),
            Usd::from_dollars(1.0).unwrap()
        );
        assert_eq!(Usd::from_dollars(f64::NAN), None);
        assert_eq!(Usd::from_dollars(f64::INFINITY), None);
    }

    #[test]
    fn a_small_amount_never_reads_as_zero() {
        assert_eq!(Usd::from_micros(24).to_string(), "$0.000024");
        assert_eq!(Usd::from_micros(1_020_000).to_string(), "$1.02");
        assert_eq!(Usd::ZERO.to_string(), "$0.00");
    }
}
