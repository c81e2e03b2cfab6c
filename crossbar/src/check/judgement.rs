//! What a check is to the rooms above: the evidence that it asks for, and its judgement.

use crate::domain::{Evidence, Probe, Trajectory};
use std::fmt;

/// A deterministic assertion about one rollout.
pub trait Check: fmt::Debug + Send + Sync {
    /// What must be observed once after the agent ended. Empty for a check that reads only the
    /// trajectory.
    fn probes(&self) -> Vec<Probe> {
        Vec::new()
    }

    /// Judges a rollout. The same trajectory and evidence always give the same judgement; evidence
    /// that is absent is a failed check, never a skipped one.
    fn judge(&self, trajectory: &Trajectory, evidence: &Evidence) -> Judgement;
}

/// What a check says about a rollout.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Judgement {
    /// Whether it holds.
    pub passed: bool,
    /// Where it does not hold, for a person; `None` when it holds.
    pub message: Option<String>,
}

impl Judgement {
    /// The check holds.
    #[must_use]
    pub fn pass() -> Self {
        Self {
            passed: true,
            message: None,
        }
    }

    /// The check does not hold, and why.
    #[must_use]
    pub fn fail(message: impl Into<String>) -> Self {
        Self {
            passed: false,
            message: Some(message.into()),
        }
    }
}
