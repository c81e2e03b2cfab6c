//! The one error type of the room: what was wrong with the numbers that came in.

use std::fmt;

/// Why a statistic can't be computed from what was passed in. Positions count from 0.
#[derive(Clone, Debug, PartialEq)]
pub enum StatsError {
    /// There is no task, so there is nothing to estimate.
    NoTasks,
    /// The method needs more tasks (or families) than there are.
    TooFewTasks {
        /// how many there are
        tasks: usize,
        /// how many the method needs
        needed: usize,
    },
    /// Two lists that must describe the same tasks differ in length.
    LengthMismatch {
        /// length of the first list
        left: usize,
        /// length of the second list
        right: usize,
    },
    /// A task has fewer rollouts than the method needs (at least 1 always).
    TooFewRuns {
        /// position of the task
        task: usize,
        /// its rollouts
        runs: u32,
        /// how many the method needs
        needed: u32,
    },
    /// A task has more passes than rollouts.
    PassesExceedRuns {
        /// position of the task
        task: usize,
        /// its passes
        passes: u32,
        /// its rollouts
        runs: u32,
    },
    /// Arms that are compared have different weights or a different grouping.
    WeightsDiffer,
    /// A value is outside the range that its name allows.
    OutOfRange {
        /// what the value is called
        name: &'static str,
        /// the value
        value: f64,
    },
}

impl fmt::Display for StatsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoTasks => write!(f, "no task to estimate from: pass at least one"),
            Self::TooFewTasks { tasks, needed } => {
                write!(
                    f,
                    "{tasks} tasks where the method needs {needed}: add tasks"
                )
            }
            Self::LengthMismatch { left, right } => {
                write!(
                    f,
                    "lists of {left} and {right} entries: both must cover the same tasks"
                )
            }
            Self::TooFewRuns { task, runs, needed } => {
                write!(
                    f,
                    "task {task} has {runs} rollouts where the method needs {needed}: raise the repeats"
                )
            }
            Self::PassesExceedRuns { task, passes, runs } => {
                write!(
                    f,
                    "task {task} has {passes} passes in {runs} rollouts: passes can't exceed rollouts"
                )
            }
            Self::WeightsDiffer => {
                write!(
                    f,
                    "the two arms have different weights: build both from the same weights or families"
                )
            }
            Self::OutOfRange { name, value } => write!(f, "{name} is {value}: outside its range"),
        }
    }
}

impl std::error::Error for StatsError {}
