//! Why a world could not be made or observed. None of it is the agent's fault.

use crate::domain::InfrastructureEvidence;
use crate::mcp::McpError;

/// A failure of the machine under a rollout.
#[derive(Debug, thiserror::Error)]
pub enum EnvError {
    /// The workspace could not be made.
    #[error("failed to make a workspace in the temporary folder: {0}")]
    Workspace(#[source] std::io::Error),
    /// A server could not be started.
    #[error(transparent)]
    Start(McpError),
    /// A server was lost while it was needed.
    #[error(transparent)]
    Lost(McpError),
    /// Two servers of one task have the same name.
    #[error("there is a server named `{0}` already: give each server of a task its own name")]
    SameName(String),
    /// A binary of the package was not found.
    #[error("{0}")]
    NoBinary(String),
    /// Two tools of one set have the same name.
    #[error("there are two tools named `{0}`: rename one")]
    SameTool(String),
    /// A probe names a server that the task has not.
    #[error("the task has no server named `{0}`")]
    NoServer(String),
    /// A probe names a tool that its server has not.
    #[error("a check asks for `{tool}`, which the server does not have (it has: {known})")]
    NoTool {
        /// `server.tool`.
        tool: String,
        /// What the server has.
        known: String,
    },
}

impl EnvError {
    /// The machine evidence for an infrastructure failure; `None` when the task itself is wrong.
    #[must_use]
    pub fn evidence(&self) -> Option<InfrastructureEvidence> {
        match self {
            Self::Workspace(_) => Some(InfrastructureEvidence::Workspace),
            Self::Start(_) => Some(InfrastructureEvidence::ServerStart),
            Self::Lost(_) => Some(InfrastructureEvidence::ServerDied),
            Self::SameName(_)
            | Self::SameTool(_)
            | Self::NoBinary(_)
            | Self::NoServer(_)
            | Self::NoTool { .. } => None,
        }
    }
}
