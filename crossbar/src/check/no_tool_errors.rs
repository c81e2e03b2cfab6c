//! `no_tool_errors`: no tool call ended in an error.
//!
//! An error is what a tool or its protocol reported, and a call of a tool that does not exist. A
//! result that only talks of an error is none. Arguments that were no JSON object are the model's
//! fault of form and a blocked call is a violation: both are counted elsewhere, not here.

use super::matching::shorten;
use super::{Check, CheckKind, GuardByKind, Judgement};
use crate::domain::{CallOutcome, Evidence, ToolCall, Trajectory};

/// The row of the table.
pub(super) const KIND: CheckKind = CheckKind {
    name: "no_tool_errors",
    doc: "no tool call ended in an error",
    guard_by_kind: GuardByKind::Always,
    about_state: false,
    fields: &[],
    build: |_| Ok(Box::new(NoToolErrors)),
};

#[derive(Debug)]
struct NoToolErrors;

impl Check for NoToolErrors {
    fn judge(&self, trajectory: &Trajectory, _evidence: &Evidence) -> Judgement {
        let mut errors = trajectory.calls().filter_map(error);
        let Some(first) = errors.next() else {
            return Judgement::pass();
        };
        Judgement::fail(match errors.count() {
            0 => format!("1 tool error: {first}"),
            more => format!("{} tool errors, the first: {first}", more + 1),
        })
    }
}

/// What went wrong with a call, if it is a tool error.
fn error(call: &ToolCall) -> Option<String> {
    match &call.outcome {
        CallOutcome::Error { text, protocol } => Some(format!(
            "`{}` {}: {}",
            call.full_name(),
            if *protocol {
                "was refused by its server"
            } else {
                "failed"
            },
            shorten(text)
        )),
        CallOutcome::Unknown => Some(format!("there is no tool `{}`", call.tool)),
        CallOutcome::Result { .. }
        | CallOutcome::Blocked { .. }
        | CallOutcome::Malformed { .. }
        | CallOutcome::NotRun => None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::spec::tests::{call, trajectory};
    use super::*;

    fn judge(outcomes: Vec<CallOutcome>) -> Judgement {
        let calls = outcomes.into_iter().map(call).collect();
        NoToolErrors.judge(&trajectory(calls), &Evidence::default())
    }

    #[test]
    fn only_zero_errors_pass() {
        let ok = CallOutcome::Result {
            text: "error: looks like one".into(),
            structured: None,
        };
        let failed = |protocol| CallOutcome::Error {
            text: "no such ticket".into(),
            protocol,
        };
        assert!(judge(vec![]).passed);
        assert!(
            judge(vec![
                ok.clone(),
                CallOutcome::Malformed { why: String::new() }
            ])
            .passed
        );
        for error in [failed(false), failed(true), CallOutcome::Unknown] {
            assert!(!judge(vec![ok.clone(), error.clone(), ok.clone()]).passed);
        }
        assert_eq!(
            judge(vec![failed(false), failed(true)]).message.unwrap(),
            "2 tool errors, the first: `tickets.get` failed: no such ticket"
        );
    }
}
