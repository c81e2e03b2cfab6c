//! How likely a design shows what is there, and how many tasks and repeats it would take. The
//! claims are played, by the rules that the verdict uses; from 100 tasks on the formula is near
//! enough.

use super::forecast_reach::above;
use super::grouping::Grouping;
use super::pilot::{Pilot, PilotSilence, Spread};
use super::rates::share;
use super::settle::{POWER, all_alike};
use super::{AnalysisError, Question};
use crate::domain::{CellId, Estimate};
use crate::stats::{
    Aim, Claims, Layout, Padding, PairDesign, Play, Power, TaskWorld, simulated_at_least,
    simulated_power, tasks_for_design,
};

/// What the chances and the numbers needed assume.
#[derive(Debug, Clone, PartialEq)]
pub struct Assumed {
    /// Pass rate, noise and correlation.
    pub world: TaskWorld,
    /// Where they come from.
    pub basis: AssumedBasis,
    /// The variances that a pilot measured; `None` without one.
    measured: Option<PairDesign>,
}

/// Where assumptions come from.
#[derive(Debug, Clone, PartialEq)]
pub enum AssumedBasis {
    /// Nobody measured: what is usual.
    Usual,
    /// There is a pilot, and it says nothing: what is usual.
    SilentPilot(PilotSilence),
    /// A pilot's pair of cells with the widest differences.
    Pilot {
        /// The challenger of the pair; the other is the baseline.
        challenger: CellId,
        /// The baseline's pass rate; `n` counts the tasks that both were measured on.
        rate: Estimate,
    },
}

/// How likely a sweep of this size shows what is there. Shares of played sweeps: `n` counts them.
#[derive(Debug, Clone, PartialEq)]
pub struct Chance {
    /// The drop of a challenger that is to be called worse, a fraction.
    pub drop: f64,
    /// It is called worse \[these tasks\]; `None` with one repeat, and beyond 100 tasks.
    pub worse_these: Option<Estimate>,
    /// It is called worse \[tasks like these\]; `None` with fewer than two units.
    pub worse_like: Option<Estimate>,
    /// A challenger that is as good is shown within the margin \[these tasks\].
    pub within_these: Option<Estimate>,
    /// The same \[tasks like these\].
    pub within_like: Option<Estimate>,
}

/// What it takes for a chance of 80%.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Needed {
    /// Independent tasks by repeats, for tasks like these.
    pub rows: Vec<NeededTasks>,
    /// Repeats over these tasks to call the drop worse; `None`: no number that can be run.
    pub repeats_worse: Option<u32>,
    /// Repeats over these tasks to show a cell that is as good within the margin.
    pub repeats_within: Option<u32>,
}

/// Independent tasks (or families) at one number of repeats.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NeededTasks {
    /// The repeats.
    pub repeats: u32,
    /// Tasks to call the drop worse; `None`: no number that can be run.
    pub worse: Option<u32>,
    /// Tasks to show a cell that is as good within the margin.
    pub within: Option<u32>,
}

/// The sweeps that are played for a chance; its standard error is 2.5 points at most.
const PLAYED: Play = Play {
    sweeps: 400,
    seed: 0x706c_616e_0000_0001,
};
/// Beyond this many tasks the formula stands alone.
const PLAYED_TASKS: u32 = 100;
/// The repeats that tasks are told for.
const REPEATS: [u32; 4] = [1, 3, 5, 10];
/// A number of tasks or repeats is searched for to this part of itself.
const FINE: u32 = 40;
/// The most repeats that anybody can ask for.
const MOST_REPEATS: u32 = 1000;

impl Assumed {
    pub(super) fn of(question: &Question, pilot: Option<&Pilot<'_>>) -> Self {
        let usual = |basis| Self {
            world: TaskWorld::default(),
            basis,
            measured: None,
        };
        match pilot.map(|pilot| pilot.spread(question)) {
            None => usual(AssumedBasis::Usual),
            Some(Err(silence)) => usual(AssumedBasis::SilentPilot(silence)),
            Some(Ok(spread)) => {
                let Spread {
                    world,
                    design,
                    challenger,
                    rate,
                } = spread;
                Self {
                    world,
                    basis: AssumedBasis::Pilot { challenger, rate },
                    measured: Some(design),
                }
            }
        }
    }

    /// The variances of a design in which the challenger passes `drop` less.
    pub(super) fn design(&self, drop: f64, repeats: u32) -> Result<PairDesign, AnalysisError> {
        Ok(match self.measured {
            Some(measured) => PairDesign {
                repeats,
                ..measured
            },
            None => self.world.design(drop, repeats)?,
        })
    }
}

/// A question with everything that the figures of this file depend on.
pub(super) struct Asked<'a> {
    question: &'a Question,
    assumed: &'a Assumed,
    padding: Padding,
    drop: f64,
    worse: Aim,
    within: Aim,
}

impl<'a> Asked<'a> {
    pub(super) fn new(
        question: &'a Question,
        challengers: u32,
        drop: f64,
        assumed: &'a Assumed,
    ) -> Result<Self, AnalysisError> {
        if !(drop > 0.0 && drop <= assumed.world.pass_rate) {
            return Err(AnalysisError::OutOfRange {
                name: "the drop to detect",
                value: drop,
                range: "above 0 and at most the pass rate that is assumed",
            });
        }
        let alpha = question.alpha / f64::from(challengers.max(1));
        Ok(Self {
            question,
            assumed,
            padding: question.padding.into(),
            drop,
            worse: Aim::Worse { drop, alpha },
            within: Aim::Within {
                margin: question.margin.value,
                alpha,
            },
        })
    }

