//! Time to finish where some rollouts were stopped first: Kaplan and Meier's curve (1958), its
//! median, and the mean up to a limit. A stopped rollout is known to have taken longer, no more.

use super::error::StatsError;
use super::limits::in_range;

/// One rollout's time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Finish {
    /// when it ended, 0 or more, in any unit
    pub time: f64,
    /// whether it ended by itself or was stopped (a time limit, an interrupted run)
    pub end: End,
}

/// How a rollout's time ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// it finished at that time
    Finished,
    /// it was stopped there: it would have taken longer
    Stopped,
}

/// The curve just after one time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct SurvivalStep {
    /// a time at which something ended; the first step is at 0
    pub(crate) time: f64,
    /// share that takes longer than this
    pub(crate) share: f64,
}

/// The whole curve, in order of time.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Survival {
    /// one step for 0 and every distinct time
    pub(crate) steps: Vec<SurvivalStep>,
}

/// Shares this close to one half are one half: they are products of rounded fractions.
const SLACK: f64 = 1e-12;

/// The curve of weighted rollouts. Errors: no rollout, a negative or infinite time.
pub(crate) fn curve(mut rollouts: Vec<(Finish, f64)>) -> Result<Survival, StatsError> {
    if rollouts.is_empty() {
        return Err(StatsError::NoTasks);
    }
    for (rollout, _) in &rollouts {
        in_range(
            "time",
            rollout.time,
            rollout.time >= 0.0 && rollout.time.is_finite(),
        )?;
    }
    rollouts.sort_by(|a, b| a.0.time.total_cmp(&b.0.time));
    let mut running: f64 = rollouts.iter().map(|(_, weight)| weight).sum();
    let mut share = 1.0;
    let mut steps = vec![SurvivalStep { time: 0.0, share }];
    for tied in rollouts.chunk_by(|a, b| a.0.time == b.0.time) {
        let total = |end: Option<End>| -> f64 {
            let of = tied
                .iter()
                .filter(|(r, _)| end.is_none_or(|end| r.end == end));
            of.map(|(_, weight)| weight).sum()
        };
        let (finished, all) = (total(Some(End::Finished)), total(None));
        let left = running - finished;
        // where the last ones finish, nothing is left: no rounding may say otherwise
        share *= if left < SLACK { 0.0 } else { left / running };
        running -= all;
        steps.push(SurvivalStep {
            time: tied[0].0.time,
            share,
        });
    }
    if steps[1].time == 0.0 {
        steps.remove(0);
    }
    Ok(Survival { steps })
}

impl Survival {
    /// The first time by which at least half have finished; `None` if the curve never falls to it.
    pub(crate) fn median(&self) -> Option<f64> {
        let step = self.steps.iter().find(|s| s.share <= 0.5 + SLACK)?;
        Some(step.time)
    }

    /// The mean of min(time, limit): the area under the curve up to `limit`, 0 or more. Beyond the
    /// last time the curve stays where it is.
    pub(crate) fn restricted_mean(&self, limit: f64) -> f64 {
        let ends = self.steps.iter().skip(1).map(|s| s.time);
        let ends = ends.chain(std::iter::once(f64::INFINITY));
        let width = |from: f64, to: f64| (to.min(limit) - from.min(limit)).max(0.0);
        let areas = self.steps.iter().zip(ends);
        areas
            .map(|(step, to)| step.share * width(step.time, to))
            .sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(rollouts: &[(f64, End)]) -> Result<Survival, StatsError> {
        let rollouts = rollouts.iter();
        curve(
            rollouts
                .map(|(time, end)| {
                    (
                        Finish {
                            time: *time,
                            end: *end,
                        },
                        1.0,
                    )
                })
                .collect(),
        )
    }

    #[test]
    fn all_stopped_never_reaches_the_median() {
        let curve = of(&[(5.0, End::Stopped); 3]).unwrap();
        assert_eq!((curve.median(), curve.restricted_mean(4.0)), (None, 4.0));
        assert_eq!(curve.restricted_mean(9.0), 9.0);
    }

    #[test]
    fn a_finish_at_zero_and_the_last_finish() {
        let curve = of(&[(0.0, End::Finished), (2.0, End::Finished)]).unwrap();
        let shares: Vec<f64> = curve.steps.iter().map(|step| step.share).collect();
        assert_eq!((curve.median(), shares), (Some(0.0), vec![0.5, 0.0]));
        assert_eq!(curve.restricted_mean(10.0), 1.0);
    }

    #[test]
    fn wrong_times_are_refused() {
        assert_eq!(of(&[]).unwrap_err(), StatsError::NoTasks);
        assert!(of(&[(-1.0, End::Finished)]).is_err());
        assert!(of(&[(f64::NAN, End::Finished)]).is_err());
    }
}
