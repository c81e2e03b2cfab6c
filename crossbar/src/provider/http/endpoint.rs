//! One endpoint of a model: where it is, what opens it, and an exchange with it.

use super::Protocol;
use super::answer::read;
use crate::domain::Model;
use crate::provider::carrier::{Carrier, Incoming};
use crate::provider::{ChatReply, ChatRequest, ProviderError, ProviderErrorKind, Setup};
use crate::wire::causes;
use reqwest::Url;
use reqwest::header::{AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};

/// Where a protocol has its paths, as whole URLs.
pub(in crate::provider) struct Routes {
    /// Where conversations are sent.
    pub(in crate::provider) chat: String,
    /// What costs nothing to ask, to see whether anybody is there.
    pub(in crate::provider) probe: String,
}

/// How a key is sent.
#[derive(Clone, Copy)]
pub(in crate::provider) enum Auth {
    /// `Authorization: Bearer KEY`.
    Bearer,
    /// `x-api-key: KEY`.
    ApiKey,
    /// `x-goog-api-key: KEY`.
    GoogApiKey,
}

impl Auth {
    /// The header that carries a key; `Err` when no header can.
    pub(in crate::provider) fn header(self, secret: &str) -> Result<(HeaderName, HeaderValue), ()> {
        let (name, text) = match self {
            Self::Bearer => (AUTHORIZATION, format!("Bearer {secret}")),
            Self::ApiKey => (HeaderName::from_static("x-api-key"), secret.to_owned()),
            Self::GoogApiKey => (HeaderName::from_static("x-goog-api-key"), secret.to_owned()),
        };
        let mut value = HeaderValue::from_str(&text).map_err(|_| ())?;
        value.set_sensitive(true);
        Ok((name, value))
    }
}

/// An endpoint, ready to be asked.
pub(in crate::provider) struct Endpoint {
    carrier: Carrier,
    chat: Url,
    probe: Url,
    headers: HeaderMap,
    /// The roster's id of the model, for messages.
    id: String,
    secret: Option<String>,
}

impl Endpoint {
    /// Sets up everything; nothing is sent.
    ///
    /// # Errors
    /// `ProviderErrorKind::Configuration` for an address that is none and a key that is missing or
    /// can't be sent.
    pub(in crate::provider) fn new(
        model: &Model,
        setup: &Setup<'_>,
        routes: &Routes,
        auth: Auth,
    ) -> Result<Self, ProviderError> {
        let wrong =
            |what: String| ProviderError::configuration(format!("model `{}`: {what}", model.id));
        let url = |text: &str| {
            let url = text.parse().ok();
            url.filter(|url: &Url| matches!(url.scheme(), "http" | "https"))
                .ok_or_else(|| wrong("`base_url` is not an http or https URL".to_owned()))
        };
        let (chat, probe) = (url(&routes.chat)?, url(&routes.probe)?);
        let carrier = Carrier::new(&chat, &setup.tape)
            .map_err(|error| wrong(format!("failed to set up HTTP ({error})")))?;
        if let (Some(name), None, false) = (&model.api_key_env, &setup.secret, carrier.plays()) {
            return Err(wrong(format!(
                "the environment variable {name} holds no key"
            )));
        }
        let headers = headers(setup.secret.as_deref(), auth).map_err(|()| {
            wrong("the key has characters that no HTTP header can carry".to_owned())
        })?;
        Ok(Self {
            carrier,
            chat,
            probe,
            headers,
            id: model.id.clone(),
            secret: setup.secret.clone(),
        })
    }

    /// Adds a header that the protocol needs.
    pub(in crate::provider) fn with_header(
        mut self,
        name: &'static str,
        value: &'static str,
    ) -> Self {
        self.headers.insert(name, HeaderValue::from_static(value));
        self
    }

    /// Sends a body and reads what comes back.
    pub(in crate::provider) async fn exchange(
        &self,
        body: Vec<u8>,
        request: &ChatRequest,
        protocol: &dyn Protocol,
    ) -> Result<ChatReply, ProviderError> {
        let sent = self.post(body).await;
        let outcome = match sent {
            Ok(incoming) => read(incoming, request, protocol).await,
            Err(error) => Err(error),
        };
        outcome.map_err(|error| self.named(error))
    }

    async fn post(&self, body: Vec<u8>) -> Result<Incoming, ProviderError> {
        let url = self.chat.as_str();
        self.carrier.post(url, self.headers.clone(), body).await
    }

    /// Sees whether anybody is there and takes the key; what else is answered does not matter.
    pub(in crate::provider) async fn probe(&self) -> Result<(), ProviderError> {
        let probe = self.probe.clone();
        let probed = self.carrier.probe(probe, self.headers.clone()).await;
        match probed.map_err(|error| self.named(error))? {
            401 => {
                let what = "HTTP status 401: it does not take the key";
                let kind = ProviderErrorKind::Settings(401);
                Err(self.named(ProviderError::new(kind, what)))
            }
            _ => Ok(()),
        }
    }

    /// Names the model, and takes the key out of whatever the endpoint said.
    pub(in crate::provider) fn named(&self, mut error: ProviderError) -> ProviderError {
        let message = format!("model `{}`: {}", self.id, error.message);
        error.message = match self.secret.as_deref() {
            Some(secret) if !secret.is_empty() => message.replace(secret, "***"),
            _ => message,
        };
        error
    }
}

fn headers(secret: Option<&str>, auth: Auth) -> Result<HeaderMap, ()> {
    let mut headers = HeaderMap::new();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    if let Some(secret) = secret {
        let (name, value) = auth.header(secret)?;
        headers.insert(name, value);
    }
    Ok(headers)
}

/// Why no answer began, in words of ours.
pub(in crate::provider) fn not_answered(error: reqwest::Error) -> ProviderError {
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
