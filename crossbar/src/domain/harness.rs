//! A harness of the roster, and what a harness kind promises.

use super::Additions;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

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
    /// The executable of the kind `command`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub command: Option<Executable>,
}

/// An executable that is a harness.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Executable {
    /// A path from the roster's folder on, or a name that is looked up in PATH; as it is written.
    pub program: String,
    /// Its arguments, as they are written; one that begins with `./` or `../` is a path as well.
    pub args: Vec<String>,
    /// Variables on top of the few that every child gets.
    pub env: BTreeMap<String, String>,
    /// The version that it has to say; `None` = any.
    pub version: Option<String>,
    /// The hash of each of its files that the roster names, by its path as it is written.
    #[serde(default)]
    pub files: BTreeMap<String, String>,
    /// Where these files are on this machine.
    #[serde(skip)]
    pub places: BTreeMap<String, String>,
}

impl Executable {
    /// Whether a word of its command line is a path from the roster's folder on.
    #[must_use]
    pub fn is_path(word: &str) -> bool {
        word.starts_with("./") || word.starts_with("../")
    }

    /// A word of its command line as it is run here.
    #[must_use]
    pub fn here<'a>(&'a self, word: &'a str) -> &'a str {
        self.places.get(word).map_or(word, String::as_str)
    }
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
