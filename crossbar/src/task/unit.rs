//! One task.

use super::{Declared, SecurityPolicy};
use crate::domain::{Limits, TaskId, Unmet};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fmt;

/// One unit of work.
#[derive(Debug, Clone)]
pub struct Task {
    /// Its id within its pack.
    pub id: TaskId,
    /// Its name for reports; the id where none is written.
    pub name: String,
    /// Tasks of one family are not independent of each other.
    pub family: Option<String>,
    /// Kept for comparison over time: no report advises to drop it.
    pub anchor: bool,
    /// The pass rate, in (0, 1], under which each of its cases is red; `None` = none was declared.
    pub min_pass_rate: Option<f64>,
    /// Words to choose tasks by.
    pub tags: Vec<String>,
    /// Its weight among the tasks, above 0.
    pub weight: f64,
    /// Why it runs only when somebody asks for ignored tasks; empty where no reason is given,
    /// `None` where it is not ignored.
    pub ignored: Option<String>,
    /// The ceilings of every rollout.
    pub limits: Limits,
    /// What it forbids.
    pub security: SecurityPolicy,
    /// Where it is written.
    pub place: Place,
    /// Everything that can change what a rollout does or how it is judged, for fingerprints. Of a
    /// Rust task: its function's tokens, its settings and its version.
    pub canonical: Value,
    /// Its work as data; `None` for a Rust task, whose function is held elsewhere.
    pub declared: Option<Declared>,
    /// Keys that were accepted and that nothing acts on yet.
    pub unbuilt: Vec<String>,
    /// What it needs and no version has: with any of it the task never runs, whoever asks.
    pub unmet: BTreeSet<Unmet>,
}

impl Task {
    /// A task whose work is held elsewhere, with the defaults of everything that it does not say.
    #[must_use]
    pub fn coded(id: TaskId, canonical: Value) -> Self {
        Self {
            name: id.task().to_owned(),
            id,
            family: None,
            anchor: false,
            min_pass_rate: None,
            tags: Vec::new(),
            weight: 1.0,
            ignored: None,
            limits: Limits::default(),
            security: SecurityPolicy::default(),
            place: Place {
                path: String::new(),
                line: 1,
            },
            canonical,
            declared: None,
            unbuilt: Vec::new(),
            unmet: BTreeSet::new(),
        }
    }
}

/// Where something is written.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Place {
    /// The file, as the reader of the pack or the compiler named it.
    pub path: String,
    /// The line, counted from 1.
    pub line: u32,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.path, self.line)
    }
}
