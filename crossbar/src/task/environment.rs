//! What a task needs around it: its servers.

use serde::{Deserialize, Serialize};

/// Stands for the workspace's path in a server's command, arguments, environment and folder. The
/// path is known only when a rollout begins; the control characters cannot be in a task's text.
pub const WORKSPACE_MARK: &str = "\u{1}workspace\u{1}";

/// What must stand before the agent begins.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct EnvironmentSpec {
    /// The MCP servers, in the order in which they are started.
    pub servers: Vec<ServerSpec>,
}

impl EnvironmentSpec {
    /// The server of a name, if there is one.
    #[must_use]
    pub fn server(&self, name: &str) -> Option<&ServerSpec> {
        self.servers.iter().find(|server| server.name == name)
    }
}

/// An MCP server: a program that is started for each rollout, or an address.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ServerSpec {
    /// Its name: the left part of `server.tool`.
    pub name: String,
    /// The program; empty for a server at an address.
    pub command: String,
    /// Its arguments.
    pub args: Vec<String>,
    /// What it gets in its environment beyond the plain base, in the order in which it was written.
    pub env: Vec<(String, String)>,
    /// Its working folder; the rollout's workspace where none is named.
    pub cwd: Option<String>,
    /// Seconds that it may take to become ready; they are not the task's time.
    pub start_timeout_s: f64,
    /// Where it is, for one that somebody else runs. Left out of the canonical form where there is
    /// none, so that a task without one keeps its fingerprint.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub address: Option<Address>,
    /// A regular expression: an answer of a tool whose text has a match is an error, whatever the
    /// server calls it. Left out of the canonical form where there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error_pattern: Option<String>,
}

/// Where a server is that somebody else runs.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Address {
    /// An http or https URL.
    pub url: String,
    /// What every request carries, in the order in which it was written.
    pub headers: Vec<(String, String)>,
    /// The variables that the address and the headers were made of, with their values: what no
    /// record may hold.
    #[serde(skip)]
    pub secrets: Vec<(String, String)>,
}

impl ServerSpec {
    /// Seconds that a server may take to start where the task does not say.
    pub const START_TIMEOUT_S: f64 = 60.0;

    /// A server with no environment of its own, in the workspace, with the default start limit.
    #[must_use]
    pub fn new(name: &str, command: &str, args: Vec<String>) -> Self {
        Self {
            name: name.to_owned(),
            command: command.to_owned(),
            args,
            env: Vec::new(),
            cwd: None,
            start_timeout_s: Self::START_TIMEOUT_S,
            address: None,
            error_pattern: None,
        }
    }
}
