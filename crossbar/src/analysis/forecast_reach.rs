//! What a design of this size can show at all, whatever the rollouts turn out to be.

use super::grouping::Grouping;
use super::settle::all_alike;
use super::{AnalysisError, Question};
use crate::stats::{
    Arm, Padding, Pair, Units, korn_graubard, mover, normal_quantile, sign_flip_reach,
    smallest_even_drop, smallest_loss,
};

/// What can be shown at all, in both scopes.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Reach {
    /// For these tasks; `None` with one repeat or without a challenger.
    pub these: Option<ScopeReach>,
    /// For tasks like these; `None` with fewer than two units or without a challenger.
    pub like: Option<ScopeReach>,
    /// The independent units from which on a challenger's pattern can be shown to differ, where all
    /// of them differ in one direction; `None` without a challenger.
    pub patterns: Option<u64>,
}

/// What can be shown at all in one scope. Levels are those of Holm's strictest step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ScopeReach {
    /// The smallest observed drop that can be called worse, a fraction: of these tasks where it
    /// falls on as few tasks as it can, of tasks like these where all tasks lose alike. `None`:
    /// not even the loss of everything can.
    pub smallest_drop: Option<f64>,
    /// The largest drop that is left open where both cells pass everything, a fraction.
    pub left_open: f64,
    /// Whether that is within the margin: non-inferiority can be shown.
    pub within: bool,
    /// What a perfect result within the margin takes: repeats for these tasks, independent units
    /// for tasks like these; `None` where no number is enough (a margin of 0).
    pub takes: Option<u32>,
}

/// Whether a perfect cell clears the quality bar.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BarReach {
    /// The bar.
    pub bar: f64,
    /// The lower limit of a cell that passes everything.
    pub perfect: f64,
    /// The independent units that it takes; `None` where no number does (a bar of 1).
    pub takes: Option<u32>,
}

pub(super) fn reach(question: &Question, challengers: u32) -> Result<Reach, AnalysisError> {
    if challengers == 0 {
        return Ok(Reach::default());
    }
    Ok(Reach {
        these: these(question, challengers)?,
        like: like(question, challengers)?,
        patterns: Some(sign_flip_reach(challengers, question.alpha)?),
    })
}

fn these(question: &Question, challengers: u32) -> Result<Option<ScopeReach>, AnalysisError> {
    if question.repeats < 2 {
        return Ok(None);
    }
    let (tasks, repeats) = (question.tasks.len() as u64, question.repeats);
    let alpha = question.alpha / f64::from(challengers);
    let lost = smallest_loss(tasks, repeats, alpha)?;
    let all = tasks as f64 * f64::from(repeats);
    // the pack line of two clean arms: each has the variance of its padding alone
    let z = -normal_quantile(alpha);
    let variance = 2.0 / (tasks as f64 + 4.0);
    let left_open = z * (variance / all).sqrt();
    let margin = question.margin.value;
    let takes = z * z * variance / (tasks as f64 * margin * margin);
    Ok(Some(ScopeReach {
        smallest_drop: lost.map(|lost| lost as f64 / all),
        left_open: left_open.min(1.0),
        within: left_open < margin,
        takes: above(takes).map(|repeats| repeats.max(2)),
    }))
}

fn like(question: &Question, challengers: u32) -> Result<Option<ScopeReach>, AnalysisError> {
    let grouping = Grouping::of(question);
    let (tasks, repeats) = (question.tasks.len(), question.repeats);
    if grouping.count(tasks) < 2 {
        return Ok(None);
    }
    let alpha = question.alpha / f64::from(challengers);
    let padding = Padding::from(question.padding);
    let units = |arm: Arm<'_>| grouping.units(arm);
    let smallest_drop = smallest_even_drop((tasks, repeats), alpha, padding, &units)?;
    let clean = clean(question, &grouping)?;
    let pair = Pair {
        a: &clean,
        b: &clean,
    };
    let left_open = -mover(pair, 2.0 * alpha, padding)?.lower;
    let margin = question.margin.value;
    Ok(Some(ScopeReach {
        smallest_drop,
        left_open,
        within: left_open < margin,
        takes: above(all_alike(margin, alpha)),
    }))
}

