//! Where a server of a world comes from: it is started for this world alone, or somebody else runs
//! it for everybody.

#[cfg(feature = "mcp-http")]
use crate::mcp::RemoteSpec;
use crate::mcp::{McpError, Server, ServerSpec};

/// How a server is begun, and begun again.
#[derive(Debug, Clone)]
pub(super) enum Origin {
    /// A process of this rollout.
    Program(ServerSpec),
    /// An address. Its state is whatever others and earlier rollouts have made of it.
    #[cfg(feature = "mcp-http")]
    Address(RemoteSpec),
    /// An address, which this build can't reach.
    #[cfg(not(feature = "mcp-http"))]
    Address(String),
}

impl Origin {
    /// What messages call it.
    pub(super) fn name(&self) -> &str {
        match self {
            Self::Program(spec) => &spec.name,
            #[cfg(feature = "mcp-http")]
            Self::Address(spec) => &spec.name,
            #[cfg(not(feature = "mcp-http"))]
            Self::Address(name) => name,
        }
    }

    /// Starts it for this rollout, or begins a session with it.
    pub(super) async fn begin(&self, rollout: &str) -> Result<Server, McpError> {
        match self {
            Self::Program(spec) => Server::start(spec, rollout).await,
            #[cfg(feature = "mcp-http")]
            Self::Address(spec) => Server::connect(spec).await,
            #[cfg(not(feature = "mcp-http"))]
            Self::Address(name) => Err(McpError::Refused {
                server: name.clone(),
                detail: "it is at an address: build with the feature `mcp-http`".to_owned(),
                stderr: String::new(),
            }),
        }
    }
}
