//! A server from its start to its end.

use super::error::McpError;
use super::inbox::End;
use super::link::{Link, Started};
use super::message::RpcError;
use super::noise::Noise;
#[cfg(feature = "mcp-http")]
use super::remote::{Remote, RemoteSpec};
use super::reply::CallResult;
use super::session::Session;
use super::tool::{ToolInfo, page};
use crate::process::{CommandSpec, Exit, Grace, spawn};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::time::{Duration, Instant};
use tokio::time::timeout;

/// The newest revision of the protocol that begins with `initialize`. Servers answer with their
/// own; all that we use is the same in every revision since 2024-11-05.
const PROTOCOL: &str = "2025-11-25";

/// JSON-RPC's code for a method that is not there.
const METHOD_NOT_FOUND: i64 = -32601;

/// How to start a server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServerSpec {
    /// What messages call it.
    pub name: String,
    /// The program.
    pub command: String,
    /// Its arguments.
    pub args: Vec<String>,
    /// Variables on top of PATH, HOME and the like.
    pub env: BTreeMap<String, String>,
    /// Where it runs; ours when `None`.
    pub cwd: Option<PathBuf>,
    /// How long it may take from its start to its list of tools.
    pub start_timeout: Duration,
    /// How patiently it is stopped.
    pub grace: Grace,
}

impl ServerSpec {
    /// A spec with no arguments, no variables, 60 s to start (package runners download first) and
    /// the default grace.
    #[must_use]
    pub fn new(name: &str, command: &str) -> Self {
        Self {
            name: name.to_owned(),
            command: command.to_owned(),
            args: Vec::new(),
            env: BTreeMap::new(),
            cwd: None,
            start_timeout: Duration::from_secs(60),
            grace: Grace::default(),
        }
    }
}

/// A server that runs and has told its tools. Dropping it kills its whole process tree, where it
/// was started here.
#[derive(Debug)]
pub struct Server {
    name: String,
    link: Link,
    tools: Vec<ToolInfo>,
    started_in: Duration,
}

impl Server {
    /// Starts a server for the rollout `rollout` and learns its tools. Runs on any tokio runtime
    /// with I/O and time.
    ///
    /// # Errors
    /// `McpError`; nothing of the server is left running then.
    pub async fn start(spec: &ServerSpec, rollout: &str) -> Result<Self, McpError> {
        let begun = Instant::now();
        let command = CommandSpec {
            program: spec.command.clone(),
            args: spec.args.clone(),
            env: spec.env.clone(),
            cwd: spec.cwd.clone(),
            rollout: rollout.to_owned(),
        };
        let mut child = spawn(&command).map_err(|source| McpError::Spawn {
            server: spec.name.clone(),
            source,
        })?;
        let session = Session::new(&mut child);
        let link = Link::Started(Started {
            session,
            child,
            grace: spec.grace,
        });
        Self::met(&spec.name, link, spec.start_timeout, begun).await
    }

    /// Reaches a server that somebody else runs, and learns its tools. Runs on any tokio runtime
    /// with I/O and time.
    ///
    /// # Errors
    /// `McpError`, which names the server with its scheme, host and port, and no header.
    #[cfg(feature = "mcp-http")]
    pub async fn connect(spec: &RemoteSpec) -> Result<Self, McpError> {
        let begun = Instant::now();
        let link = Link::Remote(Remote::new(spec)?);
        Self::met(&spec.name, link, spec.start_timeout, begun).await
    }

    /// Shakes hands within a limit.
    async fn met(
        name: &str,
        link: Link,
        limit: Duration,
        begun: Instant,
    ) -> Result<Self, McpError> {
        let mut server = Self {
            name: name.to_owned(),
            link,
            tools: Vec::new(),
            started_in: Duration::ZERO,
        };
        match timeout(limit, server.shake_hands()).await {
            Ok(tools) => server.tools = tools?,
            Err(_) => {
                return Err(McpError::StartTimeout {
                    server: server.name.clone(),
                    place: server.link.place(),
                    limit,
                    stderr: server.link.stderr(),
                });
            }
        }
        server.started_in = begun.elapsed();
        Ok(server)
    }

