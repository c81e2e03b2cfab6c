//! How a request comes to its model and how the answer comes back: over the network, where the tape
//! may write both down, or out of a recording. One that plays has no client, so nothing can be sent.

use super::http::not_answered;
use super::{ProviderError, ProviderErrorKind, Tape};
use crate::domain::{BodyEnd, RecordedAnswer};
use crate::wire::{causes, client};
use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use reqwest::{Response, Url};

/// The headers of an answer that are written down: they say how to read it and when to ask again.
/// No other is, since nobody knows what it holds.
const KEPT: [&str; 4] = [
    "content-type",
    "retry-after",
    "retry-after-ms",
    "x-should-retry",
];

/// The way to one host.
pub(super) struct Carrier {
    /// `None` where a recording is played.
    client: Option<reqwest::Client>,
    tape: Tape,
}

impl Carrier {
    /// The way to the host of a URL; `tape` decides whether there is one.
    ///
    /// # Errors
    /// When TLS can't be set up.
    pub(super) fn new(url: &Url, tape: &Tape) -> Result<Self, reqwest::Error> {
        Ok(Self {
            client: match tape.is_playing() {
                true => None,
                false => Some(client(url)?),
            },
            tape: tape.clone(),
        })
    }

    /// Whether answers come out of a recording.
    pub(super) fn plays(&self) -> bool {
        self.client.is_none()
    }

    /// Sends a body, once, and comes back as soon as the answer begins.
    ///
    /// # Errors
    /// `ProviderError` when no answer began.
    pub(super) async fn post(
        &self,
        url: &str,
        headers: HeaderMap,
        body: Vec<u8>,
    ) -> Result<Incoming, ProviderError> {
        let asked = asked(url);
        let Some(client) = &self.client else {
            return self.played(asked, &body).await;
        };
        let at = self.tape.ask(asked, &body);
        let sent = client.post(url).headers(headers).body(body).send().await;
        let response = sent
            .map_err(not_answered)
            .inspect_err(|error| self.tape.failed(at, error))?;
        let (status, headers) = (response.status().as_u16(), response.headers().clone());
        self.tape.begun(at, status, &kept(&headers));
        Ok(Incoming {
            status,
            headers,
            body: Body::Coming(response),
            tape: self.tape.clone(),
            at,
        })
    }

    /// Asks for what costs nothing, to see whether anybody is there; the status. A recording is
    /// always there.
    ///
    /// # Errors
    /// `ProviderError` when nobody answers.
    pub(super) async fn probe(&self, url: Url, headers: HeaderMap) -> Result<u16, ProviderError> {
        let Some(client) = &self.client else {
            return Ok(200);
        };
        let sent = client.get(url).headers(headers).send().await;
        Ok(sent.map_err(not_answered)?.status().as_u16())
    }

    /// Where the recorded rollout was left without an answer, this one is too: its limit of seconds
    /// ends it.
    async fn played(&self, asked: &str, body: &[u8]) -> Result<Incoming, ProviderError> {
        let failed = |kind, message| Err(ProviderError::new(kind, message));
        match self.tape.play(asked, body)? {
            RecordedAnswer::Unreachable { message } => {
                failed(ProviderErrorKind::Unreachable, message)
            }
            RecordedAnswer::Silent { message } => failed(ProviderErrorKind::BadReply, message),
            RecordedAnswer::Pending => std::future::pending().await,
            RecordedAnswer::Answered {
                status,
                headers,
                body,
                end,
            } => Ok(Incoming {
                status,
                headers: read(&headers),
                body: Body::Recorded {
                    body: Some(body.into_bytes()).filter(|body| !body.is_empty()),
                    end,
                },
                tape: self.tape.clone(),
                at: None,
            }),
        }
    }
}

/// An answer that has begun.
pub(super) struct Incoming {
    pub(super) status: u16,
    pub(super) headers: HeaderMap,
    body: Body,
    tape: Tape,
    at: Option<usize>,
}

enum Body {
    Coming(Response),
    Recorded { body: Option<Vec<u8>>, end: BodyEnd },
}

impl Incoming {
    /// The next piece of the body; `None` at its end.
    ///
    /// # Errors
    /// Why the connection broke.
    pub(super) async fn piece(&mut self) -> Result<Option<Vec<u8>>, String> {
        match &mut self.body {
            Body::Coming(response) => match response.chunk().await {
                Ok(Some(piece)) => {
                    self.tape.piece(self.at, &piece);
                    Ok(Some(piece.to_vec()))
                }
                Ok(None) => {
                    self.tape.ended(self.at, BodyEnd::Whole);
                    Ok(None)
                }
                Err(error) => {
                    let message = causes(&error.without_url());
                    let end = BodyEnd::Cut {
                        message: message.clone(),
                    };
                    self.tape.ended(self.at, end);
                    Err(message)
                }
            },
            Body::Recorded { body, end } => match (body.take(), end) {
                (Some(body), _) => Ok(Some(body)),
                (None, BodyEnd::Whole) => Ok(None),
                (None, BodyEnd::Cut { message }) => Err(message.clone()),
                (None, BodyEnd::LeftThere) => std::future::pending().await,
            },
        }
    }
}

