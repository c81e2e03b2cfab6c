//! The rules by which a run of Claude Code is understood: from what it wrote, what the gateway saw
//! and how its process ended, in this order.

use super::event::{Began, Ended};
use crate::domain::{Ending, Exchange, InfrastructureEvidence, LimitKind, ProgramEnded};
use crate::harness::DriveError;
use crate::harness::program::ending::{
    answered, did_not_start_as_told, infrastructure, never_began, provider, without_result,
};
use crate::harness::program::tools::Tools;
use crate::harness::programs::CLAUDE_CODE;

/// Whether it runs as it was meant to: every server connected, the task's tools offered, no others.
///
/// # Errors
/// `DriveError::Infrastructure` names what differs.
pub(super) fn as_intended(
    began: &Began,
    servers: &[&str],
    tools: &Tools,
) -> Result<(), DriveError> {
    for server in servers {
        let found = began.servers.iter().find(|(name, _)| name == server);
        let status = found.map_or("missing", |(_, status)| status.as_str());
        if status != "connected" {
            return Err(infrastructure(
                InfrastructureEvidence::ServerStart,
                format!(
                    "server `{server}` is {status} for Claude Code, which would go on without it"
                ),
            ));
        }
    }
    let missing = tools.names().find(|name| !offers(began, name));
    let other = began
        .tools
        .iter()
        .find(|offered| !tools.names().any(|name| name == *offered));
    match (missing, other) {
        (Some(name), _) => Err(otherwise(&format!("it does not offer the tool `{name}`"))),
        (None, Some(name)) => Err(otherwise(&format!(
            "it offers the tool `{name}`, which the task has not"
        ))),
        (None, None) => Ok(()),
    }
}

fn offers(began: &Began, name: &str) -> bool {
    began.tools.iter().any(|offered| offered == name)
}

fn otherwise(what: &str) -> DriveError {
    did_not_start_as_told(&CLAUDE_CODE, what)
}

/// What is known once the program has ended by itself.
pub(super) struct Facts<'a> {
    pub(super) has_begun: bool,
    pub(super) ended: Option<&'a Ended>,
    pub(super) process: &'a ProgramEnded,
    pub(super) exchanges: &'a [Exchange],
}

/// How it ended.
///
/// # Errors
/// `DriveError` for all that is not the agent's own doing.
pub(super) fn judge(facts: &Facts<'_>) -> Result<Ending, DriveError> {
    if !facts.has_begun {
        return Err(never_began(&CLAUDE_CODE, facts.process));
    }
    let Some(ended) = facts.ended else {
        return without_result(&CLAUDE_CODE, facts.process);
    };
    if ended.subtype == "error_max_turns" {
        return Ok(Ending::Limit {
            limit: LimitKind::Steps,
        });
    }
    let said = said(ended);
    if ended.is_error
        && (ended.api_status.is_some() || ended.terminal_reason.as_deref() == Some("api_error"))
    {
        return Err(provider(format!(
            "Claude Code gave up on its model: {said}"
        )));
    }
    if ended.is_error || ended.subtype != "success" {
        return Ok(Ending::Crashed {
            message: format!("Claude Code ended with an error: {said}"),
        });
    }
    answered(&CLAUDE_CODE, facts.exchanges)
}

fn said(ended: &Ended) -> String {
    let text = match &ended.text {
        Some(text) => text.clone(),
        None if ended.errors.is_empty() => ended.subtype.clone(),
        None => ended.errors.join("; "),
    };
    match ended.api_status {
        Some(status) => format!("{text} (HTTP status {status})"),
        None => text,
    }
}
