//! The whole answer: what sweep.json holds besides the rollouts, and what every report is made of.

use super::{
    CellSummary, Comparison, Completeness, Confidence, CrossCheck, Front, Margin, PrunedTask,
    Slice, TaskSummary, Verdict, WatchOut,
};
use crate::domain::{CellId, Estimate, RunId};
use serde::{Deserialize, Serialize};

/// The answer to a `Question`. Rates, differences and limits are fractions (0.05 = five points),
/// money is in US dollars inside an `Estimate` and in micro-dollars where it is a `Usd`.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[must_use]
pub struct Analysis {
    /// The pack's name as the card prints it.
    pub pack_title: String,
    /// Number of tasks in the matrix.
    pub tasks: u32,
    /// What was asked.
    pub settings: Settings,
    /// The cell used today.
    pub baseline: Option<CellId>,
    /// Whether some cell is no evidence about any real model: the card is headed DEMO.
    pub demo: bool,
    /// The run whose recorded answers were played; the card is headed REPLAY.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub replay_of: Option<RunId>,
    /// Whether the margin was not declared: the card says EXPLORATORY.
    pub exploratory: bool,
    /// The oldest date, `YYYY-MM-DD`, that the roster gives for a price; `None` when it gives none.
    pub prices_as_of: Option<String>,
    /// When the rollouts began; `None` when there are none, or it is not known of one of them.
    pub window: Option<Window>,
    /// What was planned and what is there.
    pub completeness: Completeness,
    /// One per cell, in plan order.
    pub cells: Vec<CellSummary>,
    /// One per task, in plan order: the counts behind every rate.
    pub task_table: Vec<TaskSummary>,
    /// One per challenger, in plan order; empty without a baseline.
    pub comparisons: Vec<Comparison>,
    /// Which of the two verdicts leads the card.
    pub headline: Scope,
    /// The verdict about exactly these tasks; `None` with one repeat, or without two cells.
    pub verdict_these: Option<Verdict>,
    /// The verdict about tasks like these.
    pub verdict_like: Verdict,
    /// How far the answer can be trusted, and how many tasks would settle it.
    pub confidence: Confidence,
    /// The cell with the highest pass rate, corrected for having been chosen; `None` with one
    /// cell, or while a cell has no finished rollout.
    pub best: Option<BestCell>,
    /// The front of pass rate and cost; `None` with fewer than two cells of known cost.
    pub front: Option<Front>,
    /// Each challenger within each family: exploratory; empty with fewer than two families.
    pub slices: Vec<Slice>,
    /// What a named interval gives beside ours; `None` unless asked for.
    pub cross_check: Option<CrossCheck>,
    /// Advice for the next version of the pack.
    pub prune: Vec<PrunedTask>,
    /// What a reader should know before acting.
    pub watch: Vec<WatchOut>,
    /// What was done otherwise than asked, and why.
    pub notices: Vec<Notice>,
    /// How far each challenger of an adaptive run went; `None` where all repeats were fixed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub adaptive: Option<super::Course>,
}

impl Analysis {
    /// The verdict of the headline scope.
    pub fn verdict(&self) -> &Verdict {
        match (self.headline, &self.verdict_these) {
            (Scope::TheseTasks, Some(verdict)) => verdict,
            _ => &self.verdict_like,
        }
    }

    /// The cell named WINNER by the headline verdict, else the CONTENDER, where there is one.
    #[must_use]
    pub fn subject(&self) -> Option<&CellId> {
        self.verdict().winner().or(self.confidence.about.as_ref())
    }

    /// The summary of a cell.
    #[must_use]
    pub fn cell(&self, id: &CellId) -> Option<&CellSummary> {
        self.cells.iter().find(|cell| &cell.id == id)
    }

    /// The comparison of a challenger with the baseline.
    #[must_use]
    pub fn comparison(&self, id: &CellId) -> Option<&Comparison> {
        self.comparisons.iter().find(|c| &c.cell == id)
    }
}

/// The settings that the figures were computed with.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Settings {
    /// The non-inferiority margin, and whether a person declared it.
    pub margin: Margin,
    /// Two-sided error of intervals and families of claims.
    pub alpha: f64,
    /// The declared quality bar, 0..=1.
    pub quality_bar: Option<f64>,
    /// The padding of correlations.
    pub padding: super::CorrelationPadding,
    /// Planned repeats; of an adaptive run the most that a cell can have.
    pub repeats: u32,
    /// The k that pass@k and pass^k were computed with (lower than asked when a task has fewer
    /// finished rollouts); `None` when not asked for, or not computable.
    pub k: Option<u32>,
    /// What counts as one independent unit in \[tasks like these\].
    pub unit: Unit,
}

/// What counts as one independent unit in \[tasks like these\].
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Unit {
    /// Each task.
    Tasks {
        /// How many equally weighted tasks the weights are worth; the number of tasks when equal.
        worth: f64,
    },
    /// Each declared family, weighted by its number of tasks.
    Families {
        /// How many families there are.
        families: u32,
        /// How many equally weighted families they are worth.
        worth: f64,
    },
}

/// Which question a figure answers; every printed line is tagged with one of the two.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Scope {
    /// Exactly these tasks, in this window of time: only the rollouts vary.
    TheseTasks,
    /// The population of tasks from which these were drawn.
    TasksLikeThese,
}

impl Scope {
    /// The tag as printed.
    #[must_use]
    pub fn tag(self) -> &'static str {
        match self {
            Self::TheseTasks => "[these tasks]",
            Self::TasksLikeThese => "[tasks like these]",
        }
    }
}

/// When the rollouts began, RFC 3339 UTC as recorded.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Window {
    /// The first to begin.
    pub first_started_at: String,
    /// The last to begin.
    pub last_started_at: String,
}

/// The cell with the highest pass rate, corrected for having been chosen (F4).
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct BestCell {
    /// The cell; the first in plan order among equals.
    pub cell: CellId,
    /// Out of how many it was chosen.
    pub of: u32,
    /// Its pass rate at level 1 - alpha/M, M all cells that were planned.
    pub rate: Estimate,
    /// Its pass rate shrunk towards the mean of all cells, 0..=1: printed only beside `rate`.
    pub shrunk: f64,
}

/// What was done otherwise than asked, and why.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Notice {
    /// Some task has fewer finished rollouts than k: a smaller k was used.
    KLowered {
        /// What was asked for.
        asked: u32,
        /// What was used.
        used: u32,
    },
    /// pass@k can't be computed: a task has no finished rollout.
    KNotComputable {
        /// What was asked for.
        asked: u32,
    },
    /// Some tasks declare a family and some don't, so tasks stay the unit.
    FamiliesIncomplete {
        /// Tasks without a family.
        without: u32,
    },
    /// Families are the unit, so the tasks' own weights are not used.
    WeightsUnusedWithFamilies,
    /// The figures of \[these tasks\] count each task once, whatever its weight.
    WeightsUnusedInTheseTasks,
    /// One repeat: \[these tasks\] can't be estimated.
    OneRepeat,
    /// The verdict is one of several while the pack grows: errors are those of its look.
    TaskLook(super::TaskLook),
}
