//! How far a stream was read, so that it can be gone on with after a cut.

use crate::wire::SseDecoder;
use std::time::Duration;

/// How long to wait before a stream is asked for again, where it does not say.
const RETRY: Duration = Duration::from_secs(1);

/// The place in a stream, over all its connections.
#[derive(Debug)]
pub(super) struct Cursor {
    /// For `Last-Event-ID`.
    pub(super) last_id: Option<String>,
    /// How long to wait before going on.
    pub(super) retry: Duration,
    /// Why the last connection ended.
    pub(super) why: String,
    /// Connections in a row that brought nothing.
    pub(super) barren: u32,
}

impl Default for Cursor {
    fn default() -> Self {
        Self {
            last_id: None,
            retry: RETRY,
            why: String::new(),
            barren: 0,
        }
    }
}

impl Cursor {
    /// Takes over what the stream said of itself.
    pub(super) fn learn(&mut self, decoder: &SseDecoder) {
        if let Some(id) = decoder.last_id() {
            self.last_id = Some(id.to_owned());
        }
        if let Some(retry) = decoder.retry_ms() {
            self.retry = Duration::from_millis(retry);
        }
    }

    /// A connection has ended after so many events.
    pub(super) fn ended(&mut self, events: usize, why: String) {
        self.barren = match events {
            0 => self.barren + 1,
            _ => 0,
        };
        self.why = why;
    }
}
