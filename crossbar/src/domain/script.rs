//! A scripted agent: the calls it makes and what it says at the end.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A scripted agent. Only mock and scripted models read it; no real provider ever sees it.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Script {
    /// The calls, in order.
    pub steps: Vec<ScriptStep>,
    /// The answer after the last call; nothing is said when it is `None`.
    pub final_text: Option<String>,
}

/// One scripted tool call.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ScriptStep {
    /// `server.tool`, or the bare tool name where only one server has it.
    pub tool: String,
    /// The arguments.
    pub args: Value,
    /// What the model writes beside the call.
    pub thought: Option<String>,
}

impl Script {
    /// Adds a call of `server.tool` with its arguments; for use in a solution function.
    pub fn call(&mut self, tool: &str, args: Value) -> &mut Self {
        self.steps.push(ScriptStep {
            tool: tool.to_owned(),
            args,
            thought: None,
        });
        self
    }

    /// Sets the final answer.
    pub fn say(&mut self, text: &str) -> &mut Self {
        self.final_text = Some(text.to_owned());
        self
    }
}
