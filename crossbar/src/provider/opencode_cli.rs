//! opencode-cli: a model that the command line of opencode asks by itself, through the gateway.

use super::by_program::{self, ByProgram};
use super::http::{Auth, Vendor};
use super::{Provider, ProviderError, Setup};
use crate::domain::{Model, ProviderKind};

pub(super) const KIND: ProviderKind = ProviderKind {
    name: "opencode-cli",
    doc: "the chat completions API, asked by the command line of opencode",
    live: true,
    pretend: false,
    needs: &[],
    takes: &["base_url", "api_key_env"],
    harnesses: &["opencode"],
};

pub(super) const BY: ByProgram = ByProgram {
    provider: KIND.name,
    program: "opencode",
    params: &["max_output_tokens"],
    vendor: COMPLETIONS,
    endpoint: |model, setup| COMPLETIONS.endpoint(model, setup),
};

/// The API.
pub(super) const COMPLETIONS: Vendor = Vendor {
    host: "https://api.openai.com",
    chat: "chat/completions",
    auth: Auth::Bearer,
};

pub(super) fn build(model: &Model, setup: &Setup<'_>) -> Result<Box<dyn Provider>, ProviderError> {
    by_program::build(&BY, model, setup)
}
