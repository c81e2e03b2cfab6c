//! Every challenger against the baseline over tasks like these: MOVER at the Holm level (F2),
//! non-inferiority (F3), the sign-flip pattern test; claimed only if both extremes of the
//! rollouts that say nothing give the same (F6).

use super::comparison::{Bounds, LikeComparison, Shown};
use super::grouping::Grouping;
use super::rates::{estimate, largest_p, observed};
use super::table::{Counts, Row, View};
use super::{AnalysisError, Claim, CorrelationPadding, Question};
use crate::domain::Estimate;
use crate::stats::{
    Difference, Direction, DirectionalClaim, Family, MaxT, NonInferiority, Padding, Pair,
    Resampling, SignFlip, StatsError, Units, directional_holm, holm_adjusted, max_t, mover,
    noninferiority_holm,
};

/// The baseline with its challengers, in plan order.
pub(super) struct Arms<'t, 'a> {
    pub(super) baseline: &'t Row<'a>,
    pub(super) challengers: Vec<&'t Row<'a>>,
    /// Challengers that were planned and of which nothing can be compared.
    pub(super) absent: usize,
}

impl<'t, 'a> Arms<'t, 'a> {
    /// All challengers that were planned, at this error.
    pub(super) fn family(&self, alpha: f64) -> Family {
        let absent = self.absent;
        Family { alpha, absent }
    }

    /// Whether some arm has rollouts that say nothing about it.
    pub(super) fn undetermined(&self) -> bool {
        self.baseline.undetermined() > 0 || self.challengers.iter().any(|r| r.undetermined() > 0)
    }

    /// Whether a challenger or the baseline has rollouts that say nothing about it.
    fn undetermined_with(&self, challenger: usize) -> bool {
        self.baseline.undetermined() + self.challengers[challenger].undetermined() > 0
    }

    /// The counts of both sides: the challengers' and the baseline's.
    pub(super) fn counts(&self, challengers: View, baseline: View) -> (Vec<Counts>, Counts) {
        let rows = self.challengers.iter();
        let counts = rows.map(|row| row.counts(challengers)).collect();
        (counts, self.baseline.counts(baseline))
    }

    /// The observed difference of a challenger; `None` when an arm has no measured rollout.
    pub(super) fn difference(
        &self,
        challenger: usize,
        grouping: &Grouping,
    ) -> Result<Option<f64>, StatsError> {
        let row = observed(self.challengers[challenger], grouping)?;
        let baseline = observed(self.baseline, grouping)?;
        Ok(row.zip(baseline).map(|(row, baseline)| row - baseline))
    }
}

/// Everything computed under one extreme, challenger by challenger.
#[derive(Clone)]
struct Extreme {
    directions: Vec<DirectionalClaim>,
    margins: Vec<NonInferiority>,
    plain: Vec<Difference>,
    /// Passes of the challenger less those of the baseline over all tasks: the side of the pattern.
    sides: Vec<f64>,
    pattern: Vec<f64>,
    pattern_adjusted: Vec<f64>,
    screened: Option<Vec<f64>>,
}

/// The seeded signs of the max-T screen; with the observed one they are 10,000.
const SIGNS: Resampling = Resampling {
    resamples: 9_999,
    seed: 0x6d61_7874_0000_0001,
};

impl From<CorrelationPadding> for Padding {
    fn from(padding: CorrelationPadding) -> Self {
        match padding {
            CorrelationPadding::Normal => Self::Normal,
            CorrelationPadding::Strict => Self::Strict,
        }
    }
}

/// One comparison per challenger; `None` with fewer than two units, or where an arm has no
/// measured rollout.
pub(super) fn compare(
    question: &Question,
    grouping: &Grouping,
    arms: &Arms<'_, '_>,
) -> Result<Vec<Option<LikeComparison>>, AnalysisError> {
    let units = grouping.count(question.tasks.len());
    if units < 2 || arms.challengers.is_empty() {
        return Ok(vec![None; arms.challengers.len()]);
    }
    let asked = (question, arms.family(question.alpha));
    let low = extreme(asked, grouping, arms.counts(View::Worst, View::Best))?;
    let high = if arms.undetermined() {
        extreme(asked, grouping, arms.counts(View::Best, View::Worst))?
    } else {
        low.clone()
    };
    let one = |i| match arms.difference(i, grouping)? {
        Some(value) => {
            let mut found = merge(question, (&low, &high), i, (value, units))?;
            if arms.undetermined_with(i) {
                let at = |side: &Extreme| bound(&side.plain[i], units);
                let (worst, best) = (at(&low)?, at(&high)?);
                found.bounds = Some(Bounds { worst, best });
            }
            Ok(Some(found))
        }
        None => Ok(None),
    };
    (0..arms.challengers.len()).map(one).collect()
}

