//! What a file holds: rollouts, each with its place, and what it says of their tasks.

use crate::domain::{CellId, Cost, CostSource, Outcome, ResultRow, RolloutKey, Usd};
use std::fmt;

/// A file as it was given.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Given {
    /// What the one cell of the file is to be called; `None` leaves that to the file.
    pub cell: Option<CellId>,
    /// The path, as messages name it.
    pub path: String,
    /// The scorer whose word counts, where the format knows several; `None` leaves that to the file.
    pub scorer: Option<String>,
    /// What is in it; nothing for a folder.
    pub bytes: Vec<u8>,
    /// The files of results that a folder holds; none for a file.
    pub members: Vec<Member>,
}

/// A file inside a folder that was given.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Member {
    /// The path, as messages name it.
    pub path: String,
    /// What is in it.
    pub bytes: Vec<u8>,
}

/// One rollout as a file tells it.
#[derive(Debug, Clone, PartialEq)]
pub struct Found {
    /// Its results; what the file does not say is unknown.
    pub row: ResultRow,
    /// The task's family, where the file names one.
    pub family: Option<String>,
    /// The task's weight, above 0, where the file names one.
    pub weight: Option<f64>,
    /// The stratum that the task was drawn from, where the file names one.
    pub stratum: Option<Stratum>,
    /// What it cost in dollars before that was rounded to micro-dollars.
    pub dollars: Option<f64>,
    /// Where it stands.
    pub place: Place,
}

impl Found {
    /// A rollout of which nothing is known but how it ended: every importer begins here, so that
    /// what its format does not say stays unknown.
    pub(super) fn ended(key: RolloutKey, outcome: Outcome, place: Place) -> Self {
        Self {
            row: ResultRow {
                key,
                outcome,
                score: None,
                failure_mode: None,
                usage: None,
                cost: Cost::Unknown,
                forbidden: None,
                started_at: None,
                worked_ms: None,
                timeout_ms: None,
                tool_calls: None,
                answered_models: Box::default(),
                refused: false,
                spoken: 0,
            },
            family: None,
            weight: None,
            stratum: None,
            dollars: None,
            place,
        }
    }
}

/// A part of the work from which tasks were drawn.
#[derive(Debug, Clone, PartialEq)]
pub struct Stratum {
    /// Its name.
    pub name: String,
    /// How much of the work it is, above 0, on the scale of the other strata's.
    pub share: f64,
}

/// Where a rollout stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// The file.
    pub path: String,
    /// The line, from 1, or what else finds it in the file.
    pub at: String,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.path, self.at)
    }
}

/// Who numbered the repeats of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Numbering {
    /// The file.
    Written,
    /// Nobody: it holds the next repeats of its rollouts, after those of the files before it.
    ByFile,
}

/// A file that was read.
#[derive(Debug, Clone, PartialEq)]
pub struct Read {
    /// The path, as messages name it.
    pub path: String,
    /// The name of the format.
    pub format: &'static str,
    /// Who numbered the repeats.
    pub numbering: Numbering,
    /// The rollouts, in the order of the file.
    pub found: Vec<Found>,
    /// Rollouts that the file says should be there, whether they are or not.
    pub expected: Vec<RolloutKey>,
    /// What a reader should know about how the file was read.
    pub notes: Vec<String>,
}

/// A cost that another tool names in dollars.
pub(super) fn money(dollars: Option<f64>) -> Cost {
    let source = CostSource::Reported;
    match dollars.and_then(Usd::from_dollars) {
        Some(amount) => Cost::Known { amount, source },
        None => Cost::Unknown,
    }
}
