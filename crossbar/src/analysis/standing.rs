//! Where each challenger stands in one scope: what it has shown, and what shuts it out.

use super::comparison::{Cheaper, Comparison, Shown};
use super::grouping::Grouping;
use super::rates::between;
use super::table::{Row, View};
use super::{AnalysisError, CellSummary, Claim, ClosedBy, Lack, Question, Scope, Status};

/// One cell's place in one scope.
pub(super) struct Standing {
    /// Position in the plan.
    pub(super) index: usize,
    /// What shuts it out, first reason first.
    pub(super) closed: Option<ClosedBy>,
    /// What it has not shown; empty = it qualifies.
    pub(super) lacks: Vec<Lack>,
    /// Whether rollouts that could not be measured decide something about it.
    pub(super) undetermined: bool,
    /// Dollars per success; infinite when nothing passed or a cost is unknown.
    pub(super) cost: f64,
}

impl Standing {
    /// Whether it fulfils every condition.
    pub(super) fn qualifies(&self) -> bool {
        self.lacks.is_empty() && self.closed != Some(ClosedBy::ExecutedViolation)
    }
}

/// Where a cell stands against the quality bar.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Bar {
    None,
    Above,
    Open,
    Under,
}

/// A cell against the bar, at alpha / family so that the best of many is not believed for its
/// luck: above by the lower limit with everything that says nothing counted against it, under by
/// the upper limit with everything counted in its favour.
pub(super) fn bar(
    question: &Question,
    grouping: &Grouping,
    row: &Row<'_>,
    family: usize,
) -> Result<Bar, AnalysisError> {
    let Some(bar) = question.quality_bar else {
        return Ok(Bar::None);
    };
    let alpha = question.alpha / family.max(1) as f64;
    let narrowest = between(row, grouping, (View::Worst, View::Worst), alpha)?;
    if narrowest.is_some_and(|rate| rate.interval().lo > bar) {
        return Ok(Bar::Above);
    }
    let widest = between(row, grouping, (View::Worst, View::Best), alpha)?;
    let under = widest
        .and_then(|rate| rate.interval().hi)
        .is_some_and(|hi| hi < bar);
    Ok(if under { Bar::Under } else { Bar::Open })
}

/// What one scope says about a pair.
struct Evidence {
    direction: Option<Shown>,
    non_inferior: Option<Claim>,
    undetermined: bool,
}

fn evidence(comparison: &Comparison, scope: Scope) -> Evidence {
    let like = comparison.like.as_ref();
    let these = comparison.these.as_ref();
    match scope {
        Scope::TasksLikeThese => Evidence {
            direction: like.and_then(|l| l.direction),
            non_inferior: like.map(|l| l.non_inferior),
            undetermined: like
                .is_some_and(|l| l.direction_undetermined || l.non_inferior_undetermined),
        },
        Scope::TheseTasks => Evidence {
            direction: these.and_then(|t| t.direction),
            non_inferior: these.map(|t| t.non_inferior),
            undetermined: these
                .is_some_and(|t| t.direction_undetermined || t.non_inferior_undetermined),
        },
    }
}

/// A challenger against the baseline in one scope.
pub(super) fn challenger(
    (index, summary): (usize, &CellSummary),
    comparison: &Comparison,
    bar: Bar,
    (scope, status): (Scope, Status),
) -> Standing {
    let seen = evidence(comparison, scope);
    let cheaper = comparison.cost.cheaper;
    let closed = [
        (summary.violated(), ClosedBy::ExecutedViolation),
        (seen.direction == Some(Shown::Worse), ClosedBy::Worse),
        (bar == Bar::Under, ClosedBy::UnderBar),
        (cheaper == Cheaper::ShownNot, ClosedBy::NotCheaper),
    ];
    let within = seen.non_inferior.is_some_and(|claim| claim.shown);
    let missing = status == Status::Incomplete;
    let measured = comparison.unmeasured.is_none();
    let undetermined = seen.undetermined || !measured;
    // with rollouts missing no cost is compared, known or not
    let unknown = cheaper == Cheaper::UnknownCost && !missing;
    let dearer = matches!(cheaper, Cheaper::Open | Cheaper::ShownNot);
    // where nothing was measured everything else is lacking for that reason
    let lacks = [
        (missing, Lack::Rollouts),
        (undetermined, Lack::Unmeasured),
        (measured && !within, Lack::WithinMargin),
        (
            measured && !matches!(bar, Bar::None | Bar::Above),
            Lack::AboveBar,
        ),
        (measured && unknown, Lack::Cost),
        (measured && dearer, Lack::Cheaper),
    ];
    Standing {
        index,
        closed: first(&closed),
        lacks: all(&lacks),
        undetermined,
        cost: cost(summary),
    }
}

/// A cell on its own, against the bar: for PICK.
pub(super) fn alone((index, summary): (usize, &CellSummary), bar: Bar, status: Status) -> Standing {
    let closed = [
        (summary.violated(), ClosedBy::ExecutedViolation),
        (bar == Bar::Under, ClosedBy::UnderBar),
    ];
    let missing = status == Status::Incomplete;
    let measured = summary.measured > 0;
    let unknown = summary.cost.total().is_none() && !missing;
    let lacks = [
        (missing, Lack::Rollouts),
        (!measured, Lack::Unmeasured),
        (measured && bar != Bar::Above, Lack::AboveBar),
        (measured && unknown, Lack::Cost),
    ];
    Standing {
        index,
        closed: first(&closed),
        lacks: all(&lacks),
        undetermined: !measured,
        cost: cost(summary),
    }
}

fn first<T: Copy>(tests: &[(bool, T)]) -> Option<T> {
    tests
        .iter()
        .find(|(holds, _)| *holds)
        .map(|(_, what)| *what)
}

fn all<T: Copy>(tests: &[(bool, T)]) -> Vec<T> {
    tests
        .iter()
        .filter(|(holds, _)| *holds)
        .map(|(_, what)| *what)
        .collect()
}

fn cost(summary: &CellSummary) -> f64 {
    let estimate = summary.cost_per_success.estimate;
    estimate.map_or(f64::INFINITY, |estimate| estimate.value())
}