    /// How likely the planned size shows it.
    pub(super) fn chance(&self, grouping: &Grouping) -> Result<Chance, AnalysisError> {
        let (tasks, repeats) = (self.question.tasks.len(), self.question.repeats);
        let layout = match grouping {
            Grouping::Tasks => Layout::Tasks(tasks),
            Grouping::Weighted(weights) => Layout::Weighted(weights.clone()),
            Grouping::Families(numbers) => Layout::Families(numbers.clone()),
        };
        let of = |there: bool, aim: Aim, claims: Claims| {
            if !there {
                return Ok(None);
            }
            let claimed = simulated_power(
                self.world(claims),
                (&layout, repeats),
                (aim, claims),
                PLAYED,
            )?;
            share(claimed, PLAYED.sweeps, self.question.alpha)
        };
        let these = repeats >= 2 && tasks <= PLAYED_TASKS as usize;
        let like = grouping.count(tasks) >= 2;
        Ok(Chance {
            drop: self.drop,
            worse_these: of(these, self.worse, Claims::These)?,
            worse_like: of(like, self.worse, Claims::Like(self.padding))?,
            within_these: of(these, self.within, Claims::These)?,
            within_like: of(like, self.within, Claims::Like(self.padding))?,
        })
    }

    /// Over exactly these tasks only rollouts vary, so there both cells find the same tasks hard.
    fn world(&self, claims: Claims) -> TaskWorld {
        let mut world = self.assumed.world;
        if claims == Claims::These {
            world.correlation = 1.0;
        }
        world
    }

    /// What it takes.
    pub(super) fn needed(&self) -> Result<Needed, AnalysisError> {
        let mut repeats = REPEATS.to_vec();
        repeats.push(self.question.repeats);
        repeats.sort_unstable();
        repeats.dedup();
        let row = |repeats: u32| {
            Ok(NeededTasks {
                repeats,
                worse: self.tasks(repeats, self.worse)?,
                within: self.tasks(repeats, self.within)?,
            })
        };
        Ok(Needed {
            rows: repeats
                .into_iter()
                .map(row)
                .collect::<Result<_, AnalysisError>>()?,
            repeats_worse: self.repeats(self.worse)?,
            repeats_within: self.repeats(self.within)?,
        })
    }

    /// Tasks by the formula, and where it says few by playing until the chance is there: the
    /// larger of the two, since the formula knows neither exact intervals nor Holm's interval.
    fn tasks(&self, repeats: u32, aim: Aim) -> Result<Option<u32>, AnalysisError> {
        let (delta, error) = match aim {
            Aim::Worse { drop, alpha } => (drop, alpha),
            Aim::Within { margin, alpha } => (margin, 2.0 * alpha),
        };
        if delta <= 0.0 {
            return Ok(None);
        }
        let power = Power {
            alpha: error.min(0.999),
            power: POWER,
        };
        let drop = match aim {
            Aim::Worse { drop, .. } => drop,
            Aim::Within { .. } => 0.0,
        };
        let design = self.assumed.design(drop, repeats)?;
        let formula = tasks_for_design(design, delta, power)?;
        let floor = all_alike(delta, error / 2.0);
        let Some(formula) = above(formula.max(floor).max(2.0)) else {
            return Ok(None);
        };
        if formula >= PLAYED_TASKS {
            return Ok(Some(formula));
        }
        let enough = |tasks: u32| {
            let layout = Layout::Tasks(tasks as usize);
            self.is_enough((&layout, repeats), aim, Claims::Like(self.padding))
        };
        Ok(Some(
            first(formula, 4 * PLAYED_TASKS, &enough)?.unwrap_or(formula),
        ))
    }

    /// Repeats over the planned tasks, by playing.
    fn repeats(&self, aim: Aim) -> Result<Option<u32>, AnalysisError> {
        let tasks = self.question.tasks.len();
        let margin_is_nothing = matches!(aim, Aim::Within { margin, .. } if margin <= 0.0);
        if margin_is_nothing || tasks > PLAYED_TASKS as usize {
            return Ok(None);
        }
        let layout = Layout::Tasks(tasks);
        let enough = |repeats: u32| self.is_enough((&layout, repeats), aim, Claims::These);
        first(2, MOST_REPEATS, &enough)
    }

    fn is_enough(
        &self,
        size: (&Layout, u32),
        aim: Aim,
        claims: Claims,
    ) -> Result<bool, AnalysisError> {
        let needed = (POWER * f64::from(PLAYED.sweeps)).ceil() as u32;
        let what = (aim, claims);
        Ok(simulated_at_least(
            needed,
            self.world(claims),
            size,
            what,
            PLAYED,
        )?)
    }
}

/// The first number from `from` on that is enough, by doubling and halving; `None` if none up to
/// `most` is.
fn first(
    from: u32,
    most: u32,
    enough: &dyn Fn(u32) -> Result<bool, AnalysisError>,
) -> Result<Option<u32>, AnalysisError> {
    if enough(from)? {
        return Ok(Some(from));
    }
    let (mut not, mut step) = (from, from.div_ceil(4).max(1));
    let mut yes = loop {
        let next = (not + step).min(most);
        if enough(next)? {
            break next;
        }
        if next == most {
            return Ok(None);
        }
        (not, step) = (next, 2 * step);
    };
    // nearer than the played shares can tell apart is near enough
    while yes - not > (yes / FINE).max(1) {
        let middle = not + (yes - not) / 2;
        if enough(middle)? {
            yes = middle;
        } else {
            not = middle;
        }
    }
    Ok(Some(yes))
}

#[cfg(test)]
mod tests;
