//! Pass rates of one cell with their intervals, in both scopes.

use super::AnalysisError;
use super::grouping::Grouping;
use super::table::{Counts, Row, View};
use crate::domain::Estimate;
use crate::stats::{StatsError, korn_graubard, normal_quantile, pack_line, wilson};

/// An estimate whose value is held inside its own limits: the value and the limits of an
/// unfinished cell come from different counts, and rounding may part them by an ulp.
pub(super) fn estimate(
    value: f64,
    lower: f64,
    upper: Option<f64>,
    n: usize,
) -> Result<Estimate, AnalysisError> {
    let value = upper.map_or(value, |upper| value.min(upper)).max(lower);
    Ok(Estimate::new(value, lower, upper, n as u32)?)
}

/// The largest p-value that rollouts which were not measured could make of a two-sided test, from its
/// p under both extremes with the difference that each was seen at: where the two lie on either side
/// of no difference, something between them shows none at all.
pub(super) fn largest_p(low: (f64, f64), high: (f64, f64)) -> f64 {
    let ((low_at, low_p), (high_at, high_p)) = (low, high);
    if low_at == high_at || low_at * high_at > 0.0 {
        low_p.max(high_p)
    } else {
        1.0
    }
}

/// A share of rollouts by Wilson; `n` counts rollouts. `None` without any.
pub(super) fn share(count: u32, of: u32, alpha: f64) -> Result<Option<Estimate>, AnalysisError> {
    if of == 0 {
        return Ok(None);
    }
    let limits = wilson(count.into(), of.into(), alpha)?;
    let value = f64::from(count) / f64::from(of);
    estimate(value, limits.lower, Some(limits.upper), of as usize).map(Some)
}

/// The mean over tasks of the finished rollouts' pass rate, infrastructure failures as failures;
/// `None` when nothing was measured.
pub(super) fn observed(row: &Row<'_>, grouping: &Grouping) -> Result<Option<f64>, StatsError> {
    if !row.is_measured() {
        return Ok(None);
    }
    let counts = row.counts(View::Finished);
    if row.missing() == 0 {
        return Ok(Some(grouping.units(counts.arm()?)?.mean()));
    }
    let (mut sum, mut weights) = (0.0, 0.0);
    for (task, (passes, runs)) in counts.passes.iter().zip(&counts.runs).enumerate() {
        if *runs > 0 {
            let weight = grouping.task_weight(task);
            sum += weight * f64::from(*passes) / f64::from(*runs);
            weights += weight;
        }
    }
    Ok((weights > 0.0).then(|| sum / weights))
}

/// The pass rate \[tasks like these\]; its limits are those of both extremes where rollouts are
/// missing. `None` when nothing was measured. With one unit nothing is known about others: one task
/// gives the interval of its own rollouts, one family none at all.
pub(super) fn like(
    row: &Row<'_>,
    grouping: &Grouping,
    alpha: f64,
) -> Result<Option<Estimate>, AnalysisError> {
    between(row, grouping, (View::Worst, View::MissingPass), alpha)
}

/// The pass rate with its limits from two views of the same rollouts.
pub(super) fn between(
    row: &Row<'_>,
    grouping: &Grouping,
    (worst, best): (View, View),
    alpha: f64,
) -> Result<Option<Estimate>, AnalysisError> {
    let Some(value) = observed(row, grouping)? else {
        return Ok(None);
    };
    let (low, high) = (row.counts(worst), row.counts(best));
    let units = grouping.count(row.cases.len());
    let (lower, upper) = if units < 2 {
        // Repeats of one task say nothing about the next one.
        (0.0, 1.0)
    } else {
        let low = korn_graubard(&grouping.units(low.arm()?)?, alpha)?;
        let high = korn_graubard(&grouping.units(high.arm()?)?, alpha)?;
        (low.lower, high.upper)
    };
    estimate(value, lower, Some(upper), units).map(Some)
}

/// The pass rate without infrastructure failures, over the tasks (or families) that have a measured
/// rollout: `n` counts those. `None` without infrastructure failures, or with fewer than two of
/// several units measured.
pub(super) fn measured(
    row: &Row<'_>,
    grouping: &Grouping,
    alpha: f64,
) -> Result<Option<Estimate>, AnalysisError> {
    let all = row.counts(View::Measured);
    if row.sum(super::table::Case::infrastructure) == 0 {
        return Ok(None);
    }
    let told: Vec<usize> = (0..all.runs.len())
        .filter(|task| all.runs[*task] > 0)
        .collect();
    let pairs = told.iter().map(|task| (all.passes[*task], all.runs[*task]));
    let counts = Counts::of(pairs.collect());
    if grouping.count(row.cases.len()) == 1 {
        return share(counts.passes.iter().sum(), counts.runs.iter().sum(), alpha);
    }
    let grouping = grouping.only(&told);
    match grouping.count(told.len()) {
        // one of several says nothing about the others
        0 | 1 => Ok(None),
        units => {
            let cell = korn_graubard(&grouping.units(counts.arm()?)?, alpha)?;
            estimate(cell.mean, cell.lower, Some(cell.upper), units).map(Some)
        }
    }
}

/// The pass rate \[these tasks\]: the padded rollout variance of F5 for one arm. `None` with one
/// repeat, when rollouts are missing, or when nothing was measured.
pub(super) fn these(row: &Row<'_>, alpha: f64) -> Result<Option<Estimate>, AnalysisError> {
    if row.missing() > 0 || !row.is_repeated() || !row.is_measured() {
        return Ok(None);
    }
    let counts = row.counts(View::Worst);
    let arm = counts.arm()?;
    // two equal, independent arms have twice the variance of one
    let se = pack_line(arm, arm)?.se / std::f64::consts::SQRT_2;
    let half = -normal_quantile(alpha / 2.0) * se;
    let (lower, upper) = ((arm.mean() - half).max(0.0), (arm.mean() + half).min(1.0));
    estimate(arm.mean(), lower, Some(upper), row.cases.len()).map(Some)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn between_a_loss_and_a_gain_lies_no_difference() {
        for (low, high, largest) in [
            ((0.1, 0.2), (0.3, 0.4), 0.4),
            ((-0.3, 0.4), (-0.1, 0.2), 0.4),
            ((-0.1, 0.2), (0.1, 0.3), 1.0),
            // Both extremes show none: then there is none between them that shows one.
            ((0.0, 0.3), (0.0, 0.2), 0.3),
            ((0.0, 0.3), (0.5, 0.2), 1.0),
            ((-0.5, 0.3), (0.0, 0.2), 1.0),
        ] {
            assert_eq!(largest_p(low, high), largest, "{low:?} {high:?}");
        }
    }
}
