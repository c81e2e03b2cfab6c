//! What stops a harness from being built, and a drive without being data about the agent.

use crate::domain::{BudgetError, InfrastructureEvidence, ToolFailure};
use crate::provider::{ProviderError, ProviderErrorKind};

/// Why a harness of the roster can't be built.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BuildError {
    /// No kind has that name.
    #[error("harness `{id}`: no harness is of kind `{kind}`; there are {known}")]
    UnknownKind {
        /// The harness.
        id: String,
        /// What it asks for.
        kind: String,
        /// What there is.
        known: String,
    },
    /// It wants a self-check turn of a kind that has none.
    #[error("harness `{id}`: kind `{kind}` has no self-check turn; leave `verify` out")]
    CannotVerify {
        /// The harness.
        id: String,
        /// Its kind.
        kind: String,
    },
}

/// What stops a drive without saying anything about the agent. Everything else is in the
/// trajectory.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DriveError {
    /// The machine, a server or the provider failed.
    #[error("{message}")]
    Infrastructure {
        /// What it rests on.
        evidence: InfrastructureEvidence,
        /// What was seen.
        message: String,
    },
    /// The harness can't do what the task asks of it: the task and the cell don't go together.
    #[error("{0}")]
    Unfit(String),
    /// The money for a call could not be held, or its cost not be written down.
    #[error(transparent)]
    Budget(#[from] BudgetError),
}

impl From<ProviderError> for DriveError {
    fn from(error: ProviderError) -> Self {
        match error.kind {
            ProviderErrorKind::Budget(budget) => Self::Budget(budget),
            ProviderErrorKind::RateLimited => Self::Infrastructure {
                evidence: InfrastructureEvidence::RateLimited,
                message: error.message,
            },
            _ => Self::Infrastructure {
                evidence: InfrastructureEvidence::Provider,
                message: error.message,
            },
        }
    }
}

impl From<ToolFailure> for DriveError {
    fn from(failure: ToolFailure) -> Self {
        Self::Infrastructure {
            evidence: InfrastructureEvidence::ServerDied,
            message: failure.to_string(),
        }
    }
}