/// A cell that passes everything.
fn clean(question: &Question, grouping: &Grouping) -> Result<Units, AnalysisError> {
    let runs = vec![question.repeats; question.tasks.len()];
    Ok(grouping.units(Arm::new(&runs, &runs)?)?)
}

/// The quality bar is held against the lower limit at alpha / cells.
pub(super) fn bar(question: &Question) -> Result<Option<BarReach>, AnalysisError> {
    let Some(bar) = question.quality_bar else {
        return Ok(None);
    };
    let alpha = question.alpha / question.cells.len().max(1) as f64;
    let clean = clean(question, &Grouping::of(question))?;
    Ok(Some(BarReach {
        bar,
        perfect: korn_graubard(&clean, alpha)?.lower,
        takes: above(all_alike(1.0 - bar, alpha / 2.0)),
    }))
}

/// A number of tasks or repeats, rounded up; `None` where there is none that anybody could run.
pub(super) fn above(number: f64) -> Option<u32> {
    (number.is_finite() && number <= 1e6).then(|| number.ceil().max(1.0) as u32)
}

#[cfg(test)]
mod tests {
    use super::super::fixture::Sweep;
    use super::*;

    fn reach_of(tasks: usize, repeats: u32, margin: f64) -> Reach {
        let mut sweep = Sweep::new(tasks, repeats)
            .flat("base+x", 1, repeats)
            .flat("new+x", 1, repeats)
            .baseline("base+x");
        sweep.question.margin.value = margin;
        reach(&sweep.question, 1).unwrap()
    }

    #[test]
    fn a_perfect_result_is_what_the_verdict_then_finds() {
        for (tasks, repeats, margin) in [(4, 5, 0.2), (12, 5, 0.1), (30, 3, 0.1), (60, 2, 0.05)] {
            let mut sweep = Sweep::new(tasks, repeats)
                .flat("base+x", 1_000, repeats)
                .flat("new+x", 10, repeats)
                .baseline("base+x");
            sweep.question.margin.value = margin;
            let found = sweep.analyze();
            let found = &found.comparisons[0];
            let (these, like) = (found.these.as_ref().unwrap(), found.like.as_ref().unwrap());
            let told = reach_of(tasks, repeats, margin);
            let (told_these, told_like) = (told.these.unwrap(), told.like.unwrap());
            assert_eq!(told_these.within, these.non_inferior.shown);
            assert_eq!(told_like.within, like.non_inferior.shown);
            let lower = |claim: &super::super::Claim| claim.estimate.interval().lo;
            assert!((lower(&these.non_inferior) + told_these.left_open).abs() < 1e-12);
            assert!((lower(&like.non_inferior) + told_like.left_open).abs() < 1e-12);
        }
    }

    #[test]
    fn what_it_takes_is_enough_and_one_less_is_not() {
        let told = reach_of(12, 5, 0.1).like.unwrap();
        let takes = told.takes.unwrap() as usize;
        assert!(!told.within && reach_of(takes, 5, 0.1).like.unwrap().within);
        assert!(!reach_of(takes - 1, 5, 0.1).like.unwrap().within);
        let told = reach_of(12, 2, 0.1).these.unwrap();
        let takes = told.takes.unwrap();
        assert!(!told.within && reach_of(12, takes, 0.1).these.unwrap().within);
        assert!(!reach_of(12, takes - 1, 0.1).these.unwrap().within);
        assert_eq!(reach_of(12, 5, 0.0).like.unwrap().takes, None);
    }

    #[test]
    fn one_repeat_says_nothing_of_these_tasks_and_one_task_nothing_of_others() {
        assert!(reach_of(12, 1, 0.1).these.is_none());
        assert!(reach_of(1, 5, 0.1).like.is_none());
    }

    #[test]
    fn the_bar_is_cleared_by_the_tasks_that_it_says() {
        let bar_of = |tasks: usize| {
            let mut sweep = Sweep::new(tasks, 5).flat("a+x", 1, 5).flat("b+x", 1, 5);
            sweep.question.quality_bar = Some(0.9);
            bar(&sweep.question).unwrap().unwrap()
        };
        let takes = bar_of(4).takes.unwrap() as usize;
        assert!(bar_of(takes).perfect > 0.9 && bar_of(takes - 1).perfect <= 0.9);
        let open = Sweep::new(4, 5).flat("a+x", 1, 5);
        assert_eq!(bar(&open.question).unwrap(), None);
    }
}
