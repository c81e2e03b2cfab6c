//! qwen: the command line of Qwen Code, with its own loop around the model.
//!
//! Native behaviour: its system prompt (or `instructions` in its place), its retries of a request and
//! the waits between them are its own. It gets a home that is new for each rollout, with a file of
//! settings that stands above those of a workspace: only the tools of the task, none that is forbidden
//! allowed, and the task's `max_steps` as its turns. It starts the task's servers by itself and reaches
//! its model through the gateway, whose token is all that it has for a key. It has no setting for how
//! often it tries again: the gateway counts.
//!
//! Its events are those of Claude Code in a dialect of its own. It reports success where its model was
//! never reached, and goes on without a server that does not start: the gateway's record decides, and
//! the gateway holds its first request to the task's tools.

mod command;
mod ending;

use super::program::stream_json::{Dialect, Stream};
use super::program::tools::{Spelling, Tools};
use super::program::{Own, ProgramHarness, Reader, Start, Told};
use super::programs::{AgentProgram, QWEN};
use super::{DriveError, Harness};
use crate::domain::{HarnessKind, HarnessSpec, Leash, Program};

pub(super) const KIND: HarnessKind = HarnessKind {
    name: QWEN.kind,
    doc: "the command line of Qwen Code, with its own loop; speaks to its model through the gateway",
    can_verify: false,
    offers_tools: true,
};

const DIALECT: Dialect = Dialect {
    row: &QWEN,
    version: "qwen_code_version",
    no_such_tool: "not found in registry",
    skill_tool: None,
    // What it has to say of an error stands there as an answer that took no tokens.
    is_its_own: |message| {
        let usage = &message["usage"];
        usage["input_tokens"] == 0 && usage["output_tokens"] == 0
    },
    judge: ending::judge,
};

struct Qwen {
    instructions: Option<String>,
}

pub(super) fn build(spec: &HarnessSpec) -> Box<dyn Harness> {
    Box::new(ProgramHarness(Qwen {
        instructions: spec.instructions.clone(),
    }))
}

impl Own for Qwen {
    fn row(&self) -> &'static AgentProgram {
        &QWEN
    }

    fn spelling(&self) -> Spelling {
        Spelling {
            own: QWEN.kind,
            marks: "_.-",
            joins: ("mcp__", "__"),
        }
    }

    fn program(&self, start: &Start<'_>) -> Result<Program, DriveError> {
        command::fits(start.prompt)?;
        Ok(command::program(start, self.instructions.as_deref()))
    }

    fn leash(&self, tools: &Tools) -> Leash {
        Leash {
            tools: Some(tools.names().map(str::to_owned).collect()),
            tries: Some(1 + QWEN.retries),
        }
    }

    fn told(&self) -> Told {
        Told::ByItsOwnId
    }

    fn reader(&self, start: &Start<'_>) -> Box<dyn Reader> {
        Box::new(Stream::new(&DIALECT, start, None))
    }
}

#[cfg(test)]
mod tests;
