//! What programs tell of their work, whatever their own events look like.

use crate::domain::CallOutcome;
use serde_json::Value;

/// Something that belongs into a trajectory.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::harness) enum Event {
    /// A part of an answer of the model.
    Said(Said),
    /// What became of a tool call.
    Heard(Heard),
    /// The program has denied the call of this id.
    Denied(String),
}

/// A part of an answer.
#[derive(Debug, Clone, PartialEq, Default)]
pub(in crate::harness) struct Said {
    /// The provider's id of the answer, which all its parts have; `None` where the program does not
    /// name it, and its parts come in the order of the answers.
    pub(in crate::harness) id: Option<String>,
    pub(in crate::harness) text: String,
    pub(in crate::harness) calls: Vec<Asked>,
}

/// A tool call that the model asked for.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::harness) struct Asked {
    pub(in crate::harness) id: String,
    /// The tool, by the program's name for it.
    pub(in crate::harness) name: String,
    pub(in crate::harness) input: Value,
}

/// What became of a tool call that was not denied.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::harness) struct Heard {
    pub(in crate::harness) id: String,
    pub(in crate::harness) outcome: CallOutcome,
}
