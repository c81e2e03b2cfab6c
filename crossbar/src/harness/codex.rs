//! codex: the command line of Codex, with its own loop around the model.
//!
//! Native behaviour: its prompt (or `instructions` in its place), its way of offering tools and its
//! two retries of a request are its own. It gets a home that is new for each rollout, with a file of
//! settings that leaves it the tools of the task, approves those that are allowed, and switches off
//! what it brings along. It starts the task's servers by itself and reaches its model through the
//! gateway, whose token is all that it has for a key. It knows no limit of turns: the gateway counts
//! its requests.
//!
//! How it ended is taken from what it wrote and from what the gateway saw, never from its exit code
//! alone. It tells of its work without naming the answers, so the gateway's record says which call
//! stood in which.

mod config;
mod ending;
mod event;
mod reader;

use super::program::tools::Spelling;
use super::program::{Own, ProgramHarness, Reader, Start, Told};
use super::programs::{AgentProgram, CODEX};
use super::{DriveError, Harness};
use crate::domain::{HarnessKind, HarnessSpec, Program};

pub(super) const KIND: HarnessKind = HarnessKind {
    name: CODEX.kind,
    doc: "the command line of Codex, with its own loop; speaks to its model through the gateway",
    can_verify: false,
    offers_tools: true,
};

/// It writes names with underscores alone.
const SPELLING: Spelling = Spelling {
    own: CODEX.kind,
    marks: "_",
    joins: ("mcp__", "__"),
};

struct Codex {
    instructions: Option<String>,
}

pub(super) fn build(spec: &HarnessSpec) -> Box<dyn Harness> {
    Box::new(ProgramHarness(Codex {
        instructions: spec.instructions.clone(),
    }))
}

impl Own for Codex {
    fn row(&self) -> &'static AgentProgram {
        &CODEX
    }

    fn spelling(&self) -> Spelling {
        SPELLING
    }

    fn program(&self, start: &Start<'_>) -> Result<Program, DriveError> {
        config::program(start, self.instructions.as_deref())
    }

    fn told(&self) -> Told {
        Told::InOrder
    }

    fn reader(&self, start: &Start<'_>) -> Box<dyn Reader> {
        Box::new(reader::Stream::new(start.tools))
    }
}

#[cfg(test)]
mod tests;
