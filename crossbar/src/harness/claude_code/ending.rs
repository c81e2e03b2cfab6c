//! The rules by which a run of Claude Code is understood: from what it wrote, what the gateway saw
//! and how its process ended, in this order.

use super::command::SKILL_TOOL;
use super::event::{Began, Ended};
use crate::domain::{Ending, Exchange, InfrastructureEvidence, LimitKind, ProgramEnded};
use crate::harness::DriveError;
use crate::harness::program::ending::{
    answered, did_not_start_as_told, infrastructure, never_began, provider, without_result,
};
use crate::harness::program::tools::Tools;
use crate::harness::programs::CLAUDE_CODE;

/// Whether it runs as it was meant to: every server connected, every skill there, the task's tools
/// offered, no others.
///
/// # Errors
/// `DriveError::Infrastructure` names what differs.
pub(super) fn as_intended(began: &Began, intended: &Intended) -> Result<(), DriveError> {
    connected(began, &intended.servers)?;
    skilled(began, intended.skills.as_deref())?;
    let tools = &intended.tools;
    let is_own = |name: &str| intended.skills.is_some() && name == SKILL_TOOL;
    let missing = tools.names().find(|name| !offers(began, name));
    let mut offered = began.tools.iter();
    let other = offered.find(|name| !is_own(name) && !tools.has(name));
    match (missing, other) {
        (Some(name), _) => Err(otherwise(&format!("it does not offer the tool `{name}`"))),
        (None, Some(name)) => Err(otherwise(&format!(
            "it offers the tool `{name}`, which the task has not"
        ))),
        (None, None) => Ok(()),
    }
}

/// What it was started with.
pub(super) struct Intended {
    pub(super) servers: Vec<String>,
    pub(super) tools: Tools,
    /// The names of the skills that it was given; `None` where it is to use none at all.
    pub(super) skills: Option<Vec<String>>,
}

fn connected(began: &Began, servers: &[String]) -> Result<(), DriveError> {
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
    Ok(())
}

/// Whether it has each skill that it was given, and the tool without which its model has none.
fn skilled(began: &Began, skills: Option<&[String]>) -> Result<(), DriveError> {
    let Some(skills) = skills else {
        return Ok(());
    };
    if let Some(skill) = skills.iter().find(|name| !began.skills.contains(name)) {
        return Err(otherwise(&format!(
            "it does not have the skill `{skill}`, which it was given"
        )));
    }
    match offers(began, SKILL_TOOL) {
        true => Ok(()),
        false => Err(otherwise(&format!(
            "it does not offer the tool `{SKILL_TOOL}`"
        ))),
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
