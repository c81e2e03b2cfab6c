//! Better or worse than the baseline, over J cells: the claim stands only where the MOVER
//! interval at the Holm level excludes 0 (formula F2).

use super::error::StatsError;
use super::holm::{Family, holm_steps};
use super::level::smallest_level;
use super::limits::check_alpha;
use super::mover::{Difference, Padding, Pair, Paired};

/// What is claimed about a challenger's mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// above the baseline
    Better,
    /// below the baseline
    Worse,
    /// nothing is claimed
    Unsettled,
}

/// One comparison of the family.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DirectionalClaim {
    /// smallest two-sided level at which the interval excludes 0; 1 if it never does
    pub p: f64,
    /// p after Holm over the family
    pub adjusted_p: f64,
    /// the claim at the family's error
    pub claim: Direction,
    /// place in Holm's order, from 0
    pub step: usize,
    /// two-sided error of this step, alpha / (J - step)
    pub step_alpha: f64,
    /// the interval at `step_alpha`
    pub interval: Difference,
}

/// Directional claims of all pairs at the family's two-sided error, in input order.
/// Errors: as [`mover`](super::mover()), for the first pair that has one.
pub fn directional_holm(
    pairs: &[Pair<'_>],
    family: impl Into<Family>,
    padding: Padding,
) -> Result<Vec<DirectionalClaim>, StatsError> {
    let family = family.into();
    check_alpha(family.alpha)?;
    let paired: Vec<Paired> = pairs
        .iter()
        .map(|pair| Paired::new(*pair, padding))
        .collect::<Result<_, _>>()?;
    let p: Vec<f64> = paired.iter().map(p_direction).collect();
    let claims = paired
        .iter()
        .zip(&p)
        .zip(holm_steps(&p, family))
        .map(|((paired, &p), holm)| DirectionalClaim {
            p,
            adjusted_p: holm.adjusted_p,
            claim: match (holm.rejected, paired.diff() > 0.0) {
                (false, _) => Direction::Unsettled,
                (true, true) => Direction::Better,
                (true, false) => Direction::Worse,
            },
            step: holm.step,
            step_alpha: holm.threshold,
            interval: paired.at(holm.threshold),
        });
    Ok(claims.collect())
}

/// The limit that faces 0 is the lower one of a positive difference, the upper one of a negative.
fn p_direction(paired: &Paired) -> f64 {
    let level = if paired.diff() > 0.0 {
        smallest_level(|level| paired.lower(level))
    } else {
        smallest_level(|level| -paired.upper(level))
    };
    level.unwrap_or(1.0)
}

#[cfg(test)]
mod tests {
    use super::super::{Arm, Units};
    use super::*;

    #[test]
    fn a_clear_loser_is_worse_and_a_twin_is_unsettled() {
        let runs = [5; 12];
        let units = |passes: &[u32]| Units::tasks(Arm::new(passes, &runs).unwrap());
        let (base, loser) = (
            units(&[5; 12]),
            units(&[0, 1, 0, 2, 0, 1, 0, 0, 3, 0, 1, 0]),
        );
        let pairs = [
            Pair {
                a: &loser,
                b: &base,
            },
            Pair { a: &base, b: &base },
        ];
        let claims = directional_holm(&pairs, 0.05, Padding::Strict).unwrap();
        assert_eq!(
            [claims[0].claim, claims[1].claim],
            [Direction::Worse, Direction::Unsettled]
        );
        assert_eq!(claims[1].p, 1.0);
        assert!(claims[0].interval.upper < 0.0);
        assert_eq!([claims[0].step_alpha, claims[1].step_alpha], [0.025, 0.05]);
    }
}
