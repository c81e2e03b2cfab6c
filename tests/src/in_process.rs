//! What suites and the measuring program drive a harness with, in their own process: one tool, a
//! model, a loop.

use crossbar::domain::{
    HarnessSpec, LocalFuture, Model, Price, ToolDef, ToolFailure, ToolReply, Toolbox,
};
use serde_json::Value;
use std::collections::BTreeMap;

/// Tools whose answers are a function of the call.
pub struct Tools<F> {
    tools: Vec<ToolDef>,
    answer: F,
}

impl<F: Fn(&str, Value) -> String> Tools<F> {
    /// `answer` gets the tool's name and its arguments.
    pub fn new(tools: Vec<ToolDef>, answer: F) -> Self {
        Self { tools, answer }
    }
}

impl<F: Fn(&str, Value) -> String> Toolbox for Tools<F> {
    fn tools(&self) -> Vec<ToolDef> {
        self.tools.clone()
    }

    fn call<'a>(
        &'a self,
        _server: &'a str,
        tool: &'a str,
        args: Value,
    ) -> LocalFuture<'a, Result<ToolReply, ToolFailure>> {
        let text = (self.answer)(tool, args);
        Box::pin(std::future::ready(Ok(ToolReply {
            text,
            structured: None,
            is_error: false,
            protocol_error: false,
        })))
    }
}

/// A tool of a server.
pub fn tool(server: &str, tool: &str, description: &str, input_schema: Value) -> ToolDef {
    ToolDef {
        server: server.to_owned(),
        tool: tool.to_owned(),
        description: description.to_owned(),
        input_schema,
    }
}

/// A free model of a provider, of that id.
pub fn free_model(id: &str, provider: &str) -> Model {
    Model {
        id: id.to_owned(),
        provider: provider.to_owned(),
        model: id.to_owned(),
        base_url: None,
        api_key_env: None,
        price: Price::Free,
        params: BTreeMap::new(),
        limits: crossbar::domain::ModelLimits::default(),
        skill: 1.0,
        recover: 1.0,
    }
}

/// The loop `react`, with nothing added.
pub fn react() -> HarnessSpec {
    HarnessSpec {
        id: "react".to_owned(),
        kind: "react".to_owned(),
        verify: false,
        instructions: None,
        additions: Default::default(),
        command: None,
    }
}
