//! The rules by which a run of Gemini CLI is understood: from what it wrote, what the gateway saw
//! and how its process ended, in this order.

use super::event::Ended;
use crate::domain::{
    Ending, Exchange, ExchangeEnd, InfrastructureEvidence, LimitKind, ProgramEnd, ProgramEnded,
};
use crate::harness::DriveError;
use crate::harness::program::ending::{
    answered, did_not_start_as_told, how, infrastructure, never_began, provider, without_result,
};
use crate::harness::program::tools::Tools;
use crate::harness::programs::GEMINI;

/// Its own sign that it has had all its turns.
const OUT_OF_TURNS: &str = "FatalTurnLimitedError";

/// Whether it runs as it was meant to: its first request offers the task's tools, and none of its
/// own. Its output says nothing of it.
///
/// # Errors
/// `DriveError::Infrastructure` names the server that it goes on without, or what else differs.
pub(super) fn as_intended(
    offered: &[String],
    servers: &[String],
    tools: &Tools,
) -> Result<(), DriveError> {
    let is_offered = |name: &str| offered.iter().any(|one| one == name);
    for server in servers {
        let mut names = tools.names_of(server).peekable();
        if names.peek().is_some() && !names.any(is_offered) {
            return Err(infrastructure(
                InfrastructureEvidence::ServerStart,
                format!(
                    "server `{server}` did not start for Gemini CLI, which would go on without it"
                ),
            ));
        }
    }
    if let Some(name) = tools.names().find(|name| !is_offered(name)) {
        return Err(otherwise(&format!("it does not offer the tool `{name}`")));
    }
    match offered.iter().find(|name| !tools.has(name)) {
        Some(name) => Err(otherwise(&format!(
            "it offers the tool `{name}`, which the task has not"
        ))),
        None => Ok(()),
    }
}

fn otherwise(what: &str) -> DriveError {
    did_not_start_as_told(&GEMINI, what)
}

/// What is known once the program has ended by itself.
pub(super) struct Facts<'a> {
    pub(super) has_begun: bool,
    pub(super) ended: Option<&'a Ended>,
    /// The last that it complained of.
    pub(super) complaint: Option<&'a str>,
    pub(super) process: &'a ProgramEnded,
    pub(super) exchanges: &'a [Exchange],
}

/// How it ended.
///
/// # Errors
/// `DriveError` for all that is not the agent's own doing.
pub(super) fn judge(facts: &Facts<'_>) -> Result<Ending, DriveError> {
    if !facts.has_begun {
        return Err(never_began(&GEMINI, facts.process));
    }
    let Some(ended) = facts.ended else {
        return unfinished(facts.process);
    };
    if ended.is_success {
        return answered(&GEMINI, facts.exchanges);
    }
    if ended.kind.as_deref() == Some(OUT_OF_TURNS) {
        return Ok(Ending::Limit {
            limit: LimitKind::Steps,
        });
    }
    let why = ended.message.as_deref().or(facts.complaint);
    let why = why.unwrap_or("without a reason");
    match facts.exchanges.last().map(|last| last.end) {
        // Its model had answered: what failed is the program's own, or what the model said.
        Some(ExchangeEnd::Complete) => Ok(Ending::Crashed {
            message: format!("Gemini CLI ended with an error: {why}"),
        }),
        _ => Err(provider(format!("Gemini CLI gave up on its model: {why}"))),
    }
}

/// The ending of a run without a result. It takes signals from outside itself (SIGHUP, SIGINT,
/// SIGTERM), and ends with the code of a success then.
fn unfinished(process: &ProgramEnded) -> Result<Ending, DriveError> {
    match process.end {
        ProgramEnd::Code(0) => Err(infrastructure(
            InfrastructureEvidence::AgentKilled,
            format!(
                "Gemini CLI was told by a signal to end, and did so without a result{}",
                how(process)
            ),
        )),
        _ => without_result(&GEMINI, process),
    }
}
