//! How long a cell takes, with tasks as units: the median and the mean up to the time limit, each
//! with its interval (section 3.10). A rollout that hit the limit took at least that long.

use super::error::StatsError;
use super::kaplan_meier::{End, Finish, curve};
use super::korn_graubard::Shape;
use super::limits::{Limits, OpenLimits, check_alpha, in_range};
use super::units::Units;

/// Times of one cell up to a limit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TimeToFinish {
    /// mean of min(time, limit) over tasks, by weight
    pub mean: f64,
    /// its limits
    pub mean_limits: Limits,
    /// time by which half of the rollouts finish, tasks by weight; `None` beyond the limit
    pub median: Option<f64>,
    /// the times at which the interval of the share still running holds one half
    pub median_limits: OpenLimits,
}

/// The times of a cell, task by task (each at least one rollout; those of a task may differ in
/// number), up to `limit` (above 0), with limits at two-sided error `alpha`. `weights` has the weight
/// of each task, and `units` makes one share a task into units as the caller counts them. A rollout
/// that was stopped before the limit counts by Kaplan and Meier in the figures; in the lower limits
/// it finishes there, in the upper ones it runs to the limit.
/// Errors: no task, another number of weights, a task without rollouts, a wrong time, a limit or
/// alpha out of range, those of `units`.
pub fn time_to_finish(
    tasks: &[&[Finish]],
    limit: f64,
    weights: &[f64],
    alpha: f64,
    units: impl Fn(&[f64]) -> Result<Units, StatsError>,
) -> Result<TimeToFinish, StatsError> {
    check_alpha(alpha)?;
    in_range("time limit", limit, limit > 0.0 && limit.is_finite())?;
    check(tasks)?;
    if weights.len() != tasks.len() {
        return Err(StatsError::LengthMismatch {
            left: tasks.len(),
            right: weights.len(),
        });
    }
    let weighted = tasks.iter().zip(weights).flat_map(|(task, weight)| {
        let weight = weight / task.len() as f64;
        task.iter().map(move |rollout| (*rollout, weight))
    });
    let whole = curve(weighted.collect())?;
    let shares = |value: &dyn Fn(&Finish) -> f64| -> Result<Shape, StatsError> {
        let shares: Vec<f64> = tasks.iter().map(|task| mean(task, value)).collect();
        Ok(Shape::of(&units(&shares)?))
    };
    let means = |extreme: Extreme| shares(&|r| extreme.time(r, limit) / limit);
    let steps = whole.steps.iter().map(|step| step.time);
    let times: Vec<f64> = steps.filter(|time| *time < limit).collect();
    let running = |time: f64, extreme: Extreme| {
        shares(&|r| f64::from(u8::from(extreme.time(r, limit) > time)))
    };
    Ok(TimeToFinish {
        mean: whole.restricted_mean(limit),
        mean_limits: Limits {
            lower: limit * means(Extreme::Soonest)?.lower(alpha),
            upper: limit * means(Extreme::Latest)?.upper(alpha),
        },
        median: whole.median().filter(|median| *median <= limit),
        median_limits: OpenLimits {
            lower: first(&times, |t| Ok(running(t, Extreme::Soonest)?.lower(alpha)))?
                .unwrap_or(limit),
            upper: first(&times, |t| Ok(running(t, Extreme::Latest)?.upper(alpha)))?,
        },
    })
}

/// Mean of min(time, limit) of each task as a share of the limit, for a comparison of two cells:
/// as graded units these go into the sign-flip test and the MOVER interval. A rollout that was
/// stopped before the limit counts with the time it had.
/// Errors: as [`time_to_finish`].
pub fn time_shares(tasks: &[&[Finish]], limit: f64) -> Result<Vec<f64>, StatsError> {
    in_range("time limit", limit, limit > 0.0 && limit.is_finite())?;
    check(tasks)?;
    let share = |r: &Finish| Extreme::Soonest.time(r, limit) / limit;
    Ok(tasks.iter().map(|task| mean(task, share)).collect())
}

