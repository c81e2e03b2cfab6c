//! claude-code: the command line of Claude Code, with its own loop around the model.
//!
//! Native behaviour: its system prompt (or `instructions` in its place), its way of offering tools,
//! its retries (two for a request) and its resuming of an answer that was cut are its own. It gets a
//! home that is new for each rollout, only the tools of the task, none that is forbidden allowed,
//! and the task's `max_steps` as its turns. It starts the task's servers by itself and reaches its
//! model through the gateway, whose token is all that it has for a key.
//!
//! How it ended is taken from what it wrote and from what the gateway saw, never from its exit code
//! alone: it reports success where a server is missing and where an answer was cut.

mod command;
mod ending;

use super::program::stream_json::{Dialect, Stream};
use super::program::tools::Spelling;
use super::program::{Own, ProgramHarness, Reader, Start, Told};
use super::programs::{AgentProgram, CLAUDE_CODE};
use super::{DriveError, Harness};
use crate::domain::{HarnessKind, HarnessSpec, Program};

pub(super) const KIND: HarnessKind = HarnessKind {
    name: CLAUDE_CODE.kind,
    doc: "the command line of Claude Code, with its own loop; speaks to its model through the gateway",
    can_verify: false,
    offers_tools: true,
};

/// Its events are its own; the others' are like them.
pub(super) const DIALECT: Dialect = Dialect {
    row: &CLAUDE_CODE,
    version: "claude_code_version",
    no_such_tool: "No such tool available",
    is_its_own: |message| message["model"] == "<synthetic>",
    judge: ending::judge,
};

struct ClaudeCode {
    instructions: Option<String>,
}

pub(super) fn build(spec: &HarnessSpec) -> Box<dyn Harness> {
    Box::new(ProgramHarness(ClaudeCode {
        instructions: spec.instructions.clone(),
    }))
}

impl Own for ClaudeCode {
    fn row(&self) -> &'static AgentProgram {
        &CLAUDE_CODE
    }

    fn spelling(&self) -> Spelling {
        Spelling {
            own: CLAUDE_CODE.kind,
            marks: "_-",
            joins: ("mcp__", "__"),
        }
    }

    fn program(&self, start: &Start<'_>) -> Result<Program, DriveError> {
        Ok(command::program(start, self.instructions.as_deref()))
    }

    fn told(&self) -> Told {
        Told::ById
    }

    fn reader(&self, start: &Start<'_>) -> Box<dyn Reader> {
        Box::new(Stream::new(&DIALECT, start))
    }
}

#[cfg(test)]
mod tests;
