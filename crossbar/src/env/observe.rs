//! Answering probes: the state is looked at once, after the agent has ended.

use super::{EnvError, World};
use crate::domain::{Evidence, Observation, Observed, Probe};
use crate::mcp::CallResult;
use serde_json::Value;
use std::time::Duration;

/// How long one probe may take: a server that answered the agent and not us is lost.
const PROBE_LIMIT: Duration = Duration::from_secs(60);

impl World {
    /// Whether every probe asks for a tool that its server has: what no server can answer is wrong
    /// with the task, and is found before the agent costs anything.
    ///
    /// # Errors
    /// `EnvError::NoServer` or `EnvError::NoTool` with what there is instead.
    pub fn can_observe(&self, probes: &[Probe]) -> Result<(), EnvError> {
        for probe in probes {
            let Probe::CallTool { server, tool, .. } = probe else {
                continue;
            };
            let found = self.servers().into_iter().find(|one| one.name() == server);
            let found = found.ok_or_else(|| EnvError::NoServer(server.clone()))?;
            let known: Vec<&str> = found
                .tools()
                .iter()
                .map(|tool| tool.name.as_str())
                .collect();
            if !known.contains(&tool.as_str()) {
                return Err(EnvError::NoTool {
                    tool: format!("{server}.{tool}"),
                    known: known.join(", "),
                });
            }
        }
        Ok(())
    }

    /// Answers each probe, in order. A tool's own refusal is an observation.
    ///
    /// # Errors
    /// `EnvError` when a server is gone or silent.
    pub async fn observe(&self, probes: &[Probe]) -> Result<Evidence, EnvError> {
        let mut seen = Vec::new();
        for probe in probes {
            seen.push(Observed {
                observation: self.observation(probe).await?,
                probe: probe.clone(),
            });
        }
        Ok(Evidence(seen))
    }

    async fn observation(&self, probe: &Probe) -> Result<Observation, EnvError> {
        let (server, tool, args) = match probe {
            Probe::CallTool { server, tool, args } => (server, tool, args),
            Probe::Own { name } => return Ok(Observation::Failed(unasked(name))),
        };
        let found = self.servers().into_iter().find(|one| one.name() == server);
        let found = found.ok_or_else(|| EnvError::NoServer(server.clone()))?;
        match tokio::time::timeout(PROBE_LIMIT, found.call(tool, args.clone())).await {
            Ok(Ok(result)) => Ok(observed(result)),
            Ok(Err(error)) => Err(EnvError::Lost(error)),
            Err(_) => Ok(Observation::Failed(format!(
                "`{server}.{tool}` gave no answer within {PROBE_LIMIT:?}"
            ))),
        }
    }
}

/// Only the task function itself can make its own observations.
fn unasked(name: &str) -> String {
    format!("`{name}` was not observed")
}

/// The structured content, else the text as JSON, else the text.
pub(crate) fn observed(result: CallResult) -> Observation {
    if result.is_error {
        return Observation::Failed(result.content_text);
    }
    let value = result.structured.unwrap_or_else(|| {
        serde_json::from_str(&result.content_text).unwrap_or(Value::String(result.content_text))
    });
    Observation::Value(value)
}
