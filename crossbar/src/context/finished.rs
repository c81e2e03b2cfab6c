//! What a rollout left behind, before anything is judged.

use crate::domain::{
    BudgetError, CheckOutcome, Evidence, InfrastructureEvidence, StageTime, Trajectory,
};
use crate::env::EnvError;
use crate::harness::DriveError;

/// How far a rollout came.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Phase {
    /// The agent has not begun.
    Arrange,
    /// The agent is at work, or was cut off.
    Act,
    /// The agent has ended.
    Assert,
}

/// What stopped a rollout without being the agent's doing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Trouble {
    /// The machine, with the evidence.
    Infrastructure {
        /// What it rests on.
        evidence: InfrastructureEvidence,
        /// What was seen.
        message: String,
    },
    /// The money.
    Budget(BudgetError),
    /// The task's own arrangement.
    Fixture(String),
}

impl From<&EnvError> for Trouble {
    fn from(error: &EnvError) -> Self {
        match error.evidence() {
            Some(evidence) => Self::Infrastructure {
                evidence,
                message: error.to_string(),
            },
            None => Self::Fixture(error.to_string()),
        }
    }
}

impl From<DriveError> for Trouble {
    fn from(error: DriveError) -> Self {
        match error {
            DriveError::Infrastructure { evidence, message } => {
                Self::Infrastructure { evidence, message }
            }
            DriveError::Budget(error) => Self::Budget(error),
            DriveError::Unfit(message) => Self::Fixture(message),
        }
    }
}

/// What a rollout left behind.
#[derive(Debug)]
pub struct Finished {
    /// How far it came.
    pub phase: Phase,
    /// What the agent did.
    pub trajectory: Trajectory,
    /// What the task function asserted.
    pub checks: Vec<CheckOutcome>,
    /// What was observed after the agent ended.
    pub evidence: Evidence,
    /// The first thing that went wrong with the machine, the money or the fixture.
    pub trouble: Option<Trouble>,
    /// Whether the agent was offered any tool.
    pub tools_offered: bool,
    /// Milliseconds of the agent's own time.
    pub worked_ms: u64,
    /// The stages so far.
    pub stages: Vec<StageTime>,
}
