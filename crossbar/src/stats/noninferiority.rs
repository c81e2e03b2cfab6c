//! Good enough against the baseline, over J candidates: the lower MOVER limit at the one-sided
//! Holm level is above -margin (formula F3). A rule that picks among the passed ones may look at
//! the data.

use super::error::StatsError;
use super::holm::{Family, holm_steps};
use super::level::smallest_level;
use super::limits::{check_alpha, in_range};
use super::mover::{Padding, Pair, Paired};

/// One candidate of the family.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NonInferiority {
    /// one-sided p: half the smallest two-sided level whose lower limit is above -margin; 1 if none
    pub p: f64,
    /// p after Holm over the candidates
    pub adjusted_p: f64,
    /// shown to be within the margin
    pub passed: bool,
    /// place in Holm's order, from 0
    pub step: usize,
    /// one-sided error of this step, alpha / (J - step)
    pub step_alpha: f64,
    /// mean of a minus mean of b
    pub diff: f64,
    /// lower limit at one-sided error `step_alpha`
    pub lower: f64,
}

/// Non-inferiority of every pair's `a` to its `b` within `margin` (a fraction, 0 or more), at the
/// family's one-sided error (.05 unless declared), in input order.
/// Errors: margin outside [0, 1], alpha above 1/2, and as [`mover`](super::mover()).
pub fn noninferiority_holm(
    pairs: &[Pair<'_>],
    margin: f64,
    one_sided: impl Into<Family>,
    padding: Padding,
) -> Result<Vec<NonInferiority>, StatsError> {
    let family = one_sided.into();
    check_alpha(2.0 * family.alpha)?;
    in_range("margin", margin, (0.0..=1.0).contains(&margin))?;
    let paired: Vec<Paired> = pairs
        .iter()
        .map(|pair| Paired::new(*pair, padding))
        .collect::<Result<_, _>>()?;
    let one_sided =
        |pair: &Paired| smallest_level(|level| pair.lower(level) + margin).map_or(1.0, |p| p / 2.0);
    let p: Vec<f64> = paired.iter().map(one_sided).collect();
    let rows = paired
        .iter()
        .zip(&p)
        .zip(holm_steps(&p, family))
        .map(|((paired, &p), holm)| NonInferiority {
            p,
            adjusted_p: holm.adjusted_p,
            passed: holm.rejected,
            step: holm.step,
            step_alpha: holm.threshold,
            diff: paired.diff(),
            lower: paired.lower(2.0 * holm.threshold),
        });
    Ok(rows.collect())
}

#[cfg(test)]
mod tests {
    use super::super::{Arm, Units};
    use super::*;

    #[test]
    fn a_twin_passes_only_where_the_margin_is_wide_enough() {
        let runs = [5; 30];
        let units = Units::tasks(Arm::new(&[5; 30], &runs).unwrap());
        let pairs = [Pair {
            a: &units,
            b: &units,
        }];
        let passed =
            |margin| noninferiority_holm(&pairs, margin, 0.05, Padding::Normal).unwrap()[0].passed;
        assert!(passed(0.15) && !passed(0.05));
        assert!(noninferiority_holm(&pairs, -0.1, 0.05, Padding::Normal).is_err());
    }
}
