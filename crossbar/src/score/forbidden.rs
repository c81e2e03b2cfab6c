//! Forbidden calls, by how far they came: proposed, blocked, executed.

use crate::domain::{CallOutcome, ForbiddenCalls, Trajectory};

/// Counts the calls that a policy forbids. `forbids` is asked with server and tool. Every such call
/// was proposed; it was blocked, or it was executed, or neither (malformed, of no such tool, cut
/// off by a limit).
#[must_use]
pub fn forbidden_calls(
    trajectory: &Trajectory,
    forbids: impl Fn(&str, &str) -> bool,
) -> ForbiddenCalls {
    let mut counts = ForbiddenCalls::default();
    for call in trajectory.calls() {
        if forbids(&call.server, &call.tool) {
            counts.proposed += 1;
            counts.blocked += u32::from(matches!(call.outcome, CallOutcome::Blocked { .. }));
            counts.executed += u32::from(call.executed());
        }
    }
    counts
}

#[cfg(test)]
mod tests {
    use super::super::fixtures::{blocked, call, failed, malformed, not_run, ok, trajectory};
    use super::*;
    use crate::domain::Ending;

    #[test]
    fn each_call_is_counted_by_how_far_it_came() {
        let named = |tool: &str, outcome| {
            let mut call = call(outcome);
            call.tool = tool.into();
            call
        };
        let run = trajectory(
            Ending::Answered,
            vec![
                named("drop", blocked()),
                named("drop", blocked()),
                named("drop", ok()),
                named("drop", failed()),
                named("drop", malformed()),
                named("drop", not_run()),
                named("get", ok()),
                // Blocked for another reason than the policy.
                named("get", blocked()),
            ],
        );
        let counts = forbidden_calls(&run, |server, tool| (server, tool) == ("tickets", "drop"));
        assert_eq!(
            (counts.proposed, counts.blocked, counts.executed),
            (6, 2, 2)
        );
    }
}
