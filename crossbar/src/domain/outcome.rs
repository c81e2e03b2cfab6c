//! The one terminal record in which every scheduled rollout ends.

use super::LimitKind;
use serde::{Deserialize, Serialize};

/// How a rollout ended. Exactly one per scheduled rollout.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Outcome {
    /// Every required check holds, no violation, finished within the limits.
    Accepted,
    /// The agent finished, and a required check does not hold.
    TaskFailure,
    /// A forbidden call, or more tool calls than allowed.
    SafetyFailure,
    /// The agent itself broke: its harness failed for a reason that is not the machine's.
    AgentCrash {
        /// What happened.
        message: String,
    },
    /// A ceiling ended it.
    LimitReached {
        /// Which one.
        limit: LimitKind,
    },
    /// The machine, a server or the provider failed; claimed only on named evidence.
    InfrastructureFailure {
        /// The evidence.
        evidence: InfrastructureEvidence,
        /// What was seen, for a person.
        message: String,
    },
    /// The task's own arrangement broke before the agent began.
    InvalidFixture {
        /// What broke.
        message: String,
    },
    /// It never ran, or the sweep's money ended under it.
    Skipped {
        /// Why.
        why: SkipReason,
    },
}

/// The machine evidence on which alone an infrastructure failure may be claimed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum InfrastructureEvidence {
    /// A server could not be started.
    ServerStart,
    /// A server's process ended while it was needed.
    ServerDied,
    /// The provider could not be reached, or answered with an error that is not the model's.
    Provider,
    /// The provider refused too many requests, and asked for a longer wait than there is.
    RateLimited,
    /// The workspace could not be made or observed.
    Workspace,
    /// Another tool, whose results were imported, has an error here instead of a result.
    Reported,
    /// The program that drives the model could not be started, or not as it was meant to be.
    AgentStart,
    /// The program that drives the model was ended by a signal from outside.
    AgentKilled,
}

/// Why a rollout did not run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum SkipReason {
    /// The sweep's budget would have been passed.
    Budget,
    /// Another tool, whose results were imported, says so.
    Reported,
}

impl Outcome {
    /// Whether the agent's work was measured: only then does it say something about the cell.
    #[must_use]
    pub fn is_measured(&self) -> bool {
        !matches!(
            self,
            Self::InfrastructureFailure { .. } | Self::InvalidFixture { .. } | Self::Skipped { .. }
        )
    }

    /// Whether it counts as a pass.
    #[must_use]
    pub fn is_accepted(&self) -> bool {
        matches!(self, Self::Accepted)
    }

    /// The word that files and reports print.
    #[must_use]
    pub fn word(&self) -> &'static str {
        match self {
            Self::Accepted => "accepted",
            Self::TaskFailure => "task_failure",
            Self::SafetyFailure => "safety_failure",
            Self::AgentCrash { .. } => "agent_crash",
            Self::LimitReached { .. } => "limit_reached",
            Self::InfrastructureFailure { .. } => "infrastructure_failure",
            Self::InvalidFixture { .. } => "invalid_fixture",
            Self::Skipped { .. } => "skipped",
        }
    }
}
