//! Errors that a server tells as ordinary text: `error_pattern` says how they look.
//!
//! What the agent was shown stays as the server sent it; only the record, and so the checks, call it
//! an error. That way it is the same for every harness, also for a program that asks the server
//! itself.

use crate::context::Finished;
use crate::domain::{CallOutcome, Observation, Probe};
use crate::task::ServerSpec;
use regex::Regex;
use serde_json::Value;

/// Makes errors of the answers that match the pattern of their server, in the trajectory and in what
/// was observed afterwards.
pub(super) fn are_errors(finished: &mut Finished, servers: &[ServerSpec]) {
    for server in servers {
        let written = server.error_pattern.as_deref();
        let Some(pattern) = written.and_then(|text| Regex::new(text).ok()) else {
            continue;
        };
        let calls = finished.trajectory.steps.iter_mut();
        let calls = calls.flat_map(|step| &mut step.calls);
        for call in calls.filter(|call| call.server == server.name) {
            if let CallOutcome::Result { text, .. } = &call.outcome
                && pattern.is_match(text)
            {
                call.outcome = CallOutcome::Error {
                    text: text.clone(),
                    protocol: false,
                };
            }
        }
        let seen = finished.evidence.0.iter_mut();
        for one in seen.filter(|one| is_of(&one.probe, &server.name)) {
            if let Observation::Value(Value::String(text)) = &one.observation
                && pattern.is_match(text)
            {
                one.observation = Observation::Failed(text.clone());
            }
        }
    }
}

fn is_of(probe: &Probe, name: &str) -> bool {
    matches!(probe, Probe::CallTool { server, .. } if server == name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{Arguments, Evidence, Observed, Step, StepKind, ToolCall, Trajectory};
    use serde_json::json;

    fn result(server: &str, text: &str) -> ToolCall {
        ToolCall {
            id: String::new(),
            server: server.to_owned(),
            tool: "query".to_owned(),
            arguments: Arguments::Json(json!({})),
            outcome: CallOutcome::Result {
                text: text.to_owned(),
                structured: None,
            },
            at_ms: 0,
            took_ms: 0,
        }
    }

    fn seen(server: &str, text: &str) -> Observed {
        Observed {
            probe: Probe::CallTool {
                server: server.to_owned(),
                tool: "query".to_owned(),
                args: json!({}),
            },
            observation: Observation::Value(json!(text)),
        }
    }

    #[test]
    fn an_answer_with_a_match_is_an_error_of_its_own_server_alone() {
        let mut spec = ServerSpec::new("db", "x", Vec::new());
        spec.error_pattern = Some("^Database error".to_owned());
        let step = Step {
            index: 1,
            kind: StepKind::Work,
            text: String::new(),
            calls: vec![
                result("db", "Database error: no such table"),
                result("db", "a row about a Database error"),
                result("other", "Database error: not mine"),
            ],
            usage: None,
            cost: None,
            answered_model: None,
            cut_short: None,
            retries: 0,
            at_ms: 0,
            took_ms: 0,
        };
        let mut finished = Finished {
            trajectory: Trajectory {
                steps: vec![step],
                ..Trajectory::default()
            },
            evidence: Evidence(vec![
                seen("db", "Database error: x"),
                seen("other", "Database error"),
            ]),
            ..crate::sweep::rollout::never_began(crate::context::Trouble::Fixture(String::new()))
        };
        are_errors(
            &mut finished,
            &[ServerSpec::new("none", "x", Vec::new()), spec],
        );
        let is_error = |call: &ToolCall| {
            matches!(
                call.outcome,
                CallOutcome::Error {
                    protocol: false,
                    ..
                }
            )
        };
        let calls = &finished.trajectory.steps[0].calls;
        assert_eq!(
            calls.iter().map(is_error).collect::<Vec<_>>(),
            [true, false, false]
        );
        let failed = |one: &Observed| matches!(one.observation, Observation::Failed(_));
        assert_eq!(
            finished.evidence.0.iter().map(failed).collect::<Vec<_>>(),
            [true, false]
        );
    }
}
