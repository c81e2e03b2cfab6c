//! A world's servers as the tools of a rollout.

use super::World;
use crate::domain::{LocalFuture, ToolDef, ToolFailure, ToolReply, Toolbox};
use serde_json::Value;

impl Toolbox for World {
    fn tools(&self) -> Vec<ToolDef> {
        self.servers()
            .iter()
            .flat_map(|server| {
                server.tools().iter().map(|tool| ToolDef {
                    server: server.name().to_owned(),
                    tool: tool.name.clone(),
                    description: tool.description.clone(),
                    input_schema: tool.input_schema.clone(),
                })
            })
            .collect()
    }

    fn call<'a>(
        &'a self,
        server: &'a str,
        tool: &'a str,
        args: Value,
    ) -> LocalFuture<'a, Result<ToolReply, ToolFailure>> {
        Box::pin(async move {
            let failure = |message: String| ToolFailure {
                server: server.to_owned(),
                message,
            };
            let found = self.servers().into_iter().find(|one| one.name() == server);
            let Some(found) = found else {
                return Err(failure("the task has no such server".to_owned()));
            };
            let result = found
                .call(tool, args)
                .await
                .map_err(|e| failure(e.to_string()))?;
            Ok(ToolReply {
                text: result.content_text,
                structured: result.structured,
                is_error: result.is_error,
                protocol_error: result.protocol_error,
            })
        })
    }
}
