//! Where the variance of a cell comes from: disagreement of a task with itself, or difference
//! between tasks (one-way random effects, formula 3.9).

use super::arm::Arm;
use super::error::StatsError;
use super::limits::{Limits, check_alpha, in_range};
use super::quantile::quantile;
use super::random::Draws;
use std::collections::BTreeSet;

/// A share of variance, or why there is none.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum NoiseShare {
    /// the share that is noise, in [0, 1]
    Share(f64),
    /// no rollout disagreed with another, within tasks or between them
    NoVariance,
    /// one task, or no task with a second rollout
    NotEstimable,
}

/// The split of one cell.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VarianceSplit {
    /// tasks
    pub tasks: usize,
    /// tasks that disagreed with themselves: some rollouts passed and some didn't
    pub disagreeing: usize,
    /// tasks with at most one pass
    pub nearly_dead: usize,
    /// mean square within tasks; `None` without a second rollout anywhere
    pub ms_within: Option<f64>,
    /// mean square between tasks; `None` with one task
    pub ms_between: Option<f64>,
    /// repeats per task as the split counts them (the number of repeats, where all are equal)
    pub n0: Option<f64>,
    /// variance between true task rates; `None` where it can't be estimated
    pub between: Option<f64>,
    /// noise share of a single rollout
    pub share_of_rollout: NoiseShare,
    /// noise share of the cell's mean: the one that more repeats would lower
    pub share_of_mean: NoiseShare,
}

impl VarianceSplit {
    /// Whether a share may be printed: at least 50 tasks, 10 that disagreed with themselves and 3
    /// with at most one pass (section 3l). Elsewhere print only how many tasks disagreed.
    pub fn share_is_printable(&self) -> bool {
        self.tasks >= 50 && self.disagreeing >= 10 && self.nearly_dead >= 3
    }
}

/// Splits the variance of one cell; repeats may differ between tasks.
pub fn variance_split(arm: Arm<'_>) -> VarianceSplit {
    let counts: Vec<(u32, u32)> = arm.counts().collect();
    split(&counts)
}

fn split(counts: &[(u32, u32)]) -> VarianceSplit {
    split_classes(counts.iter().map(|&count| (count, 1)))
}

/// The split of tasks that are given as classes: passes and runs, and how many tasks have them.
fn split_classes<I>(classes: I) -> VarianceSplit
where
    I: Iterator<Item = ((u32, u32), usize)> + Clone,
{
    let (mut n, mut total, mut squares, mut passes, mut within) = (0.0, 0.0, 0.0, 0.0, 0.0);
    let (mut tasks, mut disagreeing, mut nearly_dead) = (0, 0, 0);
    for ((k, r), times) in classes.clone() {
        tasks += times;
        disagreeing += if k > 0 && k < r { times } else { 0 };
        nearly_dead += if k <= 1 { times } else { 0 };
        let (k, r, times) = (f64::from(k), f64::from(r), times as f64);
        n += times;
        total += times * r;
        squares += times * r * r;
        passes += times * k;
        within += times * k * (r - k) / r;
    }
    let grand = passes / total;
    let spread = |((k, r), times): ((u32, u32), usize)| {
        times as f64 * f64::from(r) * (f64::from(k) / f64::from(r) - grand).powi(2)
    };
    let ms_within = (total > n).then(|| within / (total - n));
    let ms_between = (n > 1.0).then(|| classes.map(spread).sum::<f64>() / (n - 1.0));
    let n0 = (n > 1.0).then(|| (total - squares / total) / (n - 1.0));
    let between = match (ms_between, ms_within, n0) {
        (Some(msb), Some(msw), Some(n0)) => Some(((msb - msw) / n0).max(0.0)),
        _ => None,
    };
    let share = |repeats: f64| match (ms_within, between) {
        (Some(msw), Some(between)) if msw + between > 0.0 => {
            NoiseShare::Share(msw / repeats / (msw / repeats + between))
        }
        (Some(_), Some(_)) => NoiseShare::NoVariance,
        _ => NoiseShare::NotEstimable,
    };
    VarianceSplit {
        tasks,
        disagreeing,
        nearly_dead,
        ms_within,
        ms_between,
        n0,
        between,
        share_of_rollout: share(1.0),
        share_of_mean: share(n0.unwrap_or(1.0)),
    }
}

