//! The rules by which a run of Claude Code is understood: from what it wrote, what the gateway saw
//! and how its process ended, in this order.

use crate::domain::{Ending, LimitKind};
use crate::harness::DriveError;
use crate::harness::program::ending::{answered, never_began, provider, without_result};
use crate::harness::program::stream_json::{Ended, Facts};
use crate::harness::programs::CLAUDE_CODE;

/// What it says where its model went on past the ceiling of an answer, each time that it asked.
const TOO_LONG: &str = "output token maximum";

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
    // The model had its say, and it was too long: no fault of the endpoint.
    let is_too_long = ended.api_status.is_none() && said.contains(TOO_LONG);
    if ended.is_error
        && !is_too_long
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