fn bound(difference: &Difference, units: usize) -> Result<Estimate, AnalysisError> {
    let (lower, upper) = (difference.lower, difference.upper);
    estimate(difference.diff, lower, Some(upper), units)
}

fn extreme(
    (question, family): (&Question, Family),
    grouping: &Grouping,
    (challengers, baseline): (Vec<Counts>, Counts),
) -> Result<Extreme, StatsError> {
    let base = grouping.units(baseline.arm()?)?;
    let units: Vec<Units> = challengers
        .iter()
        .map(|counts| grouping.units(counts.arm()?))
        .collect::<Result<_, _>>()?;
    let pairs: Vec<Pair<'_>> = units.iter().map(|a| Pair { a, b: &base }).collect();
    let (alpha, padding) = (question.alpha, question.padding.into());
    let flips: Vec<SignFlip> = challengers
        .iter()
        .map(|counts| grouping.pattern(counts, &baseline))
        .collect::<Result<_, _>>()?;
    let pattern: Vec<f64> = flips.iter().map(|flip| flip.p_two_sided).collect();
    let plain = pairs.iter().map(|pair| mover(*pair, alpha, padding));
    Ok(Extreme {
        directions: directional_holm(&pairs, family, padding)?,
        margins: noninferiority_holm(&pairs, question.margin.value, family, padding)?,
        plain: plain.collect::<Result<_, _>>()?,
        sides: flips
            .iter()
            .map(|flip| flip.units.iter().sum::<i64>() as f64)
            .collect(),
        pattern_adjusted: holm_adjusted(&pattern, family.absent),
        pattern,
        screened: screen(&flips, family)?,
    })
}

/// Step-down max-T over the challengers; `None` where one of them was not measured, since it would
/// have had its part in the largest statistic, and where the differences of a family of many tasks
/// with uneven repeats are too large for its whole numbers.
fn screen(flips: &[SignFlip], family: Family) -> Result<Option<Vec<f64>>, StatsError> {
    if family.absent > 0 {
        return Ok(None);
    }
    let differences: Vec<&[i64]> = flips.iter().map(|flip| flip.units.as_slice()).collect();
    match max_t(&differences, SIGNS) {
        Ok(steps) => Ok(Some(steps.iter().map(MaxT::adjusted_p).collect())),
        Err(StatsError::OutOfRange { .. }) => Ok(None),
        Err(error) => Err(error),
    }
}

pub(super) fn shown(direction: Direction) -> Option<Shown> {
    match direction {
        Direction::Better => Some(Shown::Better),
        Direction::Worse => Some(Shown::Worse),
        Direction::Unsettled => None,
    }
}

fn merge(
    question: &Question,
    (low, high): (&Extreme, &Extreme),
    i: usize,
    (value, units): (f64, usize),
) -> Result<LikeComparison, AnalysisError> {
    let (d, e) = (&low.directions[i], &high.directions[i]);
    let (m, n) = (&low.margins[i], &high.margins[i]);
    let direction = (d.claim == e.claim).then(|| shown(d.claim)).flatten();
    let pattern = |a: &[f64], b: &[f64]| {
        let (low, high) = ((low.sides[i], a[i]), (high.sides[i], b[i]));
        largest_p(low, high)
    };
    let mean = |a: f64, b: f64| largest_p((low.plain[i].diff, a), (high.plain[i].diff, b));
    let pattern_adjusted_p = pattern(&low.pattern_adjusted, &high.pattern_adjusted);
    let (lower, upper) = (low.plain[i].lower, high.plain[i].upper);
    Ok(LikeComparison {
        difference: Claim {
            estimate: estimate(value, d.interval.lower, Some(e.interval.upper), units)?,
            p: mean(d.p, e.p),
            adjusted_p: mean(d.adjusted_p, e.adjusted_p),
            shown: direction.is_some(),
        },
        plain: estimate(value, lower, Some(upper), units)?,
        bounds: None,
        direction,
        pattern_p: Some(pattern(&low.pattern, &high.pattern)),
        pattern_adjusted_p: Some(pattern_adjusted_p),
        pattern_screen_p: low
            .screened
            .as_ref()
            .zip(high.screened.as_ref())
            .map(|(low, high)| pattern(low, high)),
        borderline: direction.is_none() && pattern_adjusted_p <= question.alpha,
        non_inferior: Claim {
            estimate: estimate(value, m.lower, None, units)?,
            p: m.p.max(n.p),
            adjusted_p: m.adjusted_p.max(n.adjusted_p),
            shown: m.passed && n.passed,
        },
        direction_undetermined: d.claim != e.claim,
        non_inferior_undetermined: m.passed != n.passed,
    })
}
