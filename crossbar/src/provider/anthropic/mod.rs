//! anthropic: the Messages API (<https://platform.claude.com/docs/en/api/messages>), at its own
//! host or at any endpoint that speaks it.
//!
//! One call is one POST to `{base_url}/v1/messages`; with `stream: true` among the params its answer
//! is read in pieces, and means the same. What the model wrote goes back as it wrote it, block by
//! block: thoughts carry signatures that no change survives.

mod reply;
mod request;
mod stream;
pub mod usage;

use super::http::{Auth, Endpoint, Protocol, Stream, Vendor};
use super::{ChatReply, ChatRequest, Provider, ProviderError, Setup};
use crate::domain::{LocalFuture, Model, ProviderKind};
use serde_json::Value;

pub(super) const KIND: ProviderKind = ProviderKind {
    name: "anthropic",
    doc: "the Messages API, at its own host unless `base_url` says otherwise",
    live: true,
    pretend: false,
    needs: &[],
    takes: &["base_url", "api_key_env"],
    harnesses: &["react", "single-shot", "text-json", "command"],
};

/// The API.
pub(super) const VENDOR: Vendor = Vendor {
    host: "https://api.anthropic.com",
    chat: "messages",
    auth: Auth::ApiKey,
};

/// The version of the API that is spoken here.
const VERSION: &str = "2023-06-01";

struct Anthropic {
    endpoint: Endpoint,
    /// The name that the endpoint knows.
    model: String,
}

pub(super) fn build(model: &Model, setup: &Setup<'_>) -> Result<Box<dyn Provider>, ProviderError> {
    let wrong =
        |what: String| ProviderError::configuration(format!("model `{}`: {what}", model.id));
    if let Some(what) = request::refused_param(&model.params) {
        return Err(wrong(what));
    }
    Ok(Box::new(Anthropic {
        endpoint: endpoint(model, setup)?,
        model: model.model.clone(),
    }))
}

/// The endpoint of a model, ready to be asked.
pub(super) fn endpoint(model: &Model, setup: &Setup<'_>) -> Result<Endpoint, ProviderError> {
    let endpoint = VENDOR.endpoint(model, setup)?;
    Ok(endpoint.with_header("anthropic-version", VERSION))
}

impl Provider for Anthropic {
    fn chat<'a>(
        &'a self,
        request: &'a ChatRequest,
    ) -> LocalFuture<'a, Result<ChatReply, ProviderError>> {
        Box::pin(async move {
            let body = request::body(&self.model, request);
            self.endpoint.exchange(body, request, &Messages).await
        })
    }

    fn wire_bytes(&self, request: &ChatRequest) -> u64 {
        request::body(&self.model, request).len() as u64
    }

    fn preflight(&self) -> LocalFuture<'_, Result<(), ProviderError>> {
        Box::pin(self.endpoint.probe())
    }
}

struct Messages;

impl Protocol for Messages {
    fn whole(&self, body: &Value) -> Result<ChatReply, ProviderError> {
        reply::read(body)
    }

    fn stream(&self) -> Box<dyn Stream> {
        Box::new(stream::Events::default())
    }
}
