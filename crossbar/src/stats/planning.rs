//! What a design of a given size can show at all, and how many repeats are worth their cost
//! (sections 3.3, 3.7, 3.8). All of it is known before any money is spent.

use super::arm::Arm;
use super::error::StatsError;
use super::limits::{check_alpha, in_range};
use super::sample_size::PairDesign;
use super::variance::variance_split;

/// The design behind a pilot of two arms on the same tasks: the variance of a rollout from the
/// mean squares within tasks, and the variance of true task differences, which is that of the
/// observed ones less what rollouts gave it (0 at least). `repeats` is the pilot's smallest number.
/// Errors: other tasks in the two arms, fewer than 2 tasks, an arm without a second rollout.
pub fn pilot_design(a: Arm<'_>, b: Arm<'_>) -> Result<PairDesign, StatsError> {
    a.check_same_tasks(&b)?;
    let tasks = a.tasks();
    if tasks < 2 {
        return Err(StatsError::TooFewTasks { tasks, needed: 2 });
    }
    let (within_a, noise_a) = rollout_variance(a)?;
    let (within_b, noise_b) = rollout_variance(b)?;
    let differences = a.rates().into_iter().zip(b.rates()).map(|(a, b)| a - b);
    let mean = a.mean() - b.mean();
    let squares: f64 = differences.map(|d| (d - mean).powi(2)).sum();
    let observed = squares / (tasks as f64 - 1.0);
    let runs = a.runs().iter().chain(b.runs()).copied();
    Ok(PairDesign {
        task_variance: (observed - noise_a - noise_b).max(0.0),
        rollout_variance_a: within_a,
        rollout_variance_b: within_b,
        repeats: runs.min().unwrap_or(1),
    })
}

/// Variance of one rollout given its task, and what that adds to the variance of a task's rate.
fn rollout_variance(arm: Arm<'_>) -> Result<(f64, f64), StatsError> {
    let within = variance_split(arm)
        .ms_within
        .ok_or(StatsError::TooFewRuns {
            task: 0,
            runs: 1,
            needed: 2,
        })?;
    let inverse: f64 = arm.runs().iter().map(|r| 1.0 / f64::from(*r)).sum();
    Ok((within, within * inverse / arm.tasks() as f64))
}

/// What one more task and one more rollout cost, in any one unit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DesignCost {
    /// a new task before its first rollout (writing it, setting it up), 0 or more
    pub task: f64,
    /// one repeat of a task in both arms, above 0
    pub repeat: f64,
}

/// Repeats per task that give the most precision for the money, at least 1, not rounded:
/// sqrt(rollout variances / task variance * cost of a task / cost of a repeat). `None` where tasks
/// don't differ, so that every repeat is as good as a task and tasks only cost more.
/// Errors: a negative variance or cost, a repeat for nothing.
pub fn cost_optimal_repeats(
    design: PairDesign,
    cost: DesignCost,
) -> Result<Option<f64>, StatsError> {
    let rollouts = design.rollout_variance_a + design.rollout_variance_b;
    in_range("cost of a task", cost.task, cost.task >= 0.0)?;
    in_range("cost of a repeat", cost.repeat, cost.repeat > 0.0)?;
    in_range("rollout variance", rollouts, rollouts >= 0.0)?;
    in_range(
        "task variance",
        design.task_variance,
        design.task_variance >= 0.0,
    )?;
    if design.task_variance == 0.0 {
        return Ok(None);
    }
    let best = (rollouts / design.task_variance * cost.task / cost.repeat).sqrt();
    Ok(Some(best.max(1.0)))
}

/// The fewest units at which the exact sign-flip test can be significant at all, by Holm's strictest
/// step over `comparisons` at two-sided error `alpha`, if every unit differs in one direction:
/// 2 / 2^n <= alpha / comparisons (section 2c).
/// Errors: no comparison, alpha outside (0, 1].
pub fn sign_flip_reach(comparisons: u32, alpha: f64) -> Result<u64, StatsError> {
    check_alpha(alpha)?;
    in_range("comparisons", f64::from(comparisons), comparisons > 0)?;
    let steps = (2.0 * f64::from(comparisons) / alpha).log2();
    // the hair keeps a whole number whole
    Ok(((steps - 1e-9).ceil() as u64).max(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_reach_is_that_of_the_page() {
        let reach = |comparisons| sign_flip_reach(comparisons, 0.05).unwrap();
        assert_eq!([1, 5, 10, 20, 39].map(reach), [6, 8, 9, 10, 11]);
        assert_eq!(sign_flip_reach(1, 0.125).unwrap(), 4);
        assert!(sign_flip_reach(0, 0.05).is_err());
    }

    #[test]
    fn a_pilot_without_noise_is_all_task_variance() {
        let runs = [4; 4];
        let arm = |passes| Arm::new(passes, &runs).unwrap();
        let (a, b) = ([4, 0, 4, 4], [4, 4, 4, 0]);
        let design = pilot_design(arm(&a), arm(&b)).unwrap();
        assert_eq!((design.rollout_variance_a, design.repeats), (0.0, 4));
        assert!((design.task_variance - 2.0 / 3.0).abs() < 1e-15);
        let noisy = pilot_design(arm(&[2; 4]), arm(&[2; 4])).unwrap();
        assert_eq!(noisy.task_variance, 0.0);
        assert!((noisy.rollout_variance_b - 1.0 / 3.0).abs() < 1e-15);
        let one = Arm::new(&[1, 0], &[1, 1]).unwrap();
        assert!(pilot_design(one, one).is_err());
    }

    #[test]
    fn dear_tasks_deserve_more_repeats() {
        let design = PairDesign {
            task_variance: 0.05,
            rollout_variance_a: 0.1,
            rollout_variance_b: 0.1,
            repeats: 3,
        };
        let best = |task| cost_optimal_repeats(design, DesignCost { task, repeat: 1.0 }).unwrap();
        assert_eq!((best(4.0), best(0.0)), (Some(4.0), Some(1.0)));
        let alike = PairDesign {
            task_variance: 0.0,
            ..design
        };
        let cost = DesignCost {
            task: 1.0,
            repeat: 1.0,
        };
        assert_eq!(cost_optimal_repeats(alike, cost).unwrap(), None);
    }
}
