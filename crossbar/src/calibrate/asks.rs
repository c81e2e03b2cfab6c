//! What is counted of a verdict: each a question to one answered sweep, with 1 for yes, 0 for no
//! and nothing where the question does not arise.

use super::setting::{Ask, Measure, Seen};
use crate::analysis::Shown;
use crate::stats::Limits;

/// Differences nearer than this are equal: true rates are sums of rounded fractions.
const SAME: f64 = 1e-9;

fn yes(holds: bool) -> Option<f64> {
    Some(f64::from(u8::from(holds)))
}

fn covers(limits: Limits, truth: f64) -> bool {
    limits.lower <= truth + SAME && truth <= limits.upper + SAME
}

/// Whether a direction is claimed that the truth does not have.
fn is_wrong(claim: Option<Shown>, gap: f64) -> bool {
    match claim {
        Some(Shown::Better) => gap <= SAME,
        Some(Shown::Worse) => gap >= -SAME,
        None => false,
    }
}

fn is_bad(gap: f64, margin: f64) -> bool {
    // the means of a world are means of steps, true to a tenth of a point
    gap <= -margin + 1e-3
}

fn covers_baseline(seen: &Seen<'_>) -> Option<f64> {
    yes(covers(seen.answer.rates[0], seen.truth.means[0]))
}

fn covers_challenger(seen: &Seen<'_>) -> Option<f64> {
    yes(covers(*seen.answer.rates.get(1)?, seen.truth.means[1]))
}

fn lies_above(seen: &Seen<'_>) -> Option<f64> {
    let versus = seen.answer.versus.first()?;
    yes(versus.like.lower > seen.truth.gap(0) + SAME)
}

fn lies_below(seen: &Seen<'_>) -> Option<f64> {
    let versus = seen.answer.versus.first()?;
    yes(versus.like.upper < seen.truth.gap(0) - SAME)
}

fn wrong_direction(seen: &Seen<'_>) -> Option<f64> {
    let mut claims = seen.answer.versus.iter().enumerate();
    yes(claims.any(|(at, versus)| is_wrong(versus.direction, seen.truth.gap(at))))
}

fn wrong_within(seen: &Seen<'_>) -> Option<f64> {
    let margin = seen.design.margin;
    let mut claims = seen.answer.versus.iter().enumerate();
    yes(claims.any(|(at, versus)| versus.within && is_bad(seen.truth.gap(at), margin)))
}

fn wrong_switch(seen: &Seen<'_>) -> Option<f64> {
    let switch = seen.answer.switch[0];
    yes(switch.is_some_and(|at| is_bad(seen.truth.gap(at), seen.design.margin)))
}

fn wrong_switch_here(seen: &Seen<'_>) -> Option<f64> {
    let switch = seen.answer.switch[1];
    yes(switch.is_some_and(|at| is_bad(seen.truth.gap_here(at), seen.design.margin)))
}

fn wrong_direction_here(seen: &Seen<'_>) -> Option<f64> {
    let mut claims = seen.answer.versus.iter().enumerate();
    yes(claims.any(|(at, versus)| {
        let these = versus.these.and_then(|these| these.direction);
        is_wrong(these, seen.truth.gap_here(at))
    }))
}

fn wrong_within_here(seen: &Seen<'_>) -> Option<f64> {
    let these = seen.answer.versus.first()?.these?;
    yes(these.within && is_bad(seen.truth.gap_here(0), seen.design.margin))
}

fn best_is_overpraised(seen: &Seen<'_>) -> Option<f64> {
    let (cell, lower) = seen.answer.best?;
    yes(lower > seen.truth.means[cell] + SAME)
}

fn open(seen: &Seen<'_>) -> Option<f64> {
    let versus = seen.answer.versus.first()?;
    yes(!versus.within && versus.direction != Some(Shown::Worse))
}

fn open_here(seen: &Seen<'_>) -> Option<f64> {
    let these = seen.answer.versus.first()?.these?;
    yes(!these.within && these.direction != Some(Shown::Worse))
}

fn right_switch(seen: &Seen<'_>) -> Option<f64> {
    let switch = seen.answer.switch[0];
    yes(switch.is_some_and(|at| !is_bad(seen.truth.gap(at), seen.design.margin)))
}

/// The intervals of a pass rate.
pub(super) fn cells() -> Vec<(Measure, Ask)> {
    vec![
        (Measure::promised("cell", "baseline"), covers_baseline),
        (Measure::promised("cell", "challenger"), covers_challenger),
    ]
}

/// The interval of a difference, and what is called better or worse.
pub(super) fn pair() -> Vec<(Measure, Ask)> {
    vec![
        (Measure::promised("difference", "too high"), lies_above),
        (Measure::promised("difference", "too low"), lies_below),
        (Measure::promised("direction", ""), wrong_direction),
    ]
}

/// What is called better or worse on exactly these tasks.
pub(super) fn pair_here() -> Vec<(Measure, Ask)> {
    vec![(
        Measure::promised("these-direction", ""),
        wrong_direction_here,
    )]
}

/// A cell exactly at the margin on these tasks that is called within it there.
pub(super) fn non_inferior_here() -> (Measure, Ask) {
    (
        Measure::promised("these-non-inferior", ""),
        wrong_within_here,
    )
}

/// The intervals of a pass rate where nothing is promised about them.
pub(super) fn cell_shown() -> (Measure, Ask) {
    (Measure::shown("covered"), covers_baseline)
}

/// The interval of the baseline's pass rate, under a promise.
pub(super) fn cell(promise: &'static str) -> (Measure, Ask) {
    (Measure::promised(promise, "baseline"), covers_baseline)
}

/// Wrong directions where nothing is promised about them.
pub(super) fn direction_shown() -> (Measure, Ask) {
    (Measure::shown("wrong direction"), wrong_direction)
}

/// The best of all cells.
pub(super) fn winner() -> (Measure, Ask) {
    (Measure::promised("winner", ""), best_is_overpraised)
}

/// Whether "is it within the margin?" stays open, in both scopes.
pub(super) fn openness(stand: impl Fn(&'static str) -> Measure) -> Vec<(Measure, Ask)> {
    vec![(stand("open-these"), open_here), (stand("open-like"), open)]
}

/// Any wrong direction, under a promise.
pub(super) fn family_wise(promise: &'static str) -> (Measure, Ask) {
    (Measure::promised(promise, ""), wrong_direction)
}

/// Any cell at the margin that is called within it, under a promise.
pub(super) fn non_inferior(promise: &'static str) -> (Measure, Ask) {
    (Measure::promised(promise, ""), wrong_within)
}

/// SWITCH to a cell that is not good enough, in both scopes.
pub(super) fn switches() -> Vec<(Measure, Ask)> {
    vec![
        (
            Measure::promised("switch", "[tasks like these]"),
            wrong_switch,
        ),
        (
            Measure::promised("switch", "[these tasks]"),
            wrong_switch_here,
        ),
    ]
}

/// SWITCH to a cell that is good enough: only shown.
pub(super) fn power_of_switch() -> (Measure, Ask) {
    (Measure::shown("right SWITCH"), right_switch)
}
