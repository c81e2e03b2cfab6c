//! The difference on exactly these tasks in this time window: the tasks are fixed and only the
//! rollouts vary (formula F5). Needs 2 repeats or more, interleaved. The exact p of the same
//! question is [`stratified_exact`](super::stratified_exact()).

use super::arm::Arm;
use super::error::StatsError;
use super::holm::{Family, holm_steps};
use super::limits::{Limits, check_alpha, in_range};
use super::normal::{normal_cdf, normal_quantile, two_sided_z};

/// Weight of the pseudo-tasks with pass rate 1/2 that pad the rollout variance.
const PAD_TASKS: f64 = 4.0;

/// Difference of two arms over fixed tasks, with the standard error that rollouts give it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PackLine {
    /// mean of a minus mean of b
    pub diff: f64,
    /// padded variance of one rollout of a
    pub s_a: f64,
    /// padded variance of one rollout of b
    pub s_b: f64,
    /// standard error of `diff`
    pub se: f64,
}

/// The pack line of a against b. Repeats may differ between tasks and arms; each arm's variance
/// is then s * sum(1/R_i) / n^2, which is F5's s / (nR) for equal repeats.
/// Errors: other tasks in the two arms, a task with fewer than 2 rollouts.
pub fn pack_line(a: Arm<'_>, b: Arm<'_>) -> Result<PackLine, StatsError> {
    a.check_same_tasks(&b)?;
    let (s_a, var_a) = rollout_variance(a)?;
    let (s_b, var_b) = rollout_variance(b)?;
    Ok(PackLine {
        diff: a.mean() - b.mean(),
        s_a,
        s_b,
        se: (var_a + var_b).sqrt(),
    })
}

/// Padded variance of one rollout, and the variance of the arm's mean that follows.
fn rollout_variance(arm: Arm<'_>) -> Result<(f64, f64), StatsError> {
    let n = arm.tasks() as f64;
    let (mut within, mut inverse_runs) = (0.0, 0.0);
    for (task, (passes, runs)) in arm.counts().enumerate() {
        if runs < 2 {
            return Err(StatsError::TooFewRuns {
                task,
                runs,
                needed: 2,
            });
        }
        let (k, r) = (f64::from(passes), f64::from(runs));
        within += k * (r - k) / (r * (r - 1.0));
        inverse_runs += 1.0 / r;
    }
    let s = (within + PAD_TASKS / 4.0) / (n + PAD_TASKS);
    Ok((s, s * inverse_runs / (n * n)))
}

impl PackLine {
    /// Lower limit at one-sided error `alpha`, in (0, 1).
    pub fn lower_one_sided(&self, alpha: f64) -> f64 {
        self.diff + normal_quantile(alpha) * self.se
    }

    /// Upper limit at one-sided error `alpha`, in (0, 1).
    pub fn upper_one_sided(&self, alpha: f64) -> f64 {
        self.diff - normal_quantile(alpha) * self.se
    }

    /// Both limits at two-sided error `alpha`, in (0, 1).
    pub fn limits(&self, alpha: f64) -> Limits {
        let half = two_sided_z(alpha) * self.se;
        Limits {
            lower: self.diff - half,
            upper: self.diff + half,
        }
    }

    /// One-sided p of "the true difference on these tasks is above -margin".
    pub fn p_noninferior(&self, margin: f64) -> f64 {
        normal_cdf(-(self.diff + margin) / self.se)
    }
}

/// One candidate's non-inferiority on these tasks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PackNonInferiority {
    /// one-sided p of the pack line
    pub p: f64,
    /// p after Holm over the candidates
    pub adjusted_p: f64,
    /// shown to be within the margin
    pub passed: bool,
    /// one-sided error of its step in Holm's order
    pub step_alpha: f64,
    /// lower limit at one-sided error `step_alpha`
    pub lower: f64,
}

/// Holm over the candidates' pack lines at the family's one-sided error, margin a fraction in
/// [0, 1]; rows in input order. Errors: margin or alpha out of range.
pub fn pack_noninferiority_holm(
    lines: &[PackLine],
    margin: f64,
    one_sided: impl Into<Family>,
) -> Result<Vec<PackNonInferiority>, StatsError> {
    let family = one_sided.into();
    check_alpha(2.0 * family.alpha)?;
    in_range("margin", margin, (0.0..=1.0).contains(&margin))?;
    let p: Vec<f64> = lines
        .iter()
        .map(|line| line.p_noninferior(margin))
        .collect();
    let rows = lines
        .iter()
        .zip(&p)
        .zip(holm_steps(&p, family))
        .map(|((line, &p), holm)| PackNonInferiority {
            p,
            adjusted_p: holm.adjusted_p,
            passed: holm.rejected,
            step_alpha: holm.threshold,
            lower: line.lower_one_sided(holm.threshold),
        });
    Ok(rows.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_p_and_the_limit_agree() {
        let (runs, a, b) = ([5; 6], [5, 4, 5, 5, 3, 5], [5, 5, 4, 5, 5, 5]);
        let line = pack_line(Arm::new(&a, &runs).unwrap(), Arm::new(&b, &runs).unwrap()).unwrap();
        for margin in [0.05, 0.1, 0.2, 0.3] {
            let p = line.p_noninferior(margin);
            assert!((line.lower_one_sided(p) + margin).abs() < 1e-12);
            let row = pack_noninferiority_holm(&[line, line], margin, 0.05).unwrap()[0];
            assert_eq!(row.passed, row.lower > -margin);
            assert_eq!(row.step_alpha, 0.025);
        }
    }

    #[test]
    fn one_repeat_says_nothing_about_rollouts() {
        let arm = Arm::new(&[1, 0], &[2, 1]).unwrap();
        assert_eq!(
            pack_line(arm, arm).unwrap_err(),
            StatsError::TooFewRuns {
                task: 1,
                runs: 1,
                needed: 2
            }
        );
    }
}
