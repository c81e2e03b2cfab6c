//! A request of somebody else, passed on to a model's endpoint as it is, with the key put in.

use super::by_program;
use super::http::not_answered;
use super::{ProviderError, ProviderErrorKind};
use crate::domain::Model;
use crate::wire::{causes, client};
use reqwest::header::{HeaderName, HeaderValue};

/// An endpoint with its key.
pub struct Upstream {
    client: reqwest::Client,
    base: String,
    id: String,
    key: Option<(HeaderName, HeaderValue)>,
}

/// What is passed on.
#[derive(Debug, Clone)]
pub struct UpstreamRequest {
    /// The path with its query, from the endpoint's `base_url` on; begins with `/`.
    pub path: String,
    /// The headers; none of them carries a key.
    pub headers: Vec<(String, Vec<u8>)>,
    /// The body, as it came.
    pub body: Vec<u8>,
}

/// What came back; its body is read piece by piece.
pub struct UpstreamReply {
    /// The HTTP status.
    pub status: u16,
    /// The headers, those of the connection left out.
    pub headers: Vec<(String, Vec<u8>)>,
    response: reqwest::Response,
}

impl Upstream {
    /// The endpoint of a model; `secret` is the value of its key.
    ///
    /// # Errors
    /// `ProviderErrorKind::Configuration` when no program asks models of its kind, when it has no
    /// usable address, or when the key can't stand in a header.
    pub fn new(model: &Model, secret: Option<&str>) -> Result<Self, ProviderError> {
        let wrong =
            |what: &str| ProviderError::configuration(format!("model `{}`: {what}", model.id));
        let by = by_program::of(&model.provider)
            .ok_or_else(|| wrong("no program asks models of its provider"))?;
        let base = by.vendor.base(model);
        let url: reqwest::Url = base
            .parse()
            .map_err(|_| wrong("`base_url` is not an http or https URL"))?;
        let key = secret
            .map(|secret| by.vendor.auth.header(secret))
            .transpose();
        let key =
            key.map_err(|()| wrong("the key has characters that no HTTP header can carry"))?;
        let client =
            client(&url).map_err(|error| wrong(&format!("failed to set up HTTP ({error})")))?;
        Ok(Self {
            client,
            base: base.to_owned(),
            id: model.id.clone(),
            key,
        })
    }

    /// Sends one request, once, and comes back as soon as the answer begins.
    ///
    /// # Errors
    /// `ProviderError` when no answer began.
    pub async fn send(&self, request: UpstreamRequest) -> Result<UpstreamReply, ProviderError> {
        let url = format!("{}{}", self.base, request.path);
        let mut post = self.client.post(url).body(request.body);
        for (name, value) in request.headers {
            post = post.header(name, value);
        }
        if let Some((name, key)) = &self.key {
            post = post.header(name.clone(), key.clone());
        }
        let response = post.send().await.map_err(|error| self.failed(error))?;
        let headers = response.headers().iter();
        Ok(UpstreamReply {
            status: response.status().as_u16(),
            headers: headers
                .filter(|(name, _)| !is_of_the_connection(name.as_str()))
                .map(|(name, value)| (name.as_str().to_owned(), value.as_bytes().to_vec()))
                .collect(),
            response,
        })
    }

    fn failed(&self, error: reqwest::Error) -> ProviderError {
        let mut error = not_answered(error);
        error.message = format!("model `{}`: {}", self.id, error.message);
        error
    }
}

impl UpstreamReply {
    /// The next piece of the body; `None` at its end.
    ///
    /// # Errors
    /// `ProviderErrorKind::BadReply` when the connection broke before the end.
    pub async fn piece(&mut self) -> Result<Option<Vec<u8>>, ProviderError> {
        let piece = self.response.chunk().await.map_err(|error| {
            let why = causes(&error.without_url());
            ProviderError::new(
                ProviderErrorKind::BadReply,
                format!("the answer was cut: {why}"),
            )
        })?;
        Ok(piece.map(|bytes| bytes.to_vec()))
    }
}

/// Headers that belong to one connection and are never passed on (RFC 9110, section 7.6.1), and
/// those that the body's own sender writes.
#[must_use]
pub fn is_of_the_connection(name: &str) -> bool {
    const OWN: [&str; 8] = [
        "connection",
        "content-length",
        "keep-alive",
        "proxy-connection",
        "te",
        "trailer",
        "transfer-encoding",
        "upgrade",
    ];
    OWN.contains(&name)
}
