//! opencode: the command line of opencode, with its own loop around the model.
//!
//! Native behaviour: its prompt (or `instructions` in its place), with the folder and the day, which
//! it has no switch for, and its waits between retries are its own. It gets a home that is new for
//! each rollout, with a file of settings that leaves it the tools of the task alone, and lets it ask
//! before a forbidden one, which is denied since nobody is there. It starts the task's servers by
//! itself and reaches its model through the gateway, whose token is all that it has for a key. It
//! knows no limit of turns, and none of retries that could be set: the gateway counts both.
//!
//! It goes on without a server that does not start, and says nothing of it: the gateway holds its
//! first request to the task's tools. How it ended is taken from what it wrote and from what the
//! gateway saw, never from its exit code alone.

mod config;
mod ending;
mod event;
mod reader;

use super::program::tools::{Spelling, Tools};
use super::program::{Own, ProgramHarness, Reader, Start, Told};
use super::programs::{AgentProgram, OPENCODE};
use super::{DriveError, Harness};
use crate::domain::{HarnessKind, HarnessSpec, Leash, Program};

pub(super) const KIND: HarnessKind = HarnessKind {
    name: OPENCODE.kind,
    doc: "the command line of opencode, with its own loop; speaks to its model through the gateway",
    can_verify: false,
    offers_tools: true,
};

const SPELLING: Spelling = Spelling {
    own: OPENCODE.kind,
    marks: "_-",
    joins: ("", "_"),
};

struct Opencode {
    instructions: Option<String>,
}

pub(super) fn build(spec: &HarnessSpec) -> Box<dyn Harness> {
    Box::new(ProgramHarness(Opencode {
        instructions: spec.instructions.clone(),
    }))
}

impl Own for Opencode {
    fn row(&self) -> &'static AgentProgram {
        &OPENCODE
    }

    fn spelling(&self) -> Spelling {
        SPELLING
    }

    fn program(&self, start: &Start<'_>) -> Result<Program, DriveError> {
        config::program(start, self.instructions.as_deref())
    }

    fn leash(&self, tools: &Tools) -> Leash {
        Leash {
            tools: Some(tools.names().map(str::to_owned).collect()),
            tries: Some(1 + OPENCODE.retries),
        }
    }

    fn told(&self) -> Told {
        Told::ByItsOwnId
    }

    fn reader(&self, start: &Start<'_>) -> Box<dyn Reader> {
        Box::new(reader::Stream::new(start.tools))
    }
}

#[cfg(test)]
mod tests;
