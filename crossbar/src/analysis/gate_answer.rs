//! What a gate says: a word for each cell that is held, and one for all of them.

use super::{Margin, Scope};
use crate::domain::{CellId, Estimate, GateMode, GateReference, RunId, TaskId};
use serde::{Deserialize, Serialize};
use std::fmt;

/// The answer of a gate.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[must_use]
pub struct GateAnswer {
    /// What was decided.
    pub mode: GateMode,
    /// About which tasks.
    pub scope: Scope,
    /// What the cells were held against.
    pub reference: GateReference,
    /// The error of a red that nothing caused, over all cells, 0..=0.5.
    pub alpha: f64,
    /// A drop must be larger than this, a fraction.
    pub noise_threshold: f64,
    /// The margin of non-inferiority.
    pub margin: Margin,
    /// The branch whose references were read, in a pull request; `None` elsewhere.
    pub base: Option<String>,
    /// The word over all cells: the gravest one.
    pub word: GateWord,
    /// How the sentinel stands against its own record, where the gate has one: its word is
    /// REGRESSION or IMPROVEMENT where it has moved. The cells are not held then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sentinel: Option<HeldCell>,
    /// Where a held cell has no reference: the cells that have one and are not in the run. One of
    /// them may be the same cell by another name.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub elsewhere: Vec<CellId>,
    /// The second look, where the first one was red and a second was begun. The cells that the
    /// first saw red stand below as the second sees them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub second_look: Option<SecondLook>,
    /// One per held cell, in plan order; empty where planned rollouts are missing.
    pub cells: Vec<HeldCell>,
}

/// The run that decides on what a first look saw red.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SecondLook {
    /// The run.
    pub run: RunId,
    /// Its seed, which is not that of the first.
    pub seed: u64,
    /// The hash of its data set.
    pub dataset_hash: String,
}

impl GateAnswer {
    /// What follows for CI.
    #[must_use]
    pub fn state(&self) -> GateState {
        self.word.state()
    }
}

/// What follows from a gate's word for CI.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GateState {
    /// The gate holds.
    Held,
    /// It fails.
    Failed,
    /// A conclusion is demanded, and there is none.
    Open,
    /// There is nothing that may be compared.
    Refused,
    /// Planned rollouts are missing.
    Incomplete,
}

/// The words of a gate, the gravest last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GateWord {
    /// Nobody has accepted a reference yet.
    NoReference,
    /// A rise is shown.
    Improvement,
    /// Neither a drop nor a rise is shown; the smallest drop that would be says how much that means.
    NoRegressionShown,
    /// Shown to be within the margin.
    WithinMargin,
    /// Neither within the margin nor worse than it.
    CannotTell,
    /// What is held and what it is held against differ in more than what is tested.
    NotComparable,
    /// Tasks of the reference are gone, and the roster forbids that.
    TasksRemoved,
    /// Shown to be worse than the margin allows.
    WorseThanMargin,
    /// A drop is shown.
    Regression,
    /// Planned rollouts are missing.
    Incomplete,
}

impl GateWord {
    /// What follows for CI.
    #[must_use]
    pub fn state(self) -> GateState {
        match self {
            Self::NoReference
            | Self::Improvement
            | Self::NoRegressionShown
            | Self::WithinMargin => GateState::Held,
            Self::CannotTell => GateState::Open,
            Self::NotComparable => GateState::Refused,
            Self::TasksRemoved | Self::WorseThanMargin | Self::Regression => GateState::Failed,
            Self::Incomplete => GateState::Incomplete,
        }
    }
}

impl fmt::Display for GateWord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NoReference => "NO REFERENCE",
            Self::Improvement => "IMPROVEMENT",
            Self::NoRegressionShown => "NO REGRESSION SHOWN",
            Self::WithinMargin => "WITHIN THE MARGIN",
            Self::CannotTell => "CAN'T TELL",
            Self::NotComparable => "NOT COMPARABLE",
            Self::TasksRemoved => "TASKS REMOVED",
            Self::WorseThanMargin => "WORSE THAN THE MARGIN",
            Self::Regression => "REGRESSION",
            Self::Incomplete => "INCOMPLETE",
        })
    }
}

/// One cell that is held.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct HeldCell {
    /// The cell.
    pub cell: CellId,
    /// What it is held against; `None` where there is nothing.
    pub against: Option<Against>,
    /// Its word.
    pub word: GateWord,
    /// Why it can't be compared; only with that word.
    pub why: Option<NotComparable>,
    /// The cell minus what it is held against, over the paired tasks, as a fraction with its
    /// interval; `None` where nothing was compared.
    pub difference: Option<Estimate>,
    /// The p-value behind the word, adjusted by Holm over the held cells: of a drop, or of a rise
    /// where the word is IMPROVEMENT. `None` where nothing was compared, and in non-inferiority,
    /// whose p is that of the comparison.
    pub adjusted_p: Option<f64>,
    /// The smallest drop that a run like this one shows in 80 of 100 runs, a fraction; `None`
    /// where nothing was compared, and in non-inferiority.
    pub smallest_drop: Option<f64>,
    /// Which tasks were paired, and which were not.
    pub tasks: PairedTasks,
    /// What the first look said, where this is the second: a drop.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first_look: Option<Box<HeldCell>>,
}