/// Percentile interval of the noise share of a single rollout from `resamples` draws of whole
/// tasks, at two-sided error `alpha`; `None` unless the share is printable (elsewhere its coverage
/// falls as low as 3%). Errors: no resample, alpha out of range.
pub fn noise_share_interval(
    arm: Arm<'_>,
    resampling: super::Resampling,
    alpha: f64,
) -> Result<Option<Limits>, StatsError> {
    check_alpha(alpha)?;
    in_range(
        "resamples",
        resampling.resamples as f64,
        resampling.resamples > 0,
    )?;
    if !variance_split(arm).share_is_printable() {
        return Ok(None);
    }
    let counts: Vec<(u32, u32)> = arm.counts().collect();
    // A resample only matters by how many tasks of each kind it holds, and there are few kinds.
    let kinds: Vec<(u32, u32)> = BTreeSet::from_iter(counts.iter().copied())
        .into_iter()
        .collect();
    let kind_of: Vec<usize> = counts
        .iter()
        .map(|count| kinds.partition_point(|kind| kind < count))
        .collect();
    let mut draws = Draws::new(resampling.seed);
    let mut shares = Vec::with_capacity(resampling.resamples);
    let mut times = vec![0_usize; kinds.len()];
    for _ in 0..resampling.resamples {
        times.fill(0);
        for _ in 0..counts.len() {
            times[kind_of[draws.index(counts.len())]] += 1;
        }
        let classes = kinds.iter().copied().zip(times.iter().copied());
        if let NoiseShare::Share(share) = split_classes(classes).share_of_rollout {
            shares.push(share);
        }
    }
    shares.sort_unstable_by(f64::total_cmp);
    let limits = (
        quantile(&shares, alpha / 2.0),
        quantile(&shares, 1.0 - alpha / 2.0),
    );
    Ok(match limits {
        (Some(lower), Some(upper)) => Some(Limits { lower, upper }),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::super::Resampling;
    use super::*;

    fn of(passes: &[u32], runs: u32) -> VarianceSplit {
        variance_split(Arm::new(passes, &vec![runs; passes.len()]).unwrap())
    }

    #[test]
    fn the_ends_and_the_undefined_cases() {
        assert_eq!(of(&[2, 2, 2], 4).share_of_rollout, NoiseShare::Share(1.0));
        assert_eq!(of(&[4, 0, 4], 4).share_of_rollout, NoiseShare::Share(0.0));
        assert_eq!(of(&[4, 4, 4], 4).share_of_mean, NoiseShare::NoVariance);
        assert_eq!(of(&[1, 0, 1], 1).share_of_rollout, NoiseShare::NotEstimable);
        assert_eq!(of(&[3], 5).share_of_rollout, NoiseShare::NotEstimable);
    }

    #[test]
    fn classes_are_split_like_the_tasks_that_they_stand_for() {
        let tasks = [(5, 5), (2, 5), (0, 5), (2, 5), (3, 4), (5, 5)];
        let classes = [
            ((0, 5), 1),
            ((2, 5), 2),
            ((3, 4), 1),
            ((4, 5), 0),
            ((5, 5), 2),
        ];
        let (one, other) = (split(&tasks), split_classes(classes.into_iter()));
        assert_eq!(
            (one.tasks, one.disagreeing),
            (other.tasks, other.disagreeing)
        );
        assert_eq!(one.nearly_dead, other.nearly_dead);
        for (a, b) in [
            (one.ms_within, other.ms_within),
            (one.ms_between, other.ms_between),
            (one.n0, other.n0),
            (one.between, other.between),
        ] {
            assert!((a.unwrap() - b.unwrap()).abs() < 1e-14, "{a:?} {b:?}");
        }
    }

    #[test]
    fn the_gate_opens_only_on_enough_disagreement() {
        let mut passes = vec![5; 60];
        passes[..3].fill(0);
        passes[3..13].fill(2);
        let runs = vec![5; 60];
        assert!(of(&passes, 5).share_is_printable());
        let resampling = Resampling {
            resamples: 2000,
            seed: 1,
        };
        let limits = noise_share_interval(Arm::new(&passes, &runs).unwrap(), resampling, 0.05)
            .unwrap()
            .unwrap();
        let NoiseShare::Share(share) = of(&passes, 5).share_of_rollout else {
            panic!()
        };
        assert!(
            limits.lower < share && share < limits.upper,
            "{limits:?} {share}"
        );
        passes[12] = 5;
        assert!(!of(&passes, 5).share_is_printable());
        passes[12] = 2;
        passes[0] = 5;
        assert!(!of(&passes, 5).share_is_printable());
        assert_eq!(
            noise_share_interval(Arm::new(&passes, &runs).unwrap(), resampling, 0.05).unwrap(),
            None
        );
    }
}