    /// What messages call it.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its tools at the start, all pages, in its own order.
    #[must_use]
    pub fn tools(&self) -> &[ToolInfo] {
        &self.tools
    }

    /// From the spawn to the list of tools.
    #[must_use]
    pub fn started_in(&self) -> Duration {
        self.started_in
    }

    /// What it printed between its messages so far.
    #[must_use]
    pub fn noise(&self) -> Noise {
        self.link.noise()
    }

    /// Calls a tool with an object of arguments. Waits as long as the server lives; the caller
    /// sets the time limit, and may drop the future at any point.
    ///
    /// # Errors
    /// `McpError::Died` or `McpError::Lost` as soon as no answer can come. A tool's failure and a
    /// protocol error are results.
    pub async fn call(&self, tool: &str, args: Value) -> Result<CallResult, McpError> {
        let params = json!({"name": tool, "arguments": args});
        match self.link.request("tools/call", params).await {
            Ok(reply) => Ok(CallResult::new(reply)),
            Err(end) => Err(self.ended(end)),
        }
    }

    /// Ends it. One that was started here has its standard input closed, then gets SIGTERM, then
    /// SIGKILL, as the spec's grace says; when this returns, nothing of its process tree runs. At an
    /// address only the session is ended: the server goes on, and its exit is `Unseen`.
    pub async fn stop(self) -> Exit {
        self.link.stop().await
    }

    async fn shake_hands(&mut self) -> Result<Vec<ToolInfo>, McpError> {
        let hello = json!({
            "protocolVersion": PROTOCOL,
            "capabilities": {},
            "clientInfo": {"name": "crossbar", "version": env!("CARGO_PKG_VERSION")},
        });
        match self.link.request("initialize", hello).await {
            Ok(Ok(initialized)) => {
                let begun = self.link.begun(&initialized).await;
                begun.map_err(|end| self.ended(end))?;
            }
            Ok(Err(error)) => return Err(self.refused(&format!("initialize: {}", told(&error)))),
            Err(end) => return Err(self.ended(end)),
        }
        self.list_tools().await
    }

    async fn list_tools(&self) -> Result<Vec<ToolInfo>, McpError> {
        let mut tools = Vec::new();
        let mut cursors = BTreeSet::new();
        let mut params = json!({});
        loop {
            let result = match self.link.request("tools/list", params).await {
                Ok(Ok(result)) => result,
                // A server may have prompts or resources alone.
                Ok(Err(error)) if error.code == Some(METHOD_NOT_FOUND) => return Ok(tools),
                Ok(Err(error)) => {
                    return Err(self.refused(&format!("tools/list: {}", told(&error))));
                }
                Err(end) => return Err(self.ended(end)),
            };
            let (listed, next) = page(result).map_err(|detail| self.refused(&detail))?;
            tools.extend(listed);
            let Some(cursor) = next else {
                return Ok(tools);
            };
            params = json!({"cursor": cursor});
            if !cursors.insert(cursor) {
                return Err(self.refused("tools/list gives the same nextCursor twice"));
            }
        }
    }

    fn refused(&self, detail: &str) -> McpError {
        McpError::Refused {
            server: self.name.clone(),
            detail: self.link.place() + detail,
            stderr: self.link.stderr(),
        }
    }

    fn ended(&self, end: End) -> McpError {
        let (server, stderr) = (self.name.clone(), self.link.stderr());
        match end {
            End::Died(exit) => McpError::Died {
                server,
                exit,
                stderr,
            },
            End::Lost(detail) => McpError::Lost {
                server,
                detail,
                stderr,
            },
        }
    }
}

fn told(error: &RpcError) -> String {
    match error.code {
        Some(code) => format!("error {code}: {}", error.message),
        None => format!("error: {}", error.message),
    }
}
