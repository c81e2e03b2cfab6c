//! The rules by which a run of Codex is understood: from what it wrote, what the gateway saw and how
//! its process ended, in this order.

use crate::domain::{Ending, Exchange, ExchangeEnd, InfrastructureEvidence, ProgramEnded};
use crate::harness::DriveError;
use crate::harness::program::ending::{
    answered, did_not_start_as_told, how, infrastructure, never_began, provider, without_result,
};
use crate::harness::program::tools::Tools;
use crate::harness::programs::CODEX;

/// What it says when a server that it was told to need does not start.
const NO_SERVER: &str = "required MCP servers failed to initialize";

/// What it offers of its own, for which it has no switch.
const OWN_TOOLS: [&str; 4] = [
    "list_mcp_resource_templates",
    "list_mcp_resources",
    "read_mcp_resource",
    "request_user_input",
];

/// Whether it runs as it was meant to: its first request offers the task's tools, and of its own
/// only those without a switch. Its output says nothing of it.
///
/// # Errors
/// `DriveError::Infrastructure` names what differs.
pub(super) fn as_intended(offered: &[String], tools: &Tools) -> Result<(), DriveError> {
    let is_offered = |name: &str| offered.iter().any(|offered| offered == name);
    if let Some(name) = tools.names().find(|name| !is_offered(name)) {
        return Err(otherwise(&format!("it does not offer the tool `{name}`")));
    }
    let is_meant = |name: &str| tools.has(name) || OWN_TOOLS.contains(&name);
    match offered.iter().find(|name| !is_meant(name)) {
        Some(name) => Err(otherwise(&format!(
            "it offers the tool `{name}`, which the task has not"
        ))),
        None => Ok(()),
    }
}

fn otherwise(what: &str) -> DriveError {
    did_not_start_as_told(&CODEX, what)
}

/// What is known once the program has ended by itself.
pub(super) struct Facts<'a> {
    pub(super) has_begun: bool,
    pub(super) has_completed: bool,
    /// Why it gave up, if it did.
    pub(super) failed: Option<&'a str>,
    pub(super) process: &'a ProgramEnded,
    pub(super) exchanges: &'a [Exchange],
}

/// How it ended.
///
/// # Errors
/// `DriveError` for all that is not the agent's own doing.
pub(super) fn judge(facts: &Facts<'_>) -> Result<Ending, DriveError> {
    if !facts.has_begun {
        return Err(not_begun(facts.process));
    }
    if let Some(why) = facts.failed {
        let last = facts.exchanges.last().map(|last| last.end);
        return match last {
            // Its model had answered: what failed is the program's own.
            Some(ExchangeEnd::Complete) => Ok(Ending::Crashed {
                message: format!("Codex ended with an error: {why}"),
            }),
            _ => Err(provider(format!("Codex gave up on its model: {why}"))),
        };
    }
    match facts.has_completed {
        true => answered(&CODEX, facts.exchanges),
        false => without_result(&CODEX, facts.process),
    }
}

fn not_begun(process: &ProgramEnded) -> DriveError {
    if process.stderr.contains(NO_SERVER) {
        return infrastructure(
            InfrastructureEvidence::ServerStart,
            format!(
                "a server of the task did not start for Codex{}",
                how(process)
            ),
        );
    }
    never_began(&CODEX, process)
}
