//! The rules by which a run of opencode is understood: from what it wrote, what the gateway saw and
//! how its process ended, in this order.

use crate::domain::{Ending, Exchange, ExchangeEnd, ProgramEnd, ProgramEnded};
use crate::harness::DriveError;
use crate::harness::program::ending::{
    answered, did_not_start_as_told, never_began, provider, without_result,
};
use crate::harness::programs::OPENCODE;

/// Why an answer is over after which it asks again.
const GOES_ON: &str = "tool-calls";

/// What is known once the program has ended by itself.
pub(super) struct Facts<'a> {
    /// Why its last answer was over, if one was.
    pub(super) finished: Option<&'a str>,
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
    let last = facts.exchanges.last().map(|last| last.end);
    match (facts.failed, last) {
        (Some(why), None) => Err(did_not_start_as_told(&OPENCODE, why)),
        // Its model had answered: what failed is the program's own.
        (Some(why), Some(ExchangeEnd::Complete)) => Ok(Ending::Crashed {
            message: format!("opencode ended with an error: {why}"),
        }),
        (Some(why), Some(_)) => Err(provider(format!("opencode gave up on its model: {why}"))),
        (None, None) => Err(never_began(&OPENCODE, facts.process)),
        (None, Some(_)) => without_error(facts),
    }
}

fn without_error(facts: &Facts<'_>) -> Result<Ending, DriveError> {
    let is_over = facts.finished.is_some_and(|reason| reason != GOES_ON);
    match is_over && facts.process.end == ProgramEnd::Code(0) {
        true => answered(&OPENCODE, facts.exchanges),
        false => without_result(&OPENCODE, facts.process),
    }
}
