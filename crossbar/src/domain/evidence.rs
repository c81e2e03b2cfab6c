//! What checks ask for, and what was observed once, after the agent ended.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Something to observe after the agent ended. Checks name probes; the environment observes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "probe", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Probe {
    /// Call a tool of a server and keep its answer.
    CallTool {
        /// The server's name in the task.
        server: String,
        /// The tool's own name.
        tool: String,
        /// Its arguments.
        args: Value,
    },
    /// Something that a task function reads itself (`cx.observe`).
    Own {
        /// The name that the task gives it.
        name: String,
    },
}

/// What a probe brought back.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Observation {
    /// The answer.
    Value(Value),
    /// The tool, not the machine, refused: the check fails, the rollout stays measured.
    Failed(String),
}

/// A probe with what it brought back.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Observed {
    /// What was asked.
    pub probe: Probe,
    /// What came back.
    pub observation: Observation,
}

/// All observations of a rollout, in the order in which they were made.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Evidence(pub Vec<Observed>);

impl Evidence {
    /// The first observation of a probe, if it was made.
    #[must_use]
    pub fn of(&self, probe: &Probe) -> Option<&Observation> {
        self.0
            .iter()
            .find(|seen| &seen.probe == probe)
            .map(|seen| &seen.observation)
    }
}
