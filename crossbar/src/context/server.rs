//! A server in a task's hands: calls that are recorded as observations, and counts.

use super::TaskError;
use super::finished::{Phase, Trouble};
use crate::domain::{Evidence, InfrastructureEvidence, Observation, Observed, Probe};
use crate::env::{Served, observed};
use serde_json::Value;
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;

/// What a context and its server handles write together.
#[derive(Debug)]
pub(super) struct Shared {
    pub(super) phase: Cell<Phase>,
    pub(super) evidence: RefCell<Evidence>,
    pub(super) trouble: RefCell<Option<Trouble>>,
    /// Calls of the agent that reached a tool, by server and tool.
    pub(super) executed: RefCell<BTreeMap<(String, String), usize>>,
}

impl Shared {
    pub(super) fn new() -> Rc<Self> {
        Rc::new(Self {
            phase: Cell::new(Phase::Arrange),
            evidence: RefCell::default(),
            trouble: RefCell::default(),
            executed: RefCell::default(),
        })
    }

    /// Keeps the first trouble: what follows from it is no news.
    pub(super) fn trouble(&self, trouble: Trouble) {
        self.trouble.borrow_mut().get_or_insert(trouble);
    }
}

/// A server that a task started, or tools that it offers. Cloning it gives another handle to the same server.
#[derive(Debug, Clone)]
pub struct ServerHandle {
    pub(super) server: Served,
    pub(super) shared: Rc<Shared>,
}

impl ServerHandle {
    /// Calls a tool on the task's own behalf, not the agent's. After the agent has ended, the
    /// answer is recorded, so that the rollout can be judged again without the server.
    ///
    /// Comes back with the structured content, else the text as JSON, else the text.
    ///
    /// # Errors
    /// The tool's own refusal, or the loss of the server, as a message.
    pub async fn call(&self, tool: &str, args: Value) -> super::Result<Value> {
        let name = self.server.name();
        let answer = self.server.call(tool, args.clone()).await;
        let observation = match answer {
            Ok(result) => observed(result),
            Err(error) => {
                let message = error.to_string();
                let evidence = InfrastructureEvidence::ServerDied;
                self.shared
                    .trouble(Trouble::Infrastructure { evidence, message });
                return Err(TaskError::from(error));
            }
        };
        if self.shared.phase.get() == Phase::Assert {
            let probe = Probe::CallTool {
                server: name.to_owned(),
                tool: tool.to_owned(),
                args,
            };
            let seen = Observed {
                probe,
                observation: observation.clone(),
            };
            self.shared.evidence.borrow_mut().0.push(seen);
        }
        match observation {
            Observation::Value(value) => Ok(value),
            Observation::Failed(message) => Err(TaskError::from(format!(
                "`{name}.{tool}` failed: {message}"
            ))),
        }
    }

    /// How often the agent's calls of a tool reached it.
    #[must_use]
    pub fn calls(&self, tool: &str) -> usize {
        let key = (self.server.name().to_owned(), tool.to_owned());
        self.shared
            .executed
            .borrow()
            .get(&key)
            .copied()
            .unwrap_or(0)
    }
}
