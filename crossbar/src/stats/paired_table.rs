//! Intervals of the difference of two pass rates from one outcome per task and arm: named
//! alternatives for one repeat, beside MOVER, which uses all repeats. Measured coverage at 95% over
//! 4 to 100 tasks: Tango 94.1 to 99.0%, Agresti-Min 91.0 to 95.0%, Newcombe 84.8 to 94.2%.

use super::error::StatsError;
use super::limits::{Limits, check_alpha};
use super::mover::square_and_add;
use super::normal::two_sided_z;
use super::wilson::wilson;

/// How many tasks both arms pass, only one of them, and neither.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PairedTable {
    /// tasks that both pass
    pub both: u64,
    /// tasks that only a passes
    pub only_a: u64,
    /// tasks that only b passes
    pub only_b: u64,
    /// tasks that neither passes
    pub neither: u64,
}

/// How the correlation of the two outcomes enters Newcombe's interval.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PairedPhi {
    /// as observed
    Plain,
    /// made smaller where positive, as Newcombe (1998) proposed
    Corrected,
}

impl PairedTable {
    fn tasks(&self) -> u64 {
        self.both + self.only_a + self.only_b + self.neither
    }

    /// Rate of a minus rate of b; 0 without a task.
    pub fn difference(&self) -> f64 {
        (self.only_a as f64 - self.only_b as f64) / self.tasks().max(1) as f64
    }

    fn check(&self, alpha: f64) -> Result<f64, StatsError> {
        check_alpha(alpha)?;
        if self.tasks() == 0 {
            return Err(StatsError::NoTasks);
        }
        Ok(self.tasks() as f64)
    }

    fn phi(&self, correction: PairedPhi) -> f64 {
        let (e, f, g, h) = (
            self.both as f64,
            self.only_a as f64,
            self.only_b as f64,
            self.neither as f64,
        );
        let margins = (e + f) * (g + h) * (e + g) * (f + h);
        if margins <= 0.0 {
            return 0.0;
        }
        let excess = e * h - f * g;
        let kept = match correction {
            PairedPhi::Corrected if excess > 0.0 => (excess - self.tasks() as f64 / 2.0).max(0.0),
            PairedPhi::Plain | PairedPhi::Corrected => excess,
        };
        kept / margins.sqrt()
    }
}

/// Newcombe's method 10 (1998): square-and-add of the two Wilson limits, at two-sided error `alpha`.
/// Errors: no task, alpha outside (0, 1].
pub fn newcombe_paired(
    table: PairedTable,
    phi: PairedPhi,
    alpha: f64,
) -> Result<Limits, StatsError> {
    let n = table.check(alpha)?;
    let (pass_a, pass_b) = (table.both + table.only_a, table.both + table.only_b);
    let (a, b) = (
        wilson(pass_a, table.tasks(), alpha)?,
        wilson(pass_b, table.tasks(), alpha)?,
    );
    let (p, q, phi) = (pass_a as f64 / n, pass_b as f64 / n, table.phi(phi));
    let diff = table.difference();
    Ok(Limits {
        lower: diff - square_and_add(p - a.lower, b.upper - q, phi),
        upper: diff + square_and_add(a.upper - p, q - b.lower, phi),
    })
}

/// Tango's score interval (1998) at two-sided error `alpha`.
/// Errors: no task, alpha outside (0, 1].
pub fn tango(table: PairedTable, alpha: f64) -> Result<Limits, StatsError> {
    let n = table.check(alpha)?;
    let z = two_sided_z(alpha);
    let diff = table.difference();
    let score = |delta: f64| tango_score(table, n, delta);
    Ok(Limits {
        lower: crossing(-1.0, diff, |delta| score(delta) <= z),
        upper: crossing(1.0, diff, |delta| score(delta) >= -z),
    })
}

/// The score statistic of "the true difference is delta", which falls as delta grows.
fn tango_score(table: PairedTable, n: f64, delta: f64) -> f64 {
    let (b, c) = (table.only_a as f64, table.only_b as f64);
    let half = -b - c + (2.0 * n - b + c) * delta;
    let last = -c * delta * (1.0 - delta);
    let q = ((half * half - 8.0 * n * last).max(0.0).sqrt() - half) / (4.0 * n);
    let variance = n * (2.0 * q + delta * (1.0 - delta));
    let distance = b - c - n * delta;
    if distance.abs() < 1e-14 {
        0.0
    } else if variance <= 1e-18 {
        f64::INFINITY.copysign(distance)
    } else {
        distance / variance.sqrt()
    }
}

/// The point between `outer` and `inner` from which on `inside` holds: it does at `inner`.
fn crossing(outer: f64, inner: f64, inside: impl Fn(f64) -> bool) -> f64 {
    // the ends are no possible difference of the score, a hair inside of them is
    let (mut out, mut within) = (outer * (1.0 - 1e-10), inner);
    if outer == inner || inside(out) {
        return outer;
    }
    for _ in 0..60 {
        let middle = 0.5 * (out + within);
        if inside(middle) {
            within = middle;
        } else {
            out = middle;
        }
    }
    0.5 * (out + within)
}

/// Agresti and Min's interval (2005) at two-sided error `alpha`: Wald with half a task added to each
/// of the four counts.
/// Errors: no task, alpha outside (0, 1].
pub fn agresti_min(table: PairedTable, alpha: f64) -> Result<Limits, StatsError> {
    let n = table.check(alpha)? + 2.0;
    let (b, c) = (table.only_a as f64, table.only_b as f64);
    let diff = (b - c) / n;
    let variance = (b + c + 1.0 - (b - c) * (b - c) / n) / (n * n);
    let half = two_sided_z(alpha) * variance.sqrt();
    Ok(Limits {
        lower: (diff - half).max(-1.0),
        upper: (diff + half).min(1.0),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ends_and_an_empty_table() {
        let lost = PairedTable {
            both: 0,
            only_a: 0,
            only_b: 10,
            neither: 0,
        };
        let limits = tango(lost, 0.05).unwrap();
        assert_eq!(limits.lower, -1.0);
        assert!(limits.upper > -1.0 && limits.upper < -0.4, "{limits:?}");
        let none = PairedTable { only_b: 0, ..lost };
        assert_eq!(tango(none, 0.05).unwrap_err(), StatsError::NoTasks);
        assert!(agresti_min(lost, 0.0).is_err());
    }
}
