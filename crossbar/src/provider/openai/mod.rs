//! openai: any endpoint that speaks the chat completions protocol (vLLM, Ollama, LM Studio,
//! llama.cpp, hosted ones).
//!
//! One call is one POST to `{base_url}/chat/completions`: no streaming, no second attempt, no
//! redirect followed, so that nothing is paid twice in silence. Time is bounded by the caller, who
//! drops the call.

mod reply;
mod request;
mod think;

use super::{ChatReply, ChatRequest, Provider, ProviderError, ProviderErrorKind, Setup};
use crate::domain::{LocalFuture, Model, ProviderKind};
use reqwest::header::{AUTHORIZATION, CONTENT_TYPE, HeaderValue};
use std::time::Duration;

pub(super) const KIND: ProviderKind = ProviderKind {
    name: "openai",
    doc: "any endpoint with POST {base_url}/chat/completions",
    live: true,
    pretend: false,
    needs: &["base_url"],
    takes: &["api_key_env"],
    harnesses: &["react", "single-shot", "text-json"],
};

/// Long enough for a cold network, short enough that an offline machine is told soon.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(30);

/// No reply of a model comes near this; what does is no reply.
const LONGEST_BODY: usize = 64 << 20;

struct OpenAi {
    client: reqwest::Client,
    url: reqwest::Url,
    /// The roster's id, for messages.
    id: String,
    /// The name that the endpoint knows.
    model: String,
    secret: Option<String>,
    authorization: Option<HeaderValue>,
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
    let url =
        endpoint(base).ok_or_else(|| wrong("`base_url` is not an http or https URL".to_owned()))?;
    if let (Some(name), None) = (&model.api_key_env, &setup.secret) {
        return Err(wrong(format!(
            "the environment variable {name} holds no key"
        )));
    }
    let authorization = setup.secret.as_deref().map(bearer).transpose();
    let authorization = authorization
        .map_err(|()| wrong("the key has characters that no HTTP header can carry".to_owned()))?;
    let client = client(&url).map_err(|error| wrong(format!("failed to set up HTTP ({error})")))?;
    Ok(Box::new(OpenAi {
        client,
        url,
        id: model.id.clone(),
        model: model.model.clone(),
        secret: setup.secret.clone(),
        authorization,
    }))
}

fn endpoint(base: &str) -> Option<reqwest::Url> {
    let url = format!("{}/chat/completions", base.trim_end_matches('/'));
    let url: reqwest::Url = url.parse().ok()?;
    matches!(url.scheme(), "http" | "https").then_some(url)
}

fn bearer(secret: &str) -> Result<HeaderValue, ()> {
    let mut value = HeaderValue::from_str(&format!("Bearer {secret}")).map_err(|_| ())?;
    value.set_sensitive(true);
    Ok(value)
}

pub(super) fn client(url: &reqwest::Url) -> Result<reqwest::Client, reqwest::Error> {
    // Fails only when the program has installed one already, which then serves as well.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let builder = reqwest::Client::builder()
        .connect_timeout(CONNECT_TIMEOUT)
        .redirect(reqwest::redirect::Policy::none())
        .retry(reqwest::retry::never());
    // A proxy can't reach what listens on this machine's own loopback.
    let builder = if is_loopback(url) {
        builder.no_proxy()
    } else {
        builder
    };
    builder.build()
}

fn is_loopback(url: &reqwest::Url) -> bool {
    url.host_str().is_some_and(|host| {
        let address = host.trim_start_matches('[').trim_end_matches(']');
        host == "localhost"
            || address
                .parse::<std::net::IpAddr>()
                .is_ok_and(|address| address.is_loopback())
    })
}

impl Provider for OpenAi {
    fn chat<'a>(
        &'a self,
        request: &'a ChatRequest,
    ) -> LocalFuture<'a, Result<ChatReply, ProviderError>> {
        Box::pin(async move {
            let outcome = self.exchange(request).await;
            outcome.map_err(|error| self.named(error))
        })
    }

    fn wire_bytes(&self, request: &ChatRequest) -> u64 {
        request::body(&self.model, request).len() as u64
    }
}

impl OpenAi {
    async fn exchange(&self, request: &ChatRequest) -> Result<ChatReply, ProviderError> {
        let mut post = self
            .client
            .post(self.url.clone())
            .header(CONTENT_TYPE, "application/json")
            .body(request::body(&self.model, request));
        if let Some(authorization) = &self.authorization {
            post = post.header(AUTHORIZATION, authorization.clone());
        }
        let mut response = post.send().await.map_err(not_answered)?;
        let status = response.status().as_u16();
        let body = match read(&mut response).await {
            Ok(body) => body,
            Err(what) => return Err(reply::cut(status, &what.0, &what.1)),
        };
        reply::read(status, &body)
    }

    /// Names the model, and takes the key out of whatever the endpoint said.
    fn named(&self, mut error: ProviderError) -> ProviderError {
        let message = format!("model `{}`: {}", self.id, error.message);
        error.message = match self.secret.as_deref() {
            Some(secret) if !secret.is_empty() => message.replace(secret, "***"),
            _ => message,
        };
        error
    }
}

/// The whole body, or what came of it and why it ends there.
async fn read(response: &mut reqwest::Response) -> Result<Vec<u8>, (Vec<u8>, String)> {
    let mut body = Vec::new();
    loop {
        match response.chunk().await {
            Ok(Some(chunk)) => body.extend_from_slice(&chunk),
            Ok(None) => return Ok(body),
            Err(error) => return Err((body, causes(&error.without_url()))),
        }
        if body.len() > LONGEST_BODY {
            return Err((body, format!("it is longer than {LONGEST_BODY} bytes")));
        }
    }
}

pub(super) fn not_answered(error: reqwest::Error) -> ProviderError {
    let kind = if error.is_connect() {
        ProviderErrorKind::Unreachable
    } else if error.is_builder() {
        ProviderErrorKind::Configuration
    } else {
        ProviderErrorKind::BadReply
    };
    let what = match kind {
        ProviderErrorKind::Unreachable => "no connection to its `base_url`",
        _ => "no answer to the request",
    };
    ProviderError::new(kind, format!("{what}: {}", causes(&error.without_url())))
}

/// An error with what is behind it: reqwest's own words alone say little.
pub(super) fn causes(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(inner) = cause {
        text.push_str(": ");
        text.push_str(&inner.to_string());
        cause = inner.source();
    }
    text
}
