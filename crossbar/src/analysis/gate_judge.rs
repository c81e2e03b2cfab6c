//! The words of a gate: a drop or a rise that is shown, or the smallest one that would be; and
//! non-inferiority by the sweep's own comparison.

use super::comparison::Shown;
use super::gate::Held;
use super::gate_pairs::Pairing;
use super::rates::estimate;
use super::{AnalysisError, GateWord, HeldCell, Scope};
use crate::domain::{Estimate, GateScope};
use crate::stats::{
    Pair, Units, directional_holm, holm, normal_quantile, pack_line, stratified_exact,
};

/// The power that "the smallest drop that this design sees" is meant with.
const POWER: f64 = 0.8;

/// One pairing's figures: the difference, and how surely it is a drop or a rise.
struct Figures {
    difference: Estimate,
    value: f64,
    se: f64,
    p_drop: f64,
    p_rise: f64,
}

/// Every held cell's word, Holm over the cells.
pub(super) fn drops(
    held: &Held<'_>,
    pairings: Vec<Pairing<'_>>,
) -> Result<Vec<HeldCell>, AnalysisError> {
    let figures = match held.rules.scope {
        GateScope::These => these(held, &pairings)?,
        GateScope::Like => like(held, &pairings)?,
    };
    let fall = holm(&figures.iter().map(|one| one.p_drop).collect::<Vec<_>>());
    let rise = holm(&figures.iter().map(|one| one.p_rise).collect::<Vec<_>>());
    let reach = reach(held, pairings.len());
    let adjusted = fall.into_iter().zip(rise);
    let cells = pairings.into_iter().zip(figures).zip(adjusted);
    let cells = cells.map(|((pairing, figures), (fall, rise))| {
        let (alpha, noise) = (held.question.alpha, held.rules.noise_threshold);
        let word = if fall <= alpha && -figures.value > noise {
            GateWord::Regression
        } else if rise <= alpha && figures.value > noise {
            GateWord::Improvement
        } else {
            GateWord::NoRegressionShown
        };
        let improved = word == GateWord::Improvement;
        HeldCell {
            cell: pairing.cell.clone(),
            against: Some(pairing.against),
            word,
            why: None,
            difference: Some(figures.difference),
            adjusted_p: Some(if improved { rise } else { fall }),
            smallest_drop: Some((reach * figures.se).max(noise)),
            tasks: pairing.tasks,
            first_look: None,
        }
    });
    Ok(cells.collect())
}

/// How many standard errors a drop must have to be shown with the power above, at the strictest
/// step of Holm. \[these tasks\] asks one-sided, \[tasks like these\] two-sided as the word
/// "worse" of the card does.
fn reach(held: &Held<'_>, cells: usize) -> f64 {
    let step = held.question.alpha / cells.max(1) as f64;
    let one_sided = match held.rules.scope {
        GateScope::These => step,
        GateScope::Like => step / 2.0,
    };
    normal_quantile(1.0 - one_sided) + normal_quantile(POWER)
}

/// One-sided stratified exact tests and the pack line (3.11 with A17, F5).
fn these(held: &Held<'_>, pairings: &[Pairing<'_>]) -> Result<Vec<Figures>, AnalysisError> {
    let one = |pairing: &Pairing<'_>| {
        let (now, then) = (pairing.now.arm()?, pairing.then.arm()?);
        let exact = stratified_exact(now, then)?;
        let line = pack_line(now, then)?;
        let limits = line.limits(held.question.alpha);
        let (lower, upper) = (limits.lower.max(-1.0), limits.upper.min(1.0));
        Ok(Figures {
            difference: estimate(line.diff, lower, Some(upper), now.tasks())?,
            value: line.diff,
            se: line.se,
            p_drop: exact.p_less,
            p_rise: exact.p_greater,
        })
    };
    pairings.iter().map(one).collect()
}

/// The directional claims of MOVER, Holm over the cells (F2).
fn like(held: &Held<'_>, pairings: &[Pairing<'_>]) -> Result<Vec<Figures>, AnalysisError> {
    let mut units: Vec<(Units, Units)> = Vec::new();
    for one in pairings {
        let now = one.grouping.units(one.now.arm()?)?;
        units.push((now, one.grouping.units(one.then.arm()?)?));
    }
    let pairs: Vec<Pair<'_>> = units.iter().map(|(a, b)| Pair { a, b }).collect();
    let claims = directional_holm(&pairs, held.question.alpha, held.question.padding.into())?;
    let figures = pairings.iter().zip(claims).map(|(pairing, claim)| {
        let interval = claim.interval;
        let value = interval.diff;
        let z = -normal_quantile(claim.step_alpha / 2.0);
        let towards = |holds: bool| if holds { claim.p } else { 1.0 };
        Ok(Figures {
            difference: estimate(value, interval.lower, Some(interval.upper), pairing.units())?,
            value,
            se: (interval.upper - value) / z,
            p_drop: towards(value < 0.0),
            p_rise: towards(value > 0.0),
        })
    });
    figures.collect()
}

/// Non-inferiority within the margin, as the card shows it.
pub(super) fn margin(held: &Held<'_>, pairing: Pairing<'_>) -> HeldCell {
    let comparison = held.analysis.comparison(pairing.cell);
    let scope = match held.rules.scope {
        GateScope::These => Scope::TheseTasks,
        GateScope::Like => Scope::TasksLikeThese,
    };
    let seen = comparison.and_then(|found| match scope {
        Scope::TheseTasks => found.these.as_ref().map(|these| {
            (
                these.difference.estimate,
                these.direction,
                these.non_inferior.shown,
            )
        }),
        Scope::TasksLikeThese => found.like.as_ref().map(|like| {
            (
                like.difference.estimate,
                like.direction,
                like.non_inferior.shown,
            )
        }),
    });
    let below = |estimate: &Estimate| {
        let upper = estimate.interval().hi;
        upper.is_some_and(|upper| upper < -held.question.margin.value)
    };
    let word = match seen {
        Some((_, _, true)) => GateWord::WithinMargin,
        Some((estimate, Some(Shown::Worse), false)) if below(&estimate) => {
            GateWord::WorseThanMargin
        }
        _ => GateWord::CannotTell,
    };
    HeldCell {
        cell: pairing.cell.clone(),
        against: Some(pairing.against),
        word,
        why: None,
        difference: seen.map(|(estimate, ..)| estimate),
        adjusted_p: None,
        smallest_drop: None,
        tasks: pairing.tasks,
        first_look: None,
    }
}
