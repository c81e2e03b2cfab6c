//! Whatever answers tool calls in a world: a process, or functions of the task itself.

use super::tools::ToolSet;
use crate::mcp::{CallResult, McpError, Server, ToolInfo};
use serde_json::Value;
use std::rc::Rc;

/// A server of a world. Cloning it gives another handle to the same one.
#[derive(Debug, Clone)]
pub enum Served {
    /// An MCP server.
    Process(Rc<Server>),
    /// Functions in this process.
    Functions(Rc<ToolSet>),
}

impl Served {
    /// Its name: the left part of `server.tool`.
    #[must_use]
    pub fn name(&self) -> &str {
        match self {
            Self::Process(server) => server.name(),
            Self::Functions(set) => &set.name,
        }
    }

    /// Its tools.
    #[must_use]
    pub fn tools(&self) -> &[ToolInfo] {
        match self {
            Self::Process(server) => server.tools(),
            Self::Functions(set) => &set.infos,
        }
    }

    /// Calls a tool; a tool's own failure is a result that says so.
    ///
    /// # Errors
    /// `McpError` when the server is gone or silent.
    pub async fn call(&self, tool: &str, args: Value) -> Result<CallResult, McpError> {
        match self {
            Self::Process(server) => server.call(tool, args).await,
            Self::Functions(set) => Ok(set.call(tool, args).await),
        }
    }
}