impl HeldCell {
    /// A cell that was not compared.
    #[must_use]
    pub fn without(cell: CellId, word: GateWord) -> Self {
        Self {
            cell,
            against: None,
            word,
            why: None,
            difference: None,
            adjusted_p: None,
            smallest_drop: None,
            tasks: PairedTasks::default(),
            first_look: None,
        }
    }
}

/// What a cell is held against.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Against {
    /// A cell of the same sweep.
    Cell {
        /// The cell.
        cell: CellId,
    },
    /// The same cell in an earlier run.
    Run {
        /// The run.
        run: RunId,
    },
    /// The other half of the cell's own repeats.
    Itself,
    /// Accepted results.
    Record {
        /// The first and the last day on which they were measured, `YYYY-MM-DD`.
        days: (String, String),
        /// The runs that they come from, as the records name them, sorted.
        runs: Vec<String>,
        /// The configurations that they were measured with, where the run has another one: the
        /// thing under test may have changed, and this says so.
        changed_from: Vec<String>,
    },
}

/// Why there is nothing that may be compared.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum NotComparable {
    /// The cell, or the baseline, is not in this run.
    NotInThisRun,
    /// Mock models are no evidence about a real one.
    Mock {
        /// The cells whose model only plays one.
        cells: Vec<CellId>,
    },
    /// The answers are those of a recording: they say nothing about the models.
    Replayed {
        /// The recorded run.
        run: RunId,
    },
    /// \[these tasks\] can't be estimated with one repeat.
    OneRepeat,
    /// Fewer than two tasks, or families, can't speak for tasks like these.
    TooFewTasks,
    /// No task is the same in both.
    NoCommonTask,
    /// The model, the model that answers, or the agent's version is another one.
    Changed {
        /// What.
        what: ChangedPart,
        /// What the record was measured with.
        then: String,
        /// What the run was measured with.
        now: String,
    },
    /// A sentinel whose configuration is not the accepted one: it has to stand still.
    Moved {
        /// The fingerprint that the record was measured with.
        then: String,
        /// That of the run.
        now: String,
    },
    /// The sentinel has moved, or could not be looked at.
    Sentinel {
        /// The sentinel; `None` where the run has none.
        cell: Option<CellId>,
    },
    /// The record is too old for a live cell.
    TooOld {
        /// Its age on the day of the run, in days.
        days: u32,
        /// How old it may be.
        limit: u32,
    },
}

/// What a stored reference is refused across.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ChangedPart {
    /// The name that the provider is asked for.
    RequestedModel,
    /// The name of the model that answered.
    AnsweredModel,
    /// The agent that drives it, with its version.
    Agent,
}

/// Which tasks were paired.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct PairedTasks {
    /// How many were compared.
    pub paired: u32,
    /// In the reference, not in the run.
    pub removed: Vec<TaskId>,
    /// In the run, not in the reference: measured, not held.
    pub new: Vec<TaskId>,
    /// In both with another fingerprint (prompt, environment, checks): not held.
    pub changed: Vec<TaskId>,
    /// Paired tasks whose share of passes moved, the largest drop first.
    pub moved: Vec<MovedTask>,
    /// Tasks whose references a pull request itself changes; the gate read those of its base.
    pub accepts: Vec<TaskId>,
    /// Drops that somebody accepted with a reason.
    pub accepted_drops: Vec<AcceptedDrop>,
}

/// A task with its passes then and now.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MovedTask {
    /// The task.
    pub task: TaskId,
    /// Passes and rollouts of what it is held against.
    pub then: (u32, u32),
    /// Passes and rollouts of the run.
    pub now: (u32, u32),
    /// Fisher's exact p of a drop of this task alone, adjusted by Holm over the paired tasks.
    pub adjusted_p: f64,
}

impl MovedTask {
    /// Whether the share of passes is lower now.
    #[must_use]
    pub fn fell(&self) -> bool {
        let (then, now) = (self.then, self.now);
        u64::from(now.0) * u64::from(then.1) < u64::from(then.0) * u64::from(now.1)
    }
}

impl fmt::Display for MovedTask {
    /// `pack::task 5/5 -> 1/5`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ((p, n), (q, m)) = (self.then, self.now);
        write!(f, "{} {p}/{n} -> {q}/{m}", self.task)
    }
}

/// A drop that somebody accepted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AcceptedDrop {
    /// The task.
    pub task: TaskId,
    /// Their reason.
    pub reason: String,
}
