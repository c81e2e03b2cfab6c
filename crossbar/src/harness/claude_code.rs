//! claude-code: the command line of Claude Code, with its own loop around the model.
//!
//! Native behaviour: its system prompt (or `instructions` in its place), its way of offering tools,
//! its retries (two for a request) and its resuming of an answer that was cut are its own. It gets a
//! home that is new for each rollout, only the tools of the task, none that is forbidden allowed,
//! and the task's `max_steps` as its turns. It starts the task's servers by itself and reaches its
//! model through the gateway, whose token is all that it has for a key. Where the roster speaks of
//! skills it has its own tool `Skill` besides, by which its model reads one.
//!
//! How it ended is taken from what it wrote and from what the gateway saw, never from its exit code
//! alone: it reports success where a server is missing and where an answer was cut.

mod command;
mod ending;

use super::program::brought::{Brought, SkillTexts};
use super::program::stream_json::{Dialect, Stream};
use super::program::tools::Spelling;
use super::program::{Own, ProgramHarness, Reader, Start, Told};
use super::programs::{AgentProgram, CLAUDE_CODE};
use super::{DriveError, Harness};
use crate::domain::{Additions, HarnessKind, HarnessSpec, Program};

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
    skill_tool: Some(command::SKILL_TOOL),
    is_its_own: |message| message["model"] == "<synthetic>",
    judge: ending::judge,
};

struct ClaudeCode {
    instructions: Option<String>,
    additions: Additions,
}

pub(super) fn build(spec: &HarnessSpec) -> Box<dyn Harness> {
    Box::new(ProgramHarness(ClaudeCode {
        instructions: spec.instructions.clone(),
        additions: spec.additions.clone(),
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
        let instructions = self.instructions.as_deref();
        Ok(command::program(start, instructions, &self.additions))
    }

    fn brought(&self) -> Option<Brought<'_>> {
        Some(Brought {
            instructions: self.instructions.as_deref(),
            additions: &self.additions,
            skills: SkillTexts::WhenUsed,
        })
    }

    fn told(&self) -> Told {
        Told::ById
    }

    fn reader(&self, start: &Start<'_>) -> Box<dyn Reader> {
        Box::new(Stream::new(
            &DIALECT,
            start,
            self.additions.skills.as_deref(),
        ))
    }
}

#[cfg(test)]
mod tests;
