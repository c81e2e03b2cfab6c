//! CONFIDENCE: Low, Medium or High, the reason, and the tasks that would settle the question.

use super::settle::{POWER, Settling, all_alike, spread};
use super::{AnalysisError, Status};
use crate::domain::{CellId, Estimate};
use crate::stats::{Power, tasks_for_margin};
use serde::Serialize;

/// How far the answer can be trusted, for tasks like these.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Confidence {
    /// The word; never above Low with fewer than 10 independent units.
    pub level: ConfidenceLevel,
    /// What holds it there.
    pub reason: ConfidenceReason,
    /// The cell that it is about: the winner, else the contender; `None` without a challenger.
    pub about: Option<CellId>,
    /// Independent units (tasks, or families) in the sweep.
    pub units: u32,
    /// Half the width of the difference's interval (of the cell's own interval without a
    /// baseline), as a fraction; `None` when there is no interval.
    pub half_width: Option<f64>,
    /// The tasks needed; `None` with fewer than two units, without a challenger, or where nothing was
    /// measured of one side.
    pub tasks_needed: Option<TasksNeeded>,
}

/// The word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ConfidenceLevel {
    /// Directional only.
    Low,
    /// The interval is at most twice the margin each way, over at least 10 units.
    Medium,
    /// The interval is at most the margin each way, over at least 30 units.
    High,
}

/// What holds the level where it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ConfidenceReason {
    /// Rollouts are missing.
    Incomplete,
    /// Fewer than 10 (for Low) or 30 (for Medium) independent units.
    FewTasks,
    /// The interval is wider than the margin allows.
    WideInterval,
    /// There is nothing to compare with.
    NoComparison,
    /// Not one rollout of a side was measured.
    NothingMeasured,
    /// Enough tasks, and an interval within the margin.
    Enough,
}

/// How many tasks detect a difference of one margin with 80% power.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct TasksNeeded {
    /// The number of tasks.
    pub tasks: u32,
    /// Where the number comes from.
    pub basis: NeededBasis,
}

/// Where a number of tasks comes from.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum NeededBasis {
    /// (z_{1-alpha/2} + z_{0.8})^2 sd^2 / margin^2.
    ObservedSpread {
        /// The standard deviation of the units' differences, as a fraction.
        sd: f64,
    },
    /// No two tasks differed: at least the tasks that, all alike, exclude a loss of one margin.
    NoSpreadSeen,
}

/// Below this many units nothing is above Low.
const LOW_BELOW: usize = 10;
/// Below this many units nothing is above Medium.
const MEDIUM_BELOW: usize = 30;

/// How far the answer about a cell (its position in the plan) can be trusted.
pub(super) fn judge(
    about: Option<usize>,
    settling: &Settling<'_, '_>,
) -> Result<Confidence, AnalysisError> {
    let question = settling.question;
    let units = settling.unit_count();
    let cell = about.map(|index| &question.cells[index].id);
    let half_width = about
        .and_then(|index| interval_of(index, settling))
        .and_then(half);
    let nothing = about.is_some_and(|index| !is_measured(index, settling));
    let (level, reason) = if nothing && settling.status == Status::Complete {
        (ConfidenceLevel::Low, ConfidenceReason::NothingMeasured)
    } else {
        level(half_width, units, settling)
    };
    let tasks_needed = match about {
        Some(index) => needed(index, settling)?,
        None => None,
    };
    Ok(Confidence {
        level,
        reason,
        about: cell.cloned(),
        units: units as u32,
        half_width,
        tasks_needed,
    })
}

/// Whether anything was measured of a cell and of what it is compared with.
fn is_measured(index: usize, settling: &Settling<'_, '_>) -> bool {
    let id = &settling.question.cells[index].id;
    let comparison = settling.comparisons.iter().find(|c| &c.cell == id);
    comparison.map_or(settling.cells[index].measured > 0, |found| {
        found.unmeasured.is_none()
    })
}

/// The difference's plain interval, else the cell's own.
fn interval_of(index: usize, settling: &Settling<'_, '_>) -> Option<Estimate> {
    let id = &settling.question.cells[index].id;
    let comparison = settling.comparisons.iter().find(|c| &c.cell == id);
    match comparison {
        Some(comparison) => comparison.like.as_ref().map(|like| like.plain),
        None => settling.cells[index].pass_rate,
    }
}

fn half(estimate: Estimate) -> Option<f64> {
    let interval = estimate.interval();
    interval.hi.map(|hi| (hi - interval.lo) / 2.0)
}

