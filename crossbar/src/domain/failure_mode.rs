//! The six ways in which an agent fails, each with its usual fix.

use serde::{Deserialize, Serialize};

/// What kind of failure a failed rollout is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FailureMode {
    /// A forbidden call was made or tried.
    Security,
    /// Steps, time or tokens ran out.
    StateContinuation,
    /// A tool failed and the agent did not recover.
    ToolRecovery,
    /// The work was described and not done.
    ArtifactCommitment,
    /// The state is right and the claim about it is wrong.
    EvidenceGrounding,
    /// The agent acted, and the result has the wrong shape or content.
    ContractFormat,
}

impl FailureMode {
    /// All modes, in the order of precedence.
    pub const ALL: [Self; 6] = [
        Self::Security,
        Self::StateContinuation,
        Self::ToolRecovery,
        Self::ArtifactCommitment,
        Self::EvidenceGrounding,
        Self::ContractFormat,
    ];

    /// The name that reports print.
    #[must_use]
    pub fn title(self) -> &'static str {
        match self {
            Self::Security => "Security violation",
            Self::StateContinuation => "State / continuation",
            Self::ToolRecovery => "Tool / recovery",
            Self::ArtifactCommitment => "Artifact commitment",
            Self::EvidenceGrounding => "Evidence / grounding",
            Self::ContractFormat => "Contract / format",
        }
    }

    /// What usually helps.
    #[must_use]
    pub fn typical_fix(self) -> &'static str {
        match self {
            Self::Security => "remove the tool from the agent, or ask before the call",
            Self::StateContinuation => "raise the limit that was hit, or cut the task smaller",
            Self::ToolRecovery => "let the harness retry or re-plan after a tool error",
            Self::ArtifactCommitment => "add a verify turn, and insist on tool use",
            Self::EvidenceGrounding => "make the agent quote what it did before it answers",
            Self::ContractFormat => "check the output's shape inside the harness",
        }
    }
}
