//! Time to finish: the median and the mean up to the time limit, where rollouts that were stopped
//! are known to have taken longer, and what a challenger adds to it.

use super::compare_like::Arms;
use super::grouping::Grouping;
use super::rates::estimate;
use super::table::{Row, Table};
use super::{AnalysisError, Question};
use crate::domain::{Estimate, LimitKind, Outcome, ResultRow};
use crate::stats::{
    End, Finish, Pair, TimeToFinish, korn_graubard, mover, sign_flip_units, time_shares,
    time_to_finish,
};
use serde::Serialize;

/// How long a cell takes \[tasks like these\], in milliseconds of the task's own time, over measured
/// rollouts. A rollout that a limit stopped, or that broke off, would have taken longer.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct TimeLine {
    /// The largest time limit of the sweep: beyond it nothing is known of any cell.
    pub limit_ms: u64,
    /// The time by which half of the rollouts finish (Kaplan-Meier), tasks counting as they do in
    /// the pass rate; `None` when fewer than half finish within the limit.
    pub median_ms: Option<Estimate>,
    /// The mean of min(time, limit). Its upper limit allows for tasks that run to the limit.
    pub mean_ms: Estimate,
    /// The share of rollouts that ran into their limit of seconds, 0..=1.
    pub timed_out: Estimate,
}

/// A challenger's time against the baseline's.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct TimeComparison {
    /// The difference of the means up to the limit, milliseconds, with MOVER's interval at the
    /// plain level.
    pub difference_ms: Estimate,
    /// The exact sign-flip p, two-sided, unadjusted: do the patterns of times differ?
    pub pattern_p: f64,
}

/// The times of one cell, task by task.
type Finishes = Vec<Vec<Finish>>;

/// The largest limit in milliseconds; `None` without a measured rollout, and where the time or the
/// limit of one of them is unknown.
pub(super) fn limit(table: &Table<'_>) -> Option<u64> {
    let rows = table.rows.iter().flat_map(Row::records);
    let measured = rows.filter(|row| row.outcome.is_measured());
    let limits = measured.map(|row| row.worked_ms.and(row.timeout_ms));
    let limits = limits.collect::<Option<Vec<_>>>()?;
    limits.into_iter().max().filter(|limit| *limit > 0)
}

fn finish(row: &ResultRow) -> Option<Finish> {
    let stopped = matches!(
        row.outcome,
        Outcome::LimitReached { .. } | Outcome::AgentCrash { .. }
    );
    Some(Finish {
        time: row.worked_ms? as f64,
        end: if stopped { End::Stopped } else { End::Finished },
    })
}

/// The tasks with a measured rollout, and their times.
fn measured(row: &Row<'_>) -> (Vec<usize>, Finishes) {
    let cases = row.cases.iter().enumerate();
    let times = cases.map(|(task, case)| {
        let records = case.records.iter().filter(|r| r.outcome.is_measured());
        (task, records.filter_map(|r| finish(r)).collect::<Vec<_>>())
    });
    times.filter(|(_, times)| !times.is_empty()).unzip()
}

fn slices(times: &Finishes) -> Vec<&[Finish]> {
    times.iter().map(Vec::as_slice).collect()
}

/// The time of one cell; `None` where nothing was measured.
pub(super) fn of_cell(
    row: &Row<'_>,
    limit: Option<u64>,
    (grouping, alpha): (&Grouping, f64),
) -> Result<Option<TimeLine>, AnalysisError> {
    let (tasks, times) = measured(row);
    let Some(limit_ms) = limit.filter(|_| !tasks.is_empty()) else {
        return Ok(None);
    };
    let grouping = grouping.only(&tasks);
    let units = grouping.count(tasks.len());
    let weights: Vec<f64> = (0..tasks.len()).map(|t| grouping.task_weight(t)).collect();
    let limit = limit_ms as f64;
    let units_of = |shares: &[f64]| grouping.graded(shares);
    let found = time_to_finish(&slices(&times), limit, &weights, alpha, units_of)?;
    let late = |task: &usize| {
        let records = row.cases[*task].records.iter();
        let measured: Vec<_> = records.filter(|r| r.outcome.is_measured()).collect();
        let late = measured.iter().filter(|r| timed_out(&r.outcome)).count();
        late as f64 / measured.len() as f64
    };
    let late: Vec<f64> = tasks.iter().map(late).collect();
    let late = korn_graubard(&grouping.graded(&late)?, alpha)?;
    line(limit_ms, &found, (late.into(), late.mean), units).map(Some)
}

fn timed_out(outcome: &Outcome) -> bool {
    let seconds = LimitKind::Seconds;
    *outcome == Outcome::LimitReached { limit: seconds }
}

