//! claude-cli: a model that the command line of Claude Code asks by itself, through the gateway.
//!
//! crossbar never asks it a thing; what is built here only refuses, and what its roster says is
//! checked.

use super::http::Endpoint;
use super::{ChatReply, ChatRequest, Provider, ProviderError, Setup, anthropic};
use crate::domain::{LocalFuture, Model, ProviderKind};

pub(super) const KIND: ProviderKind = ProviderKind {
    name: "claude-cli",
    doc: "the Messages API, asked by the command line of Claude Code",
    live: true,
    pretend: false,
    needs: &[],
    takes: &["base_url", "api_key_env"],
    harnesses: &["claude-code"],
};

/// The settings that can be passed on to the program.
const PARAMS: [&str; 1] = ["max_output_tokens"];

struct AskedByItsProgram {
    endpoint: Endpoint,
    id: String,
}

pub(super) fn build(model: &Model, setup: &Setup<'_>) -> Result<Box<dyn Provider>, ProviderError> {
    let wrong =
        |what: String| ProviderError::configuration(format!("model `{}`: {what}", model.id));
    if let Some(other) = model.params.keys().find(|key| !PARAMS.contains(&&***key)) {
        return Err(wrong(format!(
            "the parameter `{other}` can't be passed on to Claude Code; it takes {}",
            PARAMS.join(", ")
        )));
    }
    Ok(Box::new(AskedByItsProgram {
        endpoint: anthropic::endpoint(model, setup)?,
        id: model.id.clone(),
    }))
}

impl Provider for AskedByItsProgram {
    fn chat<'a>(
        &'a self,
        _request: &'a ChatRequest,
    ) -> LocalFuture<'a, Result<ChatReply, ProviderError>> {
        let error = ProviderError::configuration(format!(
            "model `{}` is asked by its own program alone",
            self.id
        ));
        Box::pin(std::future::ready(Err(error)))
    }

    fn preflight(&self) -> LocalFuture<'_, Result<(), ProviderError>> {
        Box::pin(self.endpoint.probe())
    }
}
