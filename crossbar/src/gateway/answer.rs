//! The two forms in which every protocol answers: server-sent events, or one JSON object. What the
//! pieces mean is the protocol's own.

use super::protocol::{Answer, Told};
use crate::wire::SseDecoder;
use serde_json::Value;

/// What stands in the place of the last event of a stream, where it is no object.
const DONE: &str = "[DONE]";

/// What a protocol makes of an answer.
pub(super) trait Heard: Default + Send + 'static {
    /// Takes an event of a stream.
    fn event(&mut self, event: &Value);

    /// Takes the mark that a stream is over, where the protocol has one.
    fn done(&mut self) {}

    /// Takes an answer that came as one object.
    fn whole(&mut self, answer: &Value);

    /// What it has told so far.
    fn told(&self) -> &Told;
}

/// A reader of one answer in the form that its content type names.
pub(super) fn reader<H: Heard>(content_type: &str) -> Box<dyn Answer> {
    match content_type.starts_with("text/event-stream") {
        true => Box::new(Stream::<H>::default()),
        false => Box::new(Whole::<H>::default()),
    }
}

/// An answer that comes as events.
#[derive(Default)]
struct Stream<H> {
    decoder: SseDecoder,
    heard: H,
}

impl<H: Heard> Answer for Stream<H> {
    fn feed(&mut self, piece: &[u8]) {
        for event in self.decoder.feed(piece) {
            if event.data == DONE {
                self.heard.done();
            } else if let Ok(event) = serde_json::from_str(&event.data) {
                self.heard.event(&event);
            }
        }
    }

    /// The end of a stream is an event; that of its bytes says nothing.
    fn end(&mut self) {}

    fn told(&self) -> &Told {
        self.heard.told()
    }
}

/// An answer that is one JSON object.
#[derive(Default)]
struct Whole<H> {
    body: Vec<u8>,
    heard: H,
}

impl<H: Heard> Answer for Whole<H> {
    fn feed(&mut self, piece: &[u8]) {
        self.body.extend_from_slice(piece);
    }

    fn end(&mut self) {
        let answer = serde_json::from_slice(&self.body).unwrap_or_default();
        self.heard.whole(&answer);
    }

    fn told(&self) -> &Told {
        self.heard.told()
    }
}
