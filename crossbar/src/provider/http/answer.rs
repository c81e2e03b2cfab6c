//! An answer of an endpoint: refused, whole, or in pieces.

use super::refusal::unexplained;
use super::{retry_after, said};
use crate::provider::carrier::Incoming;
use crate::provider::{ChatReply, ChatRequest, ProviderError, ProviderErrorKind};
use crate::wire::{SseDecoder, SseEvent, excerpt};
use reqwest::header::CONTENT_TYPE;
use serde_json::Value;

/// No reply of a model comes near this; what does is no reply.
const LONGEST_BODY: usize = 64 << 20;

/// The end mark that chat completions send as an event of its own.
pub(in crate::provider) const DONE: &str = "[DONE]";

/// What a protocol makes of an answer.
pub(in crate::provider) trait Protocol {
    /// Reads an answer that came whole.
    fn whole(&self, body: &Value) -> Result<ChatReply, ProviderError>;

    /// Begins to read one that comes as a stream.
    fn stream(&self) -> Box<dyn Stream>;
}

/// An answer that comes in pieces: each event adds to what would have come whole.
pub(in crate::provider) trait Stream {
    /// Takes an event that is no error. `Err` with what is wrong with it.
    fn take(&mut self, event: &Value) -> Result<(), String>;

    /// Whether a part of an answer has come, so that it may have to be paid.
    fn has_begun(&self) -> bool;

    /// Whether nothing more is to come.
    fn is_over(&self) -> bool;

    /// The answer as it would have come whole; `None` when its end is missing.
    fn whole(&self) -> Option<Value>;
}

pub(super) async fn read(
    mut incoming: Incoming,
    request: &ChatRequest,
    protocol: &dyn Protocol,
) -> Result<ChatReply, ProviderError> {
    let status = incoming.status;
    let after = retry_after::of(&incoming.headers);
    let kind = incoming.headers.get(CONTENT_TYPE).cloned();
    let streams = kind.is_some_and(|kind| kind.as_bytes().starts_with(b"text/event-stream"));
    let answer = match ((200..300).contains(&status), streams) {
        (true, true) => streamed(&mut incoming, request, protocol).await,
        (true, false) => match body(&mut incoming).await {
            Ok(body) => whole(&body, request, protocol),
            Err((body, why)) => Err(cut(&body, &why)),
        },
        (false, _) => {
            // What came of a refusal that was cut says as much as the whole.
            let (Ok(body) | Err((body, _))) = body(&mut incoming).await;
            let json = serde_json::from_slice(&body).ok();
            let refusal = json.as_ref().and_then(said);
            Err(match refusal {
                Some(refusal) => refusal.with_status(status, request),
                None => unexplained(status, &body),
            })
        }
    };
    answer.map_err(|mut error| {
        error.after = after;
        error
    })
}

fn whole(
    body: &[u8],
    request: &ChatRequest,
    protocol: &dyn Protocol,
) -> Result<ChatReply, ProviderError> {
    let Ok(json) = serde_json::from_slice::<Value>(body) else {
        // Some servers stream under the content type of a whole answer.
        if body.starts_with(b"data:") || body.starts_with(b"event:") {
            let mut reader = Reader::new(protocol, request);
            reader.feed(body)?;
            return reader.ended("it ended before its last event");
        }
        return Err(bad(format!("the answer is not JSON: {}", excerpt(body))));
    };
    match said(&json) {
        Some(refusal) => Err(refusal.within(request)),
        None => protocol.whole(&json),
    }
}

/// Reads a stream to its end, or to the point from which nothing more is to come.
async fn streamed(
    incoming: &mut Incoming,
    request: &ChatRequest,
    protocol: &dyn Protocol,
) -> Result<ChatReply, ProviderError> {
    let mut reader = Reader::new(protocol, request);
    loop {
        match incoming.piece().await {
            Ok(Some(piece)) => reader.feed(&piece)?,
            Ok(None) => return reader.ended("it ended before its last event"),
            Err(why) => return reader.ended(&why),
        }
        if reader.stream.is_over() {
            return reader.ended("it ended without a word");
        }
        if reader.is_too_long() {
            return reader.ended(&format!("it is longer than {LONGEST_BODY} bytes"));
        }
    }
}

/// Adds the events of a stream up.
struct Reader<'a> {
    protocol: &'a dyn Protocol,
    request: &'a ChatRequest,
    decoder: SseDecoder,
    stream: Box<dyn Stream>,
    length: usize,
    /// What came last, to be quoted when nothing follows.
    last: Vec<u8>,
}

impl<'a> Reader<'a> {
    fn new(protocol: &'a dyn Protocol, request: &'a ChatRequest) -> Self {
        Self {
            protocol,
            request,
            decoder: SseDecoder::new(LONGEST_BODY),
            stream: protocol.stream(),
            length: 0,
            last: Vec::new(),
        }
    }

    fn feed(&mut self, chunk: &[u8]) -> Result<(), ProviderError> {
        self.length = self.length.saturating_add(chunk.len());
        if !chunk.is_empty() {
            self.last = chunk.to_vec();
        }
        let events = self.decoder.feed(chunk);
        events.iter().try_for_each(|event| self.take(event))
    }

    fn take(&mut self, event: &SseEvent) -> Result<(), ProviderError> {
        if self.stream.is_over() {
            return Ok(());
        }
        let json = match event.data.trim() {
            "" => return Ok(()),
            DONE => Value::String(DONE.to_owned()),
            text => serde_json::from_str(text).map_err(|_| {
                let begins = excerpt(text.as_bytes());
                bad(format!("a part of the answer is not JSON: {begins}"))
            })?,
        };
        match said(&json) {
            Some(refusal) if self.stream.has_begun() => Err(refusal.after_a_beginning()),
            Some(refusal) => Err(refusal.within(self.request)),
            None => self.stream.take(&json).map_err(bad),
        }
    }

    fn is_too_long(&self) -> bool {
        self.decoder.is_over() || self.length > LONGEST_BODY
    }

    fn ended(self, why: &str) -> Result<ChatReply, ProviderError> {
        match self.stream.whole() {
            Some(json) => self.protocol.whole(&json),
            None => Err(cut(&self.last, why)),
        }
    }
}

/// The whole body, or what came of it and why it ends there.
async fn body(incoming: &mut Incoming) -> Result<Vec<u8>, (Vec<u8>, String)> {
    let mut body = Vec::new();
    loop {
        match incoming.piece().await {
            Ok(Some(piece)) => body.extend_from_slice(&piece),
            Ok(None) => return Ok(body),
            Err(why) => return Err((body, why)),
        }
        if body.len() > LONGEST_BODY {
            return Err((body, format!("it is longer than {LONGEST_BODY} bytes")));
        }
    }
}

/// The error for an answer that ended too early. A part of it was read, so it may have been paid.
fn cut(body: &[u8], why: &str) -> ProviderError {
    bad(format!("the answer was cut off ({why}): {}", excerpt(body)))
}

fn bad(message: String) -> ProviderError {
    ProviderError::new(ProviderErrorKind::BadReply, message)
}