fn line(
    limit_ms: u64,
    found: &TimeToFinish,
    (late, share): (crate::stats::Limits, f64),
    units: usize,
) -> Result<TimeLine, AnalysisError> {
    // repeats of one task say nothing about the time of another
    let limit = limit_ms as f64;
    let few = units < 2;
    let held = |lower: f64, upper: Option<f64>, most: f64| {
        if few {
            (0.0, Some(most))
        } else {
            (lower, upper)
        }
    };
    let mean = held(
        found.mean_limits.lower,
        Some(found.mean_limits.upper),
        limit,
    );
    let late = held(late.lower, Some(late.upper), 1.0);
    let median = held(found.median_limits.lower, found.median_limits.upper, limit);
    let median_of = |value: f64| estimate(value, median.0, median.1, units);
    Ok(TimeLine {
        limit_ms,
        median_ms: found.median.map(median_of).transpose()?,
        mean_ms: estimate(found.mean, mean.0, mean.1, units)?,
        timed_out: estimate(share, late.0, late.1, units)?,
    })
}

/// Each challenger's time against the baseline's; `None` with fewer than two units, or where a task
/// has no measured rollout in one of them.
pub(super) fn compare(
    question: &Question,
    grouping: &Grouping,
    (arms, limit): (&Arms<'_, '_>, Option<u64>),
) -> Result<Vec<Option<TimeComparison>>, AnalysisError> {
    let units = grouping.count(question.tasks.len());
    let Some(limit) = limit.filter(|_| units > 1) else {
        return Ok(vec![None; arms.challengers.len()]);
    };
    let limit = limit as f64;
    let graded = |row: &Row<'_>| {
        let (tasks, times) = measured(row);
        if tasks.len() < question.tasks.len() {
            return Ok(None);
        }
        let shares = time_shares(&slices(&times), limit)?;
        grouping.graded(&shares).map(Some)
    };
    let baseline = graded(arms.baseline)?;
    let rows = arms.challengers.iter();
    rows.map(|row| {
        let (Some(a), Some(b)) = (graded(row)?, &baseline) else {
            return Ok(None);
        };
        let pair = Pair { a: &a, b };
        let found = mover(pair, question.alpha, question.padding.into())?;
        let upper = Some(found.upper * limit);
        Ok(Some(TimeComparison {
            difference_ms: estimate(found.diff * limit, found.lower * limit, upper, units)?,
            pattern_p: sign_flip_units(&a, b)?.p_two_sided,
        }))
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{Sweep, infrastructure};
    use super::*;

    /// Every rollout of `quick+x` takes two seconds, of `slow+x` fifty; the limit is 120 seconds.
    fn sweep() -> Sweep {
        let sweep = Sweep::new(12, 3)
            .flat("quick+x", 10, 3)
            .flat("slow+x", 10, 3)
            .baseline("slow+x");
        let slow = sweep.edit("slow+x", |i, r| r.worked_ms = 50_000 + (i as u64 % 3));
        slow.edit("quick+x", |i, r| r.worked_ms = 2_000 + (i as u64 % 5))
    }

    #[test]
    fn a_stopped_rollout_took_longer_than_it_was_let() {
        let late = sweep().edit("slow+x", |i, r| {
            if i < 24 {
                r.worked_ms = 120_000;
                r.outcome = Outcome::LimitReached {
                    limit: LimitKind::Seconds,
                };
            }
        });
        let cells = late.analyze().cells;
        let (quick, slow) = (cells[0].time.unwrap(), cells[1].time.unwrap());
        assert_eq!(quick.limit_ms, 120_000);
        let median = quick.median_ms.unwrap();
        assert!((2_000.0..2_005.0).contains(&median.value()), "{quick:?}");
        assert_eq!((quick.timed_out.value(), quick.timed_out.n()), (0.0, 12));
        assert!(quick.timed_out.interval().hi.unwrap() > 0.2);
        assert_eq!(slow.median_ms, None, "two in three never finished");
        assert!((slow.timed_out.value() - 2.0 / 3.0).abs() < 1e-12);
        let mean = slow.mean_ms.value();
        assert!(
            (mean - (2.0 * 120_000.0 + 50_001.0) / 3.0).abs() < 1.0,
            "{mean}"
        );
    }

    #[test]
    fn times_are_compared_on_the_same_tasks_and_one_task_says_nothing() {
        let analysis = sweep().analyze();
        let time = analysis.comparisons[0].time.unwrap();
        assert!(
            (time.difference_ms.value() + 47_999.0).abs() < 3.0,
            "{time:?}"
        );
        assert!(time.pattern_p < 0.001);
        let one = Sweep::new(1, 5).flat("a+x", 10, 5).analyze().cells[0]
            .time
            .unwrap();
        let interval = one.mean_ms.interval();
        assert_eq!((interval.lo, interval.hi), (0.0, Some(120_000.0)));
        let dark = sweep().edit("quick+x", |_, r| r.outcome = infrastructure());
        assert_eq!(dark.analyze().cells[0].time, None);
        assert_eq!(dark.analyze().comparisons[0].time, None);
    }
}
