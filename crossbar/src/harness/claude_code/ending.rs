//! The rules by which a run of Claude Code is understood: from what it wrote, what the gateway saw
//! and how its process ended, in this order.

use super::super::programs::CLAUDE_CODE;
use super::event::{Began, Ended};
use super::tools::Tools;
use crate::domain::{
    Ending, Exchange, ExchangeEnd, InfrastructureEvidence, LimitKind, ProgramEnd, ProgramEnded,
};
use crate::harness::DriveError;

/// How much of a standard error a message has, in characters.
const SHOWN: usize = 600;

/// Signals by which a machine ends a program (SIGHUP, SIGINT, SIGKILL, SIGTERM), and which shells
/// and programs add to 128 as their exit code.
const FROM_OUTSIDE: [i32; 4] = [1, 2, 9, 15];

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
    infrastructure(
        InfrastructureEvidence::AgentStart,
        format!(
            "Claude Code did not start as it was told: {what} (crossbar is tested with {})",
            CLAUDE_CODE.version
        ),
    )
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
        return Err(infrastructure(
            InfrastructureEvidence::AgentStart,
            format!("Claude Code never began{}", how(facts.process)),
        ));
    }
    let Some(ended) = facts.ended else {
        return without_result(facts.process);
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
    match facts.exchanges.last().map(|last| last.end) {
        None => Err(provider(
            "Claude Code reports success, and has never asked its model".to_owned(),
        )),
        Some(ExchangeEnd::Complete) => Ok(Ending::Answered),
        Some(_) => Err(provider(
            "Claude Code reports success, and the last answer of its model did not come whole"
                .to_owned(),
        )),
    }
}

fn without_result(process: &ProgramEnded) -> Result<Ending, DriveError> {
    let signal = match process.end {
        ProgramEnd::Signal(signal) => Some(signal),
        ProgramEnd::Code(code) => Some(code - 128).filter(|signal| FROM_OUTSIDE.contains(signal)),
        ProgramEnd::Unseen => None,
    };
    let message = format!("Claude Code ended without a result{}", how(process));
    match signal {
        Some(signal) if FROM_OUTSIDE.contains(&signal) => {
            Err(infrastructure(InfrastructureEvidence::AgentKilled, message))
        }
        _ => Ok(Ending::Crashed { message }),
    }
}

/// The end of a process in words, with what it wrote to its standard error.
fn how(process: &ProgramEnded) -> String {
    let stderr = process.stderr.trim();
    let from = stderr
        .char_indices()
        .rev()
        .nth(SHOWN)
        .map_or(0, |(at, _)| at);
    let stderr = match &stderr[from..] {
        "" => String::new(),
        text => format!("; its standard error ends: {text}"),
    };
    format!(" ({}){stderr}", words(process.end))
}

/// The end of a process in words.
pub(super) fn words(end: ProgramEnd) -> String {
    match end {
        ProgramEnd::Code(code) => format!("exit code {code}"),
        ProgramEnd::Signal(signal) => format!("signal {signal}"),
        ProgramEnd::Unseen => "unknown exit status".to_owned(),
    }
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

fn provider(message: String) -> DriveError {
    infrastructure(InfrastructureEvidence::Provider, message)
}

fn infrastructure(evidence: InfrastructureEvidence, message: String) -> DriveError {
    DriveError::Infrastructure { evidence, message }
}
