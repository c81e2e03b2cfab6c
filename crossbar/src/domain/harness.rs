//! A harness of the roster, and what a harness kind promises.

use super::Additions;
use serde::{Deserialize, Serialize};

/// A harness of the roster: the loop around a model.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct HarnessSpec {
    /// Its id in the roster; the right part of a cell.
    pub id: String,
    /// The harness kind, one of the harness table's names.
    pub kind: String,
    /// Whether one self-check turn is forced.
    pub verify: bool,
    /// Text that replaces the kind's own system prompt.
    pub instructions: Option<String>,
    /// What a program is given on top.
    #[serde(default)]
    pub additions: Additions,
}

/// A row of the harness table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HarnessKind {
    /// The word in the roster.
    pub name: &'static str,
    /// One line for help and error messages.
    pub doc: &'static str,
    /// Whether it can force a self-check turn.
    pub can_verify: bool,
    /// Whether the model is told of the task's tools.
    pub offers_tools: bool,
}
