//! The rules by which a run of Qwen Code is understood: from what the gateway saw, what it wrote and
//! how its process ended.

use crate::domain::{Ending, ExchangeEnd, LimitKind, ProgramEnd};
use crate::harness::DriveError;
use crate::harness::program::ending::{answered, never_began, provider, without_result};
use crate::harness::program::stream_json::Facts;
use crate::harness::programs::QWEN;

/// How it ends when its turns are used up.
const TURNS: ProgramEnd = ProgramEnd::Code(53);

/// How it ended. Of its model it says nothing but good: an error is told as an answer, under success.
///
/// # Errors
/// `DriveError` for all that is not the agent's own doing.
pub(super) fn judge(facts: &Facts<'_>) -> Result<Ending, DriveError> {
    if !facts.has_begun {
        return Err(never_began(&QWEN, facts.process));
    }
    let Some(ended) = facts.ended else {
        return match facts.process.end {
            TURNS => Ok(Ending::Limit {
                limit: LimitKind::Steps,
            }),
            _ => without_result(&QWEN, facts.process),
        };
    };
    let said = ended.text.clone();
    let said = said.unwrap_or_else(|| ended.errors.join("; "));
    let last = facts.exchanges.last().map(|last| last.end);
    if last.is_some_and(|end| end != ExchangeEnd::Complete) {
        return Err(provider(format!("Qwen Code gave up on its model: {said}")));
    }
    if ended.is_error || ended.subtype != "success" {
        return Ok(Ending::Crashed {
            message: format!("Qwen Code ended with an error: {said}"),
        });
    }
    answered(&QWEN, facts.exchanges)
}