fn level(
    half_width: Option<f64>,
    units: usize,
    settling: &Settling<'_, '_>,
) -> (ConfidenceLevel, ConfidenceReason) {
    let margin = settling.question.margin.value;
    if settling.status == Status::Incomplete {
        return (ConfidenceLevel::Low, ConfidenceReason::Incomplete);
    }
    let Some(half_width) = half_width else {
        return (ConfidenceLevel::Low, ConfidenceReason::NoComparison);
    };
    let by_width = if half_width <= margin {
        ConfidenceLevel::High
    } else if half_width <= 2.0 * margin {
        ConfidenceLevel::Medium
    } else {
        ConfidenceLevel::Low
    };
    let by_tasks = if units < LOW_BELOW {
        ConfidenceLevel::Low
    } else if units < MEDIUM_BELOW {
        ConfidenceLevel::Medium
    } else {
        ConfidenceLevel::High
    };
    let level = by_width.min(by_tasks);
    let reason = if level == ConfidenceLevel::High {
        ConfidenceReason::Enough
    } else if by_tasks <= by_width {
        ConfidenceReason::FewTasks
    } else {
        ConfidenceReason::WideInterval
    };
    (level, reason)
}

/// The tasks that detect one margin with 80% power at the observed spread.
fn needed(index: usize, settling: &Settling<'_, '_>) -> Result<Option<TasksNeeded>, AnalysisError> {
    let question = settling.question;
    let (Some(sd), Some((units, _))) = (spread(index, settling)?, settling.units(index)?) else {
        return Ok(None);
    };
    if question.margin.value <= 0.0 {
        return Ok(None);
    }
    let tasks_a_unit = settling.tasks_a_unit(&units);
    if sd < 1e-9 {
        let units = all_alike(question.margin.value, question.alpha / 2.0);
        let tasks = (units * tasks_a_unit).ceil();
        return Ok(Some(TasksNeeded {
            tasks: tasks as u32,
            basis: NeededBasis::NoSpreadSeen,
        }));
    }
    let power = Power {
        alpha: question.alpha,
        power: POWER,
    };
    let units = tasks_for_margin(sd, question.margin.value, power)?;
    Ok(Some(TasksNeeded {
        // a cast saturates
        tasks: (units as f64 * tasks_a_unit).ceil() as u32,
        basis: NeededBasis::ObservedSpread { sd },
    }))
}

#[cfg(test)]
mod tests {
    use super::super::fixture::Sweep;
    use super::*;

    fn confidence(tasks: usize, challenger: &[u32]) -> Confidence {
        Sweep::new(tasks, 5)
            .flat("base+x", 1_000, 5)
            .cell("new+x", 10, challenger)
            .baseline("base+x")
            .analyze()
            .confidence
    }

    #[test]
    fn fewer_than_ten_tasks_are_never_above_low() {
        let few = confidence(9, &[5; 9]);
        assert_eq!(
            (few.level, few.reason),
            (ConfidenceLevel::Low, ConfidenceReason::FewTasks)
        );
        let mut lax = Sweep::new(9, 5)
            .flat("base+x", 9, 5)
            .flat("new+x", 1, 5)
            .baseline("base+x");
        lax.question.margin.value = 0.9;
        let lax = lax.analyze().confidence;
        assert!(lax.half_width.unwrap() < 0.9);
        assert_eq!(lax.level, ConfidenceLevel::Low);
        let some = confidence(60, &[5; 60]);
        assert_eq!(some.level, ConfidenceLevel::Medium);
        let many = confidence(200, &[5; 200]);
        assert_eq!(
            (many.level, many.reason),
            (ConfidenceLevel::High, ConfidenceReason::Enough)
        );
    }

    #[test]
    fn the_tasks_needed_follow_the_observed_spread_and_the_margin() {
        // differences 0, 0, 0, -0.2: mean -0.05, sum of squares 0.03, sd 0.1
        let needed = confidence(4, &[5, 5, 5, 4]).tasks_needed.unwrap();
        let NeededBasis::ObservedSpread { sd } = needed.basis else {
            panic!()
        };
        assert!((sd - 0.1).abs() < 1e-12);
        // 7.8489 x 0.01 / 0.0025 = 31.4
        assert_eq!(needed.tasks, 32);
        let alike = confidence(4, &[5; 4]).tasks_needed.unwrap();
        // 0.95^n <= 0.025
        assert_eq!((alike.tasks, alike.basis), (72, NeededBasis::NoSpreadSeen));
    }
}
