//! Ceilings of one rollout: which of them is reached, given what is used.

use crate::domain::{LimitKind, Limits, Trajectory};
use std::time::Duration;

/// The ceiling that forbids another model call.
pub(super) fn before_a_call(
    limits: &Limits,
    trajectory: &Trajectory,
    worked: Duration,
) -> Option<LimitKind> {
    if is_late(limits, worked) {
        return Some(LimitKind::Seconds);
    }
    if trajectory.steps.len() as u64 >= u64::from(limits.max_steps) {
        return Some(LimitKind::Steps);
    }
    limits
        .budget_tokens
        .is_some_and(|budget| known_tokens(trajectory) >= budget)
        .then_some(LimitKind::Tokens)
}

/// The ceiling that the last reply has passed.
pub(super) fn after_a_reply(limits: &Limits, trajectory: &Trajectory) -> Option<LimitKind> {
    limits
        .budget_tokens
        .is_some_and(|budget| known_tokens(trajectory) > budget)
        .then_some(LimitKind::Tokens)
}

/// Whether the time is used up.
pub(super) fn is_late(limits: &Limits, worked: Duration) -> bool {
    worked.as_secs_f64() >= limits.timeout_s
}

/// Tokens that count, of the steps that know theirs: a lower bound where some don't.
fn known_tokens(trajectory: &Trajectory) -> u64 {
    trajectory
        .steps
        .iter()
        .filter_map(|step| step.usage)
        .fold(0, |sum, usage| sum.saturating_add(usage.budgeted()))
}
