//! The form of events that Claude Code writes, and that other programs write too: one JSON object a line,
//! the first with the servers and the tools, the last with what came of it. What each of them writes
//! in its own way is its dialect.

mod event;
mod intended;
mod reader;

pub(in crate::harness) use event::Ended;
pub(in crate::harness) use reader::Stream;
#[cfg(test)]
pub(in crate::harness) use {
    event::{Began, Event, read},
    intended::{Intended, as_intended},
};

use crate::domain::{Ending, Exchange, ProgramEnded};
use crate::harness::DriveError;
use crate::harness::programs::AgentProgram;
use serde_json::Value;

/// What is a program's own in these events.
pub(in crate::harness) struct Dialect {
    pub(in crate::harness) row: &'static AgentProgram,
    /// The key under which the first event has the program's version.
    pub(in crate::harness) version: &'static str,
    /// How it answers a call of a tool that does not exist.
    pub(in crate::harness) no_such_tool: &'static str,
    /// Its tool for skills, without which its model has none.
    pub(in crate::harness) skill_tool: Option<&'static str>,
    /// Whether a message is of its own making, and not its model's.
    pub(in crate::harness) is_its_own: fn(&Value) -> bool,
    /// How it ended.
    pub(in crate::harness) judge: fn(&Facts<'_>) -> Result<Ending, DriveError>,
}

/// What is known once the program has ended by itself.
pub(in crate::harness) struct Facts<'a> {
    pub(in crate::harness) has_begun: bool,
    pub(in crate::harness) ended: Option<&'a Ended>,
    pub(in crate::harness) process: &'a ProgramEnded,
    pub(in crate::harness) exchanges: &'a [Exchange],
}
