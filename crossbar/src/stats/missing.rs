//! Rollouts that are still missing after re-runs: nothing is dropped, every claim is computed
//! under both extremes and stands only if both give it (formula F6).

use super::arm::Arm;
use super::directional::Direction;
use super::error::StatsError;
use super::korn_graubard::Shape;
use super::limits::{Limits, check_alpha, in_range};
use super::mover::{Difference, Padding, Pair, Paired};
use super::units::Units;

/// One cell with fewer finished rollouts than planned; a task may have none.
#[derive(Clone, Copy, Debug)]
pub struct PartialArm<'a> {
    passes: &'a [u32],
    done: &'a [u32],
    planned: u32,
}

impl<'a> PartialArm<'a> {
    /// Passes and finished rollouts per task, and the planned repeats (at least 1).
    /// Errors: lists of different lengths or empty, passes above done, done above planned.
    pub fn new(passes: &'a [u32], done: &'a [u32], planned: u32) -> Result<Self, StatsError> {
        if passes.len() != done.len() {
            return Err(StatsError::LengthMismatch {
                left: passes.len(),
                right: done.len(),
            });
        }
        if passes.is_empty() {
            return Err(StatsError::NoTasks);
        }
        in_range("planned repeats", f64::from(planned), planned > 0)?;
        for (task, (&passes, &done)) in passes.iter().zip(done).enumerate() {
            in_range("finished rollouts", f64::from(done), done <= planned)?;
            if passes > done {
                return Err(StatsError::PassesExceedRuns {
                    task,
                    passes,
                    runs: done,
                });
            }
        }
        Ok(Self {
            passes,
            done,
            planned,
        })
    }

    /// Passes per task if every missing rollout fails.
    pub fn missing_fail(&self) -> Vec<u32> {
        self.passes.to_vec()
    }

    /// Passes per task if every missing rollout passes.
    pub fn missing_pass(&self) -> Vec<u32> {
        self.passes
            .iter()
            .zip(self.done)
            .map(|(passes, done)| passes + self.planned - done)
            .collect()
    }

    /// The planned rollouts of every task: the runs that go with either of the above.
    pub fn planned_runs(&self) -> Vec<u32> {
        vec![self.planned; self.passes.len()]
    }

    fn units(&self, passes: &[u32]) -> Result<Units, StatsError> {
        Ok(Units::tasks(Arm::new(passes, &self.planned_runs())?))
    }
}

/// How the claims are made.
#[derive(Clone, Copy, Debug)]
pub struct MissingRule {
    /// two-sided error of the direction; the one-sided error of non-inferiority
    pub alpha: f64,
    /// non-inferiority margin, a fraction
    pub margin: f64,
    /// padding of the correlation
    pub padding: Padding,
}

/// The comparison under one extreme.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MissingScenario {
    /// a - b with its interval at two-sided alpha
    pub difference: Difference,
    /// lower limit at one-sided alpha
    pub lower_one_sided: f64,
    /// the direction that this extreme would claim
    pub direction: Direction,
    /// whether this extreme would call a non-inferior
    pub noninferior: bool,
}

/// What both extremes say together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MissingAnswer<T> {
    /// the same under both
    Agreed(T),
    /// the missing rollouts decide: nothing can be claimed
    MissingDecide,
}

/// A pair under both extremes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MissingBounds {
    /// a's missing rollouts fail and b's pass
    pub low: MissingScenario,
    /// a's missing rollouts pass and b's fail
    pub high: MissingScenario,
    /// direction of the difference
    pub direction: MissingAnswer<Direction>,
    /// non-inferiority of a
    pub noninferior: MissingAnswer<bool>,
    /// a's interval: lower limit from missing = fail, upper from missing = pass
    pub cell_a: Limits,
    /// b's interval likewise
    pub cell_b: Limits,
}

/// Both extremes of a against b. Errors: other tasks in the two arms, fewer than 2 tasks, a rule
/// out of range (alpha above 1/2).
pub fn missing_bounds(
    a: PartialArm<'_>,
    b: PartialArm<'_>,
    rule: MissingRule,
) -> Result<MissingBounds, StatsError> {
    check_alpha(2.0 * rule.alpha)?;
    in_range("margin", rule.margin, (0.0..=1.0).contains(&rule.margin))?;
    let (a_fail, a_pass) = (a.units(&a.missing_fail())?, a.units(&a.missing_pass())?);
    let (b_fail, b_pass) = (b.units(&b.missing_fail())?, b.units(&b.missing_pass())?);
    let low = scenario(
        Pair {
            a: &a_fail,
            b: &b_pass,
        },
        rule,
    )?;
    let high = scenario(
        Pair {
            a: &a_pass,
            b: &b_fail,
        },
        rule,
    )?;
    let cell = |fail: &Units, pass: &Units| Limits {
        lower: Shape::of(fail).lower(rule.alpha),
        upper: Shape::of(pass).upper(rule.alpha),
    };
    Ok(MissingBounds {
        low,
        high,
        direction: agree(low.direction, high.direction),
        noninferior: agree(low.noninferior, high.noninferior),
        cell_a: cell(&a_fail, &a_pass),
        cell_b: cell(&b_fail, &b_pass),
    })
}

fn scenario(pair: Pair<'_>, rule: MissingRule) -> Result<MissingScenario, StatsError> {
    let paired = Paired::new(pair, rule.padding)?;
    let difference = paired.at(rule.alpha);
    let lower_one_sided = paired.lower(2.0 * rule.alpha);
    let direction = if difference.lower > 0.0 {
        Direction::Better
    } else if difference.upper < 0.0 {
        Direction::Worse
    } else {
        Direction::Unsettled
    };
    Ok(MissingScenario {
        difference,
        lower_one_sided,
        direction,
        noninferior: lower_one_sided > -rule.margin,
    })
}

fn agree<T: PartialEq>(low: T, high: T) -> MissingAnswer<T> {
    if low == high {
        MissingAnswer::Agreed(low)
    } else {
        MissingAnswer::MissingDecide
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn extremes_fill_up_to_the_plan() {
        let arm = PartialArm::new(&[2, 0], &[3, 0], 5).unwrap();
        assert_eq!(
            (arm.missing_fail(), arm.missing_pass()),
            (vec![2, 0], vec![4, 5])
        );
        assert!(PartialArm::new(&[2], &[6], 5).is_err());
        assert!(PartialArm::new(&[3], &[2], 5).is_err());
    }

    #[test]
    fn nothing_missing_always_agrees() {
        let (a, b) = ([0, 1, 0, 2, 0, 1], [5; 6]);
        let arm = |passes| PartialArm::new(passes, &[5; 6], 5).unwrap();
        let rule = MissingRule {
            alpha: 0.05,
            margin: 0.1,
            padding: Padding::Normal,
        };
        let bounds = missing_bounds(arm(&a), arm(&b), rule).unwrap();
        assert_eq!(bounds.low, bounds.high);
        assert_eq!(bounds.direction, MissingAnswer::Agreed(Direction::Worse));
    }
}
