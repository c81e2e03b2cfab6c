//! openai: any endpoint that speaks the chat completions protocol (vLLM, Ollama, LM Studio,
//! llama.cpp, hosted ones).
//!
//! One call is one POST to `{base_url}/chat/completions`; with `stream: true` among the params its
//! answer is read in pieces, and means the same.

mod reply;
mod request;
mod stream;
mod think;
mod usage;

pub(super) use usage::{Counted, buckets};
pub use usage::{responses as responses_usage, usage as chat_usage};

use super::http::{Auth, Endpoint, Protocol, Routes, Stream};
use super::{ChatReply, ChatRequest, Provider, ProviderError, ProviderErrorKind, Setup};
use crate::domain::{LocalFuture, Model, ProviderKind};
use serde_json::Value;
use std::cell::Cell;

pub(super) const KIND: ProviderKind = ProviderKind {
    name: "openai",
    doc: "any endpoint with POST {base_url}/chat/completions",
    live: true,
    pretend: false,
    needs: &["base_url"],
    takes: &["api_key_env"],
    harnesses: &["react", "single-shot", "text-json", "command"],
};

struct OpenAi {
    endpoint: Endpoint,
    /// The name that the endpoint knows.
    model: String,
    /// Bytes sent and tokens counted of the request before.
    before: Cell<Option<(u64, u64)>>,
}

pub(super) fn build(model: &Model, setup: &Setup<'_>) -> Result<Box<dyn Provider>, ProviderError> {
    let wrong =
        |what: String| ProviderError::configuration(format!("model `{}`: {what}", model.id));
    if let Some(what) = request::refused_param(&model.params) {
        return Err(wrong(what));
    }
    let base = model
        .base_url
        .as_deref()
        .ok_or_else(|| wrong("provider `openai` needs `base_url`".to_owned()))?;
    let base = base.trim_end_matches('/');
    let routes = Routes {
        chat: format!("{base}/chat/completions"),
        probe: format!("{base}/models"),
    };
    Ok(Box::new(OpenAi {
        endpoint: Endpoint::new(model, setup, &routes, Auth::Bearer)?,
        model: model.model.clone(),
        before: Cell::new(None),
    }))
}

impl Provider for OpenAi {
    fn chat<'a>(
        &'a self,
        request: &'a ChatRequest,
    ) -> LocalFuture<'a, Result<ChatReply, ProviderError>> {
        Box::pin(async move {
            let body = request::body(&self.model, request);
            let bytes = body.len() as u64;
            let answer = self.endpoint.exchange(body, request, &Completions).await;
            let reply = answer.map_err(cured)?;
            self.is_whole(bytes, &reply)?;
            Ok(reply)
        })
    }

    fn wire_bytes(&self, request: &ChatRequest) -> u64 {
        request::body(&self.model, request).len() as u64
    }

    fn preflight(&self) -> LocalFuture<'_, Result<(), ProviderError>> {
        Box::pin(self.endpoint.probe())
    }
}

impl OpenAi {
    /// A conversation only grows, so a request of more bytes and fewer tokens was not read whole:
    /// some servers cut it to their context and say nothing. Such an answer is not the model's.
    fn is_whole(&self, bytes: u64, reply: &ChatReply) -> Result<(), ProviderError> {
        let Some(tokens) = reply.usage.map(|usage| usage.input()) else {
            return Ok(());
        };
        match self.before.replace(Some((bytes, tokens))) {
            Some((fewer, more)) if fewer < bytes && tokens < more => {
                Err(self.endpoint.named(ProviderError::new(
                    ProviderErrorKind::BadReply,
                    format!(
                        "a longer conversation came to fewer tokens ({more}, then {tokens}): the \
                         server cuts it to its context; help: give the server a longer context \
                         (Ollama: OLLAMA_CONTEXT_LENGTH, llama.cpp: --ctx-size, vLLM: \
                         --max-model-len), or the model shorter tasks"
                    ),
                )))
            }
            _ => Ok(()),
        }
    }
}

/// Adds what to write in the roster, where an endpoint refuses a setting that has another name.
fn cured(mut error: ProviderError) -> ProviderError {
    if let Some(cure) = error.param.as_deref().and_then(request::cure) {
        error.message = format!("{}; help: {cure}", error.message);
    }
    error
}

struct Completions;

impl Protocol for Completions {
    fn whole(&self, body: &Value) -> Result<ChatReply, ProviderError> {
        reply::read(body)
    }

    fn stream(&self) -> Box<dyn Stream> {
        Box::new(stream::Chunks::default())
    }
}
