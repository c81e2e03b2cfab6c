//! One address that is asked again and again with the same headers.

use super::client::{causes, client};
use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use reqwest::{Response, Url};

/// Why nothing came, in words that hold neither the address nor a header.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct WireError(pub String);

/// What is done with the address.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// Sends a body.
    Post,
    /// Reads.
    Get,
    /// Ends what stands there.
    Delete,
}

/// One request. Its headers stand on top of those that every request has.
#[derive(Debug)]
pub struct Ask {
    /// What is done.
    pub method: Method,
    /// Names and values.
    pub headers: Vec<(&'static str, String)>,
    /// The body; empty for none.
    pub body: Vec<u8>,
}

/// An address with the headers that every request to it has.
pub struct Asker {
    client: reqwest::Client,
    url: Url,
    headers: HeaderMap,
}

impl Asker {
    /// Sets up everything; nothing is sent.
    ///
    /// # Errors
    /// `WireError` for an address that is none, and for a header that can't be sent; the header is
    /// named, its value is not.
    pub fn new(url: &str, headers: &[(String, String)]) -> Result<Self, WireError> {
        let url = url.parse().ok();
        let url: Url = url
            .filter(|url: &Url| matches!(url.scheme(), "http" | "https"))
            .ok_or_else(|| WireError("it is not an http or https URL".to_owned()))?;
        let mut map = HeaderMap::new();
        for (name, value) in headers {
            let wrong = || WireError(format!("the header `{name}` can't be sent"));
            let key: HeaderName = name.parse().map_err(|_| wrong())?;
            let mut value = HeaderValue::from_str(value).map_err(|_| wrong())?;
            value.set_sensitive(true);
            map.insert(key, value);
        }
        let client = client(&url)
            .map_err(|error| WireError(format!("failed to set up HTTP ({})", causes(&error))))?;
        Ok(Self {
            client,
            url,
            headers: map,
        })
    }

    /// Scheme, host and port: what of the address holds no secret.
    #[must_use]
    pub fn origin(&self) -> String {
        self.url.origin().ascii_serialization()
    }

    /// Sends one request, once, and comes back as soon as the answer begins.
    ///
    /// # Errors
    /// `WireError` when no answer began.
    pub async fn ask(&self, ask: Ask) -> Result<Answer, WireError> {
        let method = match ask.method {
            Method::Post => reqwest::Method::POST,
            Method::Get => reqwest::Method::GET,
            Method::Delete => reqwest::Method::DELETE,
        };
        let mut request = self.client.request(method, self.url.clone());
        request = request.headers(self.headers.clone());
        for (name, value) in ask.headers {
            request = request.header(name, value);
        }
        if !ask.body.is_empty() {
            request = request.body(ask.body);
        }
        let response = request.send().await.map_err(|error| {
            let what = match error.is_connect() {
                true => "no connection",
                false => "no answer",
            };
            WireError(format!("{what}: {}", causes(&error.without_url())))
        })?;
        Ok(Answer(response))
    }
}

/// An answer that has begun; its body is read piece by piece.
#[derive(Debug)]
pub struct Answer(Response);

impl Answer {
    /// The HTTP status.
    #[must_use]
    pub fn status(&self) -> u16 {
        self.0.status().as_u16()
    }

    /// The value of a header, where it is text.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        self.0.headers().get(name)?.to_str().ok()
    }

    /// Whether the body is a stream of events.
    #[must_use]
    pub fn is_event_stream(&self) -> bool {
        let kind = self.header("content-type");
        kind.is_some_and(|kind| kind.trim_start().starts_with("text/event-stream"))
    }

    /// The next piece of the body; `None` at its end. Can be cancelled without losing a byte.
    ///
    /// # Errors
    /// `WireError` when the connection broke before the end.
    pub async fn piece(&mut self) -> Result<Option<Vec<u8>>, WireError> {
        let piece = self.0.chunk().await.map_err(|error| {
            let why = causes(&error.without_url());
            WireError(format!("the answer was cut: {why}"))
        })?;
        Ok(piece.map(|bytes| bytes.to_vec()))
    }

    /// The whole body, up to `longest` bytes.
    ///
    /// # Errors
    /// `WireError` when it was cut, or is longer.
    pub async fn body(mut self, longest: usize) -> Result<Vec<u8>, WireError> {
        let mut body = Vec::new();
        while let Some(piece) = self.piece().await? {
            if body.len() + piece.len() > longest {
                return Err(WireError(format!(
                    "the answer is longer than {longest} bytes"
                )));
            }
            body.extend_from_slice(&piece);
        }
        Ok(body)
    }
}