/// The last part of a URL's path: addresses differ from run to run, and so do queries.
fn asked(url: &str) -> &str {
    let path = url.split(['?', '#']).next().unwrap_or_default();
    path.rsplit('/').next().unwrap_or_default()
}

fn kept(headers: &HeaderMap) -> Vec<(String, String)> {
    let kept = KEPT.iter().filter_map(|name| {
        let value = headers.get(*name)?.to_str().ok()?;
        Some(((*name).to_owned(), value.to_owned()))
    });
    kept.collect()
}

fn read(headers: &[(String, String)]) -> HeaderMap {
    let headers = headers.iter().filter_map(|(name, value)| {
        let name = HeaderName::from_bytes(name.as_bytes()).ok()?;
        Some((name, HeaderValue::from_str(value).ok()?))
    });
    headers.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{CellId, RecordedExchange, Recording, RolloutKey, TaskId};
    use std::pin::pin;
    use std::task::{Context, Poll, Waker};
    use std::time::Duration;

    /// What a step comes to at once; `None` where it waits.
    fn now<T>(step: impl Future<Output = T>) -> Option<T> {
        match pin!(step).poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(done) => Some(done),
            Poll::Pending => None,
        }
    }

    /// What is played of one recorded answer.
    fn played(answer: RecordedAnswer) -> Option<Result<Incoming, ProviderError>> {
        let recording = Recording {
            key: RolloutKey {
                cell: CellId::parse("m+react").unwrap(),
                task: TaskId::parse("desk::one").unwrap(),
                repeat: 1,
            },
            begun_at: "2026-11-30T10:00:00.000Z".to_owned(),
            exchanges: vec![RecordedExchange {
                asked: "messages".to_owned(),
                request: serde_json::json!({}),
                answer,
            }],
        };
        let url = "http://127.0.0.1:9/v1/messages";
        let tape = Tape::playing(recording, Duration::ZERO);
        let carrier = Carrier::new(&url.parse().unwrap(), &tape).unwrap();
        now(carrier.post(url, HeaderMap::new(), b"{}".to_vec()))
    }

    fn begun(end: BodyEnd) -> Incoming {
        let answer = RecordedAnswer::Answered {
            status: 200,
            headers: Vec::new(),
            body: "hello".to_owned(),
            end,
        };
        let mut incoming = played(answer).unwrap().ok().unwrap();
        assert_eq!(now(incoming.piece()).unwrap(), Ok(Some(b"hello".to_vec())));
        incoming
    }

    #[test]
    fn an_answer_is_played_as_it_came_and_an_absent_one_never_comes() {
        let message = || "gone".to_owned();
        let unreachable = played(RecordedAnswer::Unreachable { message: message() });
        let error = unreachable.unwrap().err().unwrap();
        assert_eq!(error.kind, ProviderErrorKind::Unreachable);
        let silent = played(RecordedAnswer::Silent { message: message() });
        let error = silent.unwrap().err().unwrap();
        assert_eq!(
            (error.kind, error.message),
            (ProviderErrorKind::BadReply, message())
        );
        assert!(played(RecordedAnswer::Pending).is_none());
        assert_eq!(now(begun(BodyEnd::Whole).piece()), Some(Ok(None)));
        let cut = BodyEnd::Cut { message: message() };
        assert_eq!(now(begun(cut).piece()), Some(Err(message())));
        assert_eq!(now(begun(BodyEnd::LeftThere).piece()), None);
    }

    #[test]
    fn what_is_asked_for_is_told_without_address_and_query() {
        for url in [
            "http://127.0.0.1:1/v1/messages?beta=true",
            "https://models.example/proxy/v1/messages",
        ] {
            assert_eq!(asked(url), "messages");
        }
    }

    #[test]
    fn only_headers_that_say_how_to_read_are_written_down() {
        let mut headers = HeaderMap::new();
        for (name, value) in [
            ("content-type", "text/event-stream"),
            ("set-cookie", "session=secret"),
            ("retry-after", "7"),
        ] {
            headers.insert(name, HeaderValue::from_static(value));
        }
        let expected = [("content-type", "text/event-stream"), ("retry-after", "7")];
        let expected = expected.map(|(name, value)| (name.to_owned(), value.to_owned()));
        assert_eq!(kept(&headers), expected);
        assert_eq!(kept(&read(&expected)), expected);
    }
}
