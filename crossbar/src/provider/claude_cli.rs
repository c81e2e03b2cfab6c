//! claude-cli: a model that the command line of Claude Code asks by itself, through the gateway.

use super::by_program::{self, ByProgram};
use super::{Provider, ProviderError, Setup, anthropic};
use crate::domain::{Model, ProviderKind};

pub(super) const KIND: ProviderKind = ProviderKind {
    name: "claude-cli",
    doc: "the Messages API, asked by the command line of Claude Code",
    live: true,
    pretend: false,
    needs: &[],
    takes: &["base_url", "api_key_env"],
    harnesses: &["claude-code"],
};

pub(super) const BY: ByProgram = ByProgram {
    provider: KIND.name,
    program: "Claude Code",
    params: &["max_output_tokens"],
    vendor: anthropic::VENDOR,
    endpoint: anthropic::endpoint,
};

pub(super) fn build(model: &Model, setup: &Setup<'_>) -> Result<Box<dyn Provider>, ProviderError> {
    by_program::build(&BY, model, setup)
}
