//! gemini: the command line of Gemini, with its own loop around the model.
//!
//! Native behaviour: its prompt (or `instructions` in its place), its way of offering tools and its
//! two retries, of a request and of an answer that was cut, are its own. It gets a home that is new
//! for each rollout, with settings that switch its own tools off and rules that let it call those of
//! the task which are not forbidden, and the task's `max_steps` as its turns. It starts the task's
//! servers by itself and reaches its model through the gateway, whose token is all that it has for a
//! key.
//!
//! How it ended is taken from what it wrote and from what the gateway saw, never from its exit code
//! alone. Where a server does not start it goes on without it and writes nothing of it: the tools
//! that its first request offers say so, before that request is passed on.

mod ending;
mod event;
mod reader;
mod settings;

use super::program::tools::Spelling;
use super::program::{Own, ProgramHarness, Reader, Start, Told};
use super::programs::{AgentProgram, GEMINI};
use super::{DriveError, Harness};
use crate::domain::{HarnessKind, HarnessSpec, Program};

pub(super) const KIND: HarnessKind = HarnessKind {
    name: GEMINI.kind,
    doc: "the command line of Gemini, with its own loop; speaks to its model through the gateway",
    can_verify: false,
    offers_tools: true,
};

const SPELLING: Spelling = Spelling {
    own: GEMINI.kind,
    marks: "_-.:",
    joins: ("mcp_", "_"),
};

struct Gemini {
    instructions: Option<String>,
}

pub(super) fn build(spec: &HarnessSpec) -> Box<dyn Harness> {
    Box::new(ProgramHarness(Gemini {
        instructions: spec.instructions.clone(),
    }))
}

impl Own for Gemini {
    fn row(&self) -> &'static AgentProgram {
        &GEMINI
    }

    fn spelling(&self) -> Spelling {
        SPELLING
    }

    fn program(&self, start: &Start<'_>) -> Result<Program, DriveError> {
        settings::program(start, self.instructions.as_deref())
    }

    fn told(&self) -> Told {
        Told::InPieces
    }

    fn reader(&self, start: &Start<'_>) -> Box<dyn Reader> {
        Box::new(reader::Stream::new(start.tools, start.servers))
    }
}

#[cfg(test)]
mod tests;
