//! What a sweep would be made of, before it runs, and everything that can be said of it then.

use super::forecast_chance::{self, Assumed, Chance, Needed};
use super::forecast_reach::{self, BarReach, Reach};
use super::forecast_worth::{self, NotWorth, Worth};
use super::grouping::Grouping;
use super::outlay::{self, Outlay};
use super::pilot::Pilot;
use super::{AnalysisError, Question};
use crate::domain::{BudgetLimit, CellId, Limits, TaskId};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What a sweep would be made of. A live cell that nobody has funded is part of it: this costs
/// nothing.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Design {
    /// Cells, tasks, repeats, baseline, margin and errors.
    pub question: Question,
    /// The ceilings of every task's rollouts.
    pub limits: BTreeMap<TaskId, Limits>,
    /// What each cell may use.
    pub bills: Vec<Bill>,
    /// Rollouts at a time, at least 1.
    pub at_a_time: u32,
    /// The ceiling in money; `None` = none is set.
    pub budget: Option<BudgetLimit>,
    /// The cells that a red of the gate would run once more; empty where one look decides.
    #[serde(default)]
    pub looked_at_again: Vec<CellId>,
}

/// What one cell may use.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Bill {
    /// The cell.
    pub cell: CellId,
    /// Whether somebody is paid for it.
    pub paid: bool,
    /// The most output tokens of one request.
    pub max_output_tokens: u64,
}

/// What can be said before the first rollout.
#[derive(Debug, Clone, PartialEq)]
pub struct Forecast {
    /// Tasks.
    pub tasks: u32,
    /// Independent units: tasks, or families once every task declares one.
    pub units: u32,
    /// Cells that would be held against the baseline; 0 without one.
    pub challengers: u32,
    /// Rollouts of cells.
    pub rollouts: u64,
    /// What can be shown at all; empty without a challenger.
    pub reach: Reach,
    /// Whether a perfect cell can clear the quality bar; `None` where none is set.
    pub bar: Option<BarReach>,
    /// How likely this size shows what is there; `None` without a challenger.
    pub chance: Option<Chance>,
    /// What it would take; `None` without a challenger.
    pub needed: Option<Needed>,
    /// What all of that assumes.
    pub assumed: Assumed,
    /// Money and time.
    pub outlay: Outlay,
    /// How many repeats are worth their money; `None` where nobody said what a task costs.
    pub worth: Option<Result<Worth, NotWorth>>,
}

impl Design {
    /// Rollouts that a red of the gate would add; 0 where one look decides.
    #[must_use]
    pub fn rollouts_of_a_second_look(&self) -> u64 {
        let (cells, tasks) = (self.looked_at_again.len(), self.question.tasks.len());
        (cells * tasks) as u64 * u64::from(self.question.repeats)
    }

    /// Cells that are held against the baseline; 0 without one.
    #[must_use]
    pub fn challengers(&self) -> u32 {
        let cells = &self.question.cells;
        let baseline = self.question.baseline.as_ref();
        let there = baseline.is_some_and(|id| cells.iter().any(|cell| cell.id == *id));
        if there { cells.len() as u32 - 1 } else { 0 }
    }

    /// What can be shown at all at this size, without any assumption.
    ///
    /// # Errors
    /// `AnalysisError` without a task or a repeat, and when a statistic refuses its input.
    pub fn reach(&self) -> Result<Reach, AnalysisError> {
        if self.question.tasks.is_empty() || self.question.repeats == 0 {
            return Err(AnalysisError::EmptyMatrix);
        }
        forecast_reach::reach(&self.question, self.challengers())
    }

    /// Everything that can be said, about a drop of `drop` (a fraction above 0); `task_cost` is what a
    /// new task costs before its first rollout, dollars, 0 or more.
    ///
    /// # Errors
    /// `AnalysisError` as above, and when the drop is larger than the pass rate that is assumed.
    pub fn forecast(
        &self,
        drop: f64,
        pilot: Option<&Pilot<'_>>,
        task_cost: Option<f64>,
    ) -> Result<Forecast, AnalysisError> {
        let reach = self.reach()?;
        let question = &self.question;
        let assumed = Assumed::of(question, pilot);
        let challengers = self.challengers();
        let grouping = Grouping::of(question);
        let (mut chance, mut needed) = (None, None);
        if challengers > 0 {
            let asked = forecast_chance::Asked::new(question, challengers, drop, &assumed)?;
            chance = Some(asked.chance(&grouping)?);
            needed = Some(asked.needed()?);
        }
        let outlay = outlay::of(self, pilot)?;
        let worth = task_cost
            .map(|task| forecast_worth::of(self, &assumed, outlay.expected, task))
            .transpose()?;
        Ok(Forecast {
            tasks: question.tasks.len() as u32,
            units: grouping.count(question.tasks.len()) as u32,
            challengers,
            rollouts: self.rollouts(),
            reach,
            bar: forecast_reach::bar(question)?,
            chance,
            needed,
            assumed,
            outlay,
            worth,
        })
    }

    /// Rollouts of cells.
    #[must_use]
    pub fn rollouts(&self) -> u64 {
        let question = &self.question;
        question.cells.len() as u64 * question.tasks.len() as u64 * u64::from(question.repeats)
    }
}
