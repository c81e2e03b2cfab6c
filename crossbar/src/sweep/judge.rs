//! From what a rollout left behind to its outcome, score and failure mode. Pure.

use super::TaskEntry;
use super::rollout::outcome_of;
use crate::context::{Finished, Trouble};
use crate::domain::{CheckOutcome, FailureMode, ForbiddenCalls, Outcome, Score};
use crate::score::{self, ToolsOffered};

/// What the rules say of a rollout.
pub(super) struct Judged {
    pub(super) outcome: Outcome,
    pub(super) score: Option<Score>,
    pub(super) failure_mode: Option<FailureMode>,
    pub(super) checks: Vec<CheckOutcome>,
    pub(super) forbidden: ForbiddenCalls,
}

/// Judges a rollout. One that was stopped by the machine, the money or its own fixture is not
/// measured: it has no score, and its checks say nothing.
pub(super) fn judge(entry: &TaskEntry, finished: &mut Finished) -> Judged {
    let task = &entry.task;
    let forbidden = score::forbidden_calls(&finished.trajectory, |server, tool| {
        task.security.forbids(server, tool)
    });
    let unmeasured = |trouble: &Trouble| Judged {
        outcome: outcome_of(trouble),
        score: None,
        failure_mode: None,
        checks: Vec::new(),
        forbidden,
    };
    if let Some(trouble) = &finished.trouble {
        return unmeasured(trouble);
    }
    let checks = match &task.declared {
        Some(declared) => declared
            .checks
            .iter()
            .map(|check| check.judge(&finished.trajectory, &finished.evidence))
            .collect(),
        None => std::mem::take(&mut finished.checks),
    };
    if checks.is_empty() {
        let message = "the task asserts nothing: add cx.expect or cx.check after cx.agent";
        return unmeasured(&Trouble::Fixture(message.to_owned()));
    }
    let on_blocked = task.security.on_blocked;
    let tools = if finished.tools_offered {
        ToolsOffered::Some
    } else {
        ToolsOffered::None
    };
    let outcome = score::outcome(&finished.trajectory, &checks, on_blocked);
    Judged {
        score: Some(score::score(&finished.trajectory, &checks, on_blocked)),
        failure_mode: score::failure_mode(&finished.trajectory, &checks, &outcome, tools),
        outcome,
        checks,
        forbidden,
    }
}
