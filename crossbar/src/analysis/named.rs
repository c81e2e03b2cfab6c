//! Intervals that other tools print, by their names, beside ours: for comparison, never for a
//! verdict.

use super::rates::estimate;
use super::{Analysis, AnalysisError, Question};
use crate::domain::{CellId, Estimate};
use crate::stats::{BootstrapEstimate, Resampling, bootstrap_means, paired_bootstrap};

/// Resamples of a bootstrap.
const RESAMPLES: usize = 10_000;

/// An interval of another tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NamedInterval {
    /// Percentile bootstrap of the mean of the tasks' rates.
    BootstrapPercentile,
}

impl NamedInterval {
    /// Its name, as flags and documents write it.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::BootstrapPercentile => "bootstrap-percentile",
        }
    }

    /// What it was measured to hold at a nominal 95%, in worlds whose true rate is known
    /// (docs/statistics.md): whoever prints it prints this too.
    #[must_use]
    pub fn coverage(self) -> &'static str {
        match self {
            Self::BootstrapPercentile => {
                "measured to hold the true rate in 19 to 70% of cases with 4 tasks, in 66 to 90% with 20"
            }
        }
    }
}

/// One cell by another tool's interval. Units are tasks, each once, whatever family or weight.
#[derive(Debug, Clone, PartialEq)]
pub struct NamedFigures {
    /// The cell.
    pub cell: CellId,
    /// Its pass rate.
    pub rate: Estimate,
    /// Its pass rate minus the baseline's, paired by task; `None` for the baseline, and without one.
    pub difference: Option<Estimate>,
}

/// Every cell in plan order; nothing where a rollout is missing, since these intervals can't say so.
///
/// # Errors
/// A statistic that refuses its input.
pub fn named_figures(
    question: &Question,
    analysis: &Analysis,
    _: NamedInterval,
) -> Result<Vec<NamedFigures>, AnalysisError> {
    if !analysis.completeness.missing.is_empty() {
        return Ok(Vec::new());
    }
    let resampling = Resampling {
        resamples: RESAMPLES,
        seed: 0,
    };
    let rates: Vec<Vec<f64>> = (0..question.cells.len())
        .map(|cell| rates(analysis, cell))
        .collect();
    let columns: Vec<&[f64]> = rates.iter().map(Vec::as_slice).collect();
    let baseline = question
        .cells
        .iter()
        .position(|cell| Some(&cell.id) == question.baseline.as_ref());
    let tasks = question.tasks.len();
    let figure = |of: BootstrapEstimate| estimate(of.mean, of.lower, Some(of.upper), tasks);
    let intervals = bootstrap_means(&columns, resampling, question.alpha)?;
    let mut figures = Vec::new();
    for (at, (cell, interval)) in question.cells.iter().zip(intervals).enumerate() {
        let difference = baseline.filter(|baseline| *baseline != at).map(|baseline| {
            let of = paired_bootstrap(columns[at], columns[baseline], resampling, question.alpha)?;
            figure(of)
        });
        figures.push(NamedFigures {
            cell: cell.id.clone(),
            rate: figure(interval)?,
            difference: difference.transpose()?,
        });
    }
    Ok(figures)
}

/// The pass rate of every task in one cell.
fn rates(analysis: &Analysis, cell: usize) -> Vec<f64> {
    let tasks = analysis.task_table.iter().map(|task| &task.cells[cell]);
    tasks
        .map(|counts| f64::from(counts.accepted) / f64::from(counts.finished.max(1)))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::super::fixture::Sweep;
    use super::*;

    fn figures(sweep: &Sweep) -> Vec<NamedFigures> {
        let (question, analysis) = (&sweep.question, sweep.analyze());
        named_figures(question, &analysis, NamedInterval::BootstrapPercentile).unwrap()
    }

    fn shown(estimate: &Estimate) -> String {
        let interval = estimate.interval();
        let points = |value: f64| (value * 100.0).round();
        let hi = points(interval.hi.unwrap());
        format!(
            "{} [{}, {hi}]",
            points(estimate.value()),
            points(interval.lo)
        )
    }

    #[test]
    fn rates_and_differences_are_those_that_a_known_card_prints() {
        let sweep = Sweep::new(4, 5)
            .cell("strong+react", 51_000, &[4, 5, 5, 5])
            .cell("weak+react", 500, &[5, 3, 3, 1])
            .cell("weak+verify", 500, &[5, 4, 5, 5])
            .baseline("strong+react");
        let figures = figures(&sweep);
        let rates: Vec<_> = figures.iter().map(|one| shown(&one.rate)).collect();
        assert_eq!(rates, ["95 [85, 100]", "60 [30, 90]", "95 [85, 100]"]);
        assert_eq!(figures[0].difference, None);
        let same = figures[2].difference.map(|difference| shown(&difference));
        assert_eq!(same.unwrap(), "0 [-15, 15]");
    }

    #[test]
    fn what_is_not_whole_has_none() {
        let mut sweep = Sweep::new(4, 5).flat("a+h", 1, 3);
        sweep.rollouts.pop();
        assert_eq!(figures(&sweep), []);
    }
}
