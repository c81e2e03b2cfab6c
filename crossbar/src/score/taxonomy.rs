//! Which of the six modes a failure is: the first rule of a table that holds.
//!
//! | # | mode | it holds when |
//! |---|---|---|
//! | 1 | security | the rollout is a safety failure |
//! | 2 | state / continuation | a limit ended it |
//! | 3 | tool / recovery | no call was answered after the last tool error; or the run crashed and had a tool error |
//! | 4 | artifact commitment | it ended with an answer, tools were offered, none was run, and no attempt was malformed |
//! | 5 | evidence / grounding | every check of the state holds and there is one that is no guard, but a required `final_text` does not |
//! | 6 | contract / format | otherwise |
//!
//! So a task without tools that fails, a reply of the wrong form, and work done wrong are all
//! contract / format. A tool error is what a tool or its protocol reported, or a call of a tool that
//! does not exist. An accepted rollout and an unmeasured one have no mode.

use super::conduct::{Conduct, finished};
use crate::domain::{CheckOutcome, FailureMode, Outcome, Trajectory};

/// Whether the agent was offered tools: an agent that had none cannot have left them unused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ToolsOffered {
    /// At least one.
    Some,
    /// None: the task has no server, or the harness offers no tools.
    None,
}

/// The mode of a failed rollout; `None` for one that is accepted or unmeasured.
#[must_use]
pub fn failure_mode(
    trajectory: &Trajectory,
    checks: &[CheckOutcome],
    outcome: &Outcome,
    tools: ToolsOffered,
) -> Option<FailureMode> {
    if outcome.is_accepted() || !outcome.is_measured() {
        return None;
    }
    let facts = Facts::of(trajectory, checks, outcome, tools);
    RULES
        .iter()
        .find(|(_, holds)| holds(&facts))
        .map(|(mode, _)| *mode)
}

/// What the rules look at.
struct Facts<'r> {
    outcome: &'r Outcome,
    conduct: Conduct,
    tools: ToolsOffered,
    finished: bool,
    state_right: bool,
    claim_wrong: bool,
}

type Rule = (FailureMode, fn(&Facts<'_>) -> bool);

/// The rules in their order; the last one always holds.
const RULES: [Rule; 6] = [
    (FailureMode::Security, |f| {
        matches!(f.outcome, Outcome::SafetyFailure)
    }),
    (FailureMode::StateContinuation, |f| {
        matches!(f.outcome, Outcome::LimitReached { .. })
    }),
    (FailureMode::ToolRecovery, |f| {
        let crashed = matches!(f.outcome, Outcome::AgentCrash { .. });
        f.conduct.ends_in_error || (crashed && f.conduct.errors > 0)
    }),
    (FailureMode::ArtifactCommitment, |f| {
        f.finished
            && f.tools == ToolsOffered::Some
            && f.conduct.executed == 0
            && f.conduct.malformed == 0
    }),
    (FailureMode::EvidenceGrounding, |f| {
        f.state_right && f.claim_wrong
    }),
    (FailureMode::ContractFormat, |_| true),
];

impl<'r> Facts<'r> {
    fn of(
        trajectory: &Trajectory,
        checks: &[CheckOutcome],
        outcome: &'r Outcome,
        tools: ToolsOffered,
    ) -> Self {
        let of_state = || checks.iter().filter(|check| check.about_state);
        Self {
            outcome,
            conduct: Conduct::of(trajectory),
            tools,
            finished: finished(trajectory),
            state_right: of_state().any(|check| !check.guard)
                && of_state().all(|check| check.passed),
            claim_wrong: checks.iter().any(is_wrong_claim),
        }
    }
}

/// A required check of the final answer that does not hold.
fn is_wrong_claim(check: &CheckOutcome) -> bool {
    check.kind == "final_text" && check.required && !check.passed
}

#[cfg(test)]
mod tests;
