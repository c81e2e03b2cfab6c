//! qwen-cli: a model that the command line of Qwen Code asks by itself, through the gateway.

use super::by_program::{self, ByProgram};
use super::opencode_cli::COMPLETIONS;
use super::{Provider, ProviderError, Setup};
use crate::domain::{Model, ProviderKind};

pub(super) const KIND: ProviderKind = ProviderKind {
    name: "qwen-cli",
    doc: "the chat completions API, asked by the command line of Qwen Code",
    live: true,
    pretend: false,
    needs: &[],
    takes: &["base_url", "api_key_env"],
    harnesses: &["qwen"],
};

pub(super) const BY: ByProgram = ByProgram {
    provider: KIND.name,
    program: "Qwen Code",
    params: &["max_output_tokens"],
    vendor: COMPLETIONS,
    endpoint: |model, setup| COMPLETIONS.endpoint(model, setup),
};

pub(super) fn build(model: &Model, setup: &Setup<'_>) -> Result<Box<dyn Provider>, ProviderError> {
    by_program::build(&BY, model, setup)
}
