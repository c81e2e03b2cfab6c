//! Trajectories and check rows that the tests of this room are made with.

use crate::domain::{
    Arguments, CallOutcome, CheckOutcome, Ending, LimitKind, Step, StepKind, ToolCall, Trajectory,
};
use serde_json::json;

/// A check of weight 1, required, no guard; about the state if its kind is `mcp_state`.
pub(super) fn check(kind: &str, passed: bool) -> CheckOutcome {
    CheckOutcome {
        name: kind.into(),
        kind: kind.into(),
        passed,
        message: None,
        guard: false,
        weight: 1.0,
        required: true,
        about_state: kind == "mcp_state",
    }
}

/// A call of `tickets.get` with an outcome.
pub(super) fn call(outcome: CallOutcome) -> ToolCall {
    ToolCall {
        id: "c".into(),
        server: "tickets".into(),
        tool: "get".into(),
        arguments: Arguments::Json(json!({})),
        outcome,
        at_ms: 0,
        took_ms: 0,
    }
}

/// A step with calls.
pub(super) fn step(kind: StepKind, calls: Vec<ToolCall>) -> Step {
    Step {
        index: 1,
        kind,
        text: String::new(),
        calls,
        usage: None,
        cost: None,
        answered_model: None,
        cut_short: None,
        retries: 0,
        at_ms: 0,
        took_ms: 0,
    }
}

/// A trajectory of one step with these calls.
pub(super) fn trajectory(ending: Ending, calls: Vec<ToolCall>) -> Trajectory {
    Trajectory {
        steps: vec![step(StepKind::Work, calls)],
        ending: Some(ending),
        ..Trajectory::default()
    }
}

pub(super) fn limit() -> Ending {
    Ending::Limit {
        limit: LimitKind::Steps,
    }
}

pub(super) fn crashed() -> Ending {
    Ending::Crashed {
        message: "broke".into(),
    }
}

pub(super) fn ok() -> CallOutcome {
    CallOutcome::Result {
        text: "ok".into(),
        structured: None,
    }
}

pub(super) fn failed() -> CallOutcome {
    CallOutcome::Error {
        text: "no".into(),
        protocol: false,
    }
}

pub(super) fn malformed() -> CallOutcome {
    CallOutcome::Malformed { why: "no".into() }
}

pub(super) fn blocked() -> CallOutcome {
    CallOutcome::Blocked { rule: "r".into() }
}

pub(super) fn not_run() -> CallOutcome {
    CallOutcome::NotRun
}