/// What is assumed of rollouts that were stopped before the limit.
#[derive(Clone, Copy)]
enum Extreme {
    Soonest,
    Latest,
}

impl Extreme {
    fn time(self, rollout: &Finish, limit: f64) -> f64 {
        match (self, rollout.end) {
            (Self::Latest, End::Stopped) => limit,
            // at the limit both are known to be late
            (_, End::Stopped | End::Finished) => rollout.time.min(limit),
        }
    }
}

fn mean(task: &[Finish], value: impl Fn(&Finish) -> f64) -> f64 {
    task.iter().map(value).sum::<f64>() / task.len() as f64
}

fn check(tasks: &[&[Finish]]) -> Result<(), StatsError> {
    if tasks.is_empty() {
        return Err(StatsError::NoTasks);
    }
    for (at, task) in tasks.iter().enumerate() {
        if task.is_empty() {
            return Err(StatsError::TooFewRuns {
                task: at,
                runs: 0,
                needed: 1,
            });
        }
        for r in *task {
            in_range("time", r.time, r.time >= 0.0 && r.time.is_finite())?;
        }
    }
    Ok(())
}

/// The first of the ascending times at which the falling limit is at most one half; by halving.
fn first(
    times: &[f64],
    limit: impl Fn(f64) -> Result<f64, StatsError>,
) -> Result<Option<f64>, StatsError> {
    let (mut low, mut high) = (0, times.len());
    while low < high {
        let middle = (low + high) / 2;
        if limit(times[middle])? <= 0.5 {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    Ok(times.get(low).copied())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn even(tasks: &[&[Finish]], limit: f64) -> Result<TimeToFinish, StatsError> {
        let weights = vec![1.0; tasks.len()];
        time_to_finish(tasks, limit, &weights, 0.05, Units::graded)
    }

    fn finished(time: f64) -> Finish {
        Finish {
            time,
            end: End::Finished,
        }
    }

    const LATE: Finish = Finish {
        time: 60.0,
        end: End::Stopped,
    };

    #[test]
    fn tasks_count_alike_whatever_their_repeats() {
        let many = [finished(10.0); 9];
        let got = even(&[&many, &[LATE]], 60.0).unwrap();
        assert!((got.mean - 35.0).abs() < 1e-9, "{got:?}");
        assert_eq!(got.median, Some(10.0));
        assert_eq!(
            time_shares(&[&many, &[LATE]], 60.0).unwrap(),
            [1.0 / 6.0, 1.0]
        );
    }

    #[test]
    fn nothing_finished_leaves_the_median_open() {
        let got = even(&[&[LATE; 5], &[LATE; 5]], 60.0).unwrap();
        assert_eq!((got.median, got.mean), (None, 60.0));
        assert_eq!(got.median_limits.upper, None);
        assert_eq!(got.mean_limits.upper, 60.0);
        assert!(got.mean_limits.lower < 20.0, "{got:?}");
    }

    #[test]
    fn an_early_stop_widens_and_wrong_input_is_refused() {
        let tasks: Vec<Vec<Finish>> = (0..12)
            .map(|i| vec![finished(5.0 + f64::from(i)); 3])
            .collect();
        let mut stopped = tasks.clone();
        stopped[3][0].end = End::Stopped;
        let of = |tasks: &[Vec<Finish>]| {
            let slices: Vec<&[Finish]> = tasks.iter().map(Vec::as_slice).collect();
            even(&slices, 60.0).unwrap()
        };
        let (plain, wide) = (of(&tasks), of(&stopped));
        assert_eq!(plain.mean_limits.lower, wide.mean_limits.lower);
        assert!(wide.mean_limits.upper > plain.mean_limits.upper && wide.mean > plain.mean);
        assert!(plain.median_limits.lower < 10.0 && plain.median_limits.upper > Some(10.0));
        assert!(even(&[&[]], 60.0).is_err());
        assert!(even(&[&[LATE]], 0.0).is_err());
        assert!(even(&[], 60.0).is_err());
    }
}
