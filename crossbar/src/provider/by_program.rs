//! Models that a program asks by itself, through the gateway: crossbar never asks them a thing. What
//! is built here refuses, and holds the roster to what the program can be told.

use super::http::{Endpoint, Vendor};
use super::{ChatReply, ChatRequest, Provider, ProviderError, Setup};
use super::{claude_cli, codex_cli, gemini_cli, opencode_cli, qwen_cli};
use crate::domain::{LocalFuture, Model};

/// A provider kind whose models a program asks by itself.
pub(super) struct ByProgram {
    /// The kind.
    pub(super) provider: &'static str,
    /// The program, as messages name it.
    pub(super) program: &'static str,
    /// The parameters that can be passed on to it.
    pub(super) params: &'static [&'static str],
    /// The API that the program asks.
    pub(super) vendor: Vendor,
    /// The endpoint, to be asked whether it is there.
    pub(super) endpoint: fn(&Model, &Setup<'_>) -> Result<Endpoint, ProviderError>,
}

const ROWS: &[&ByProgram] = &[
    &claude_cli::BY,
    &codex_cli::BY,
    &gemini_cli::BY,
    &opencode_cli::BY,
    &qwen_cli::BY,
];

/// The row of a provider kind; `None` where crossbar asks the model itself.
pub(super) fn of(provider: &str) -> Option<&'static ByProgram> {
    ROWS.iter().find(|row| row.provider == provider).copied()
}

struct AskedByItsProgram {
    endpoint: Endpoint,
    id: String,
}

pub(super) fn build(
    by: &ByProgram,
    model: &Model,
    setup: &Setup<'_>,
) -> Result<Box<dyn Provider>, ProviderError> {
    let unknown = |key: &&String| !by.params.contains(&key.as_str());
    if let Some(other) = model.params.keys().find(unknown) {
        return Err(ProviderError::configuration(format!(
            "model `{}`: the parameter `{other}` can't be passed on to {}; it takes {}",
            model.id,
            by.program,
            by.params.join(", ")
        )));
    }
    Ok(Box::new(AskedByItsProgram {
        endpoint: (by.endpoint)(model, setup)?,
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
