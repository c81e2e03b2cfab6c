//! A request of somebody else, passed on to a model's endpoint as it is, with the key put in.

use super::carrier::{Carrier, Incoming};
use super::{ProviderError, ProviderErrorKind, Tape, by_program};
use crate::domain::Model;
use reqwest::header::{HeaderMap, HeaderName, HeaderValue};

/// An endpoint with its key.
pub struct Upstream {
    carrier: Carrier,
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
    incoming: Incoming,
}

impl Upstream {
    /// The endpoint of a model; `secret` is the value of its key. What passes is written on the
    /// tape; where the tape plays, nothing is sent and no key is needed.
    ///
    /// # Errors
    /// `ProviderErrorKind::Configuration` when no program asks models of its kind, when it has no
    /// usable address, or when the key can't stand in a header.
    pub fn new(model: &Model, secret: Option<&str>, tape: &Tape) -> Result<Self, ProviderError> {
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
        let carrier = Carrier::new(&url, tape)
            .map_err(|error| wrong(&format!("failed to set up HTTP ({error})")))?;
        Ok(Self {
            carrier,
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
        let mut headers = HeaderMap::new();
        for (name, value) in &request.headers {
            let name = HeaderName::from_bytes(name.as_bytes());
            // They came as headers, so they are some.
            if let (Ok(name), Ok(value)) = (name, HeaderValue::from_bytes(value)) {
                headers.append(name, value);
            }
        }
        if let Some((name, key)) = &self.key {
            headers.append(name.clone(), key.clone());
        }
        let sent = self.carrier.post(&url, headers, request.body).await;
        let incoming = sent.map_err(|error| self.named(error))?;
        let headers = incoming.headers.iter();
        Ok(UpstreamReply {
            status: incoming.status,
            headers: headers
                .filter(|(name, _)| !is_of_the_connection(name.as_str()))
                .map(|(name, value)| (name.as_str().to_owned(), value.as_bytes().to_vec()))
                .collect(),
            incoming,
        })
    }

    fn named(&self, mut error: ProviderError) -> ProviderError {
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
        self.incoming.piece().await.map_err(|why| {
            ProviderError::new(
                ProviderErrorKind::BadReply,
                format!("the answer was cut: {why}"),
            )
        })
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
