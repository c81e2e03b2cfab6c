//! Whatever answers tool calls in a world: a process, or functions of the task itself.

use super::origin::Origin;
use super::tools::ToolSet;
use crate::mcp::{CallResult, McpError, Server, ToolInfo};
use serde_json::Value;
use std::cell::{Cell, RefCell};
use std::rc::Rc;

/// A server of a world. Cloning it gives another handle to the same one.
#[derive(Debug, Clone)]
pub enum Served {
    /// An MCP server.
    Process(Rc<ServedProcess>),
    /// Functions in this process.
    Functions(Rc<ToolSet>),
}

/// An MCP server that can be stopped and started afresh under the same name.
#[derive(Debug)]
pub struct ServedProcess {
    pub(super) origin: Origin,
    /// The tools of its first start.
    tools: Vec<ToolInfo>,
    /// `None` while it is stopped.
    server: RefCell<Option<Rc<Server>>>,
    /// Lines between its messages that servers which have ended had written.
    noise: Cell<u64>,
}

impl ServedProcess {
    pub(super) async fn start(origin: Origin, rollout: &str) -> Result<Self, McpError> {
        let server = origin.begin(rollout).await?;
        Ok(Self {
            origin,
            tools: server.tools().to_vec(),
            server: RefCell::new(Some(Rc::new(server))),
            noise: Cell::new(0),
        })
    }

    /// Stops it, and comes back when nothing of it runs.
    pub(super) async fn stop(&self) {
        let Some(server) = self.server.take() else {
            return;
        };
        self.noise.set(self.noise.get() + server.noise().count);
        if let Ok(server) = Rc::try_unwrap(server) {
            server.stop().await;
        }
    }

    /// Starts it again.
    pub(super) async fn start_again(&self, rollout: &str) -> Result<(), McpError> {
        let server = self.origin.begin(rollout).await?;
        self.server.replace(Some(Rc::new(server)));
        Ok(())
    }

    /// How many lines on its standard output were no messages, over all its starts.
    pub(super) fn noise(&self) -> u64 {
        let running = self.server.borrow();
        let now = running.as_ref().map_or(0, |server| server.noise().count);
        self.noise.get() + now
    }

    async fn call(&self, tool: &str, args: Value) -> Result<CallResult, McpError> {
        let server = self.server.borrow().clone();
        match server {
            Some(server) => server.call(tool, args).await,
            None => Err(McpError::Lost {
                server: self.origin.name().to_owned(),
                detail: "it is stopped while the agent has servers of its own".to_owned(),
                stderr: String::new(),
            }),
        }
    }
}

impl Served {
    /// Its name: the left part of `server.tool`.
    #[must_use]
    pub fn name(&self) -> &str {
        match self {
            Self::Process(server) => server.origin.name(),
            Self::Functions(set) => &set.name,
        }
    }

    /// Its tools.
    #[must_use]
    pub fn tools(&self) -> &[ToolInfo] {
        match self {
            Self::Process(server) => &server.tools,
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
