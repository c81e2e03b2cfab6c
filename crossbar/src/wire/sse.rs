//! Server-sent events: bytes in whatever pieces a connection brings, whole events out.
//!
//! It follows the HTML standard, section 9.2 ("parsing an event stream"). An event holds its `event`
//! and `data`; `id` and `retry` are of the stream: they say how to go on with it once it was cut.
//! Nothing here reads a socket or a clock.

/// The longest event that is taken, in bytes: what an answer of a model may have, and far more
/// than one piece of it has.
pub const LONGEST_EVENT: usize = 64 << 20;

/// One event of a stream.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SseEvent {
    /// The event's type; `message` where the stream names none.
    pub event: String,
    /// Its data; the lines of several `data` fields are joined by `\n`.
    pub data: String,
}

/// What is wrong with a stream that has ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum SseFault {
    /// It ended within an event, which therefore is none.
    #[error("the stream ends within an event")]
    Cut,
    /// An event was longer than the decoder takes; it and all that followed were dropped.
    #[error("an event of the stream is longer than {longest} bytes")]
    TooLong {
        /// The bytes that one event may have.
        longest: usize,
    },
}

/// Decodes one stream, piece by piece. The same bytes give the same events however they are cut.
#[derive(Debug)]
pub struct SseDecoder {
    longest: usize,
    /// The line that is not yet whole.
    line: Vec<u8>,
    /// The last byte was a CR: an LF that follows belongs to it.
    after_cr: bool,
    /// No line has ended yet, so a byte order mark may still come.
    at_start: bool,
    event: String,
    /// The data of the event under way; `None` while no `data` field has come.
    data: Option<String>,
    /// The id of the event under way, and of the last whole one.
    id: Option<String>,
    last_id: Option<String>,
    retry_ms: Option<u64>,
    is_over: bool,
}

impl Default for SseDecoder {
    fn default() -> Self {
        Self::new(LONGEST_EVENT)
    }
}

impl SseDecoder {
    /// Takes events of up to `longest` bytes, which bounds what it holds.
    #[must_use]
    pub fn new(longest: usize) -> Self {
        Self {
            longest,
            line: Vec::new(),
            after_cr: false,
            at_start: true,
            event: String::new(),
            data: None,
            id: None,
            last_id: None,
            retry_ms: None,
            is_over: false,
        }
    }

    /// Takes the next bytes, and returns the events that they end.
    pub fn feed(&mut self, bytes: &[u8]) -> Vec<SseEvent> {
        let mut events = Vec::new();
        let mut rest = bytes;
        if self.after_cr && !rest.is_empty() {
            self.after_cr = false;
            rest = rest.strip_prefix(b"\n").unwrap_or(rest);
        }
        while !self.is_over {
            let Some(end) = rest.iter().position(|byte| matches!(byte, b'\r' | b'\n')) else {
                self.take(rest);
                break;
            };
            self.take(&rest[..end]);
            if self.is_over {
                break;
            }
            events.extend(self.end_line());
            let after = &rest[end + 1..];
            rest = match (rest[end], after.first()) {
                (b'\r', Some(b'\n')) => &after[1..],
                (ended_by, next) => {
                    self.after_cr = ended_by == b'\r' && next.is_none();
                    after
                }
            };
        }
        events
    }

    /// Whether an event was too long: nothing more will come out, so there is no use in reading on.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.is_over
    }

    /// The id of the last whole event, for `Last-Event-ID`; `None` while no event had one.
    #[must_use]
    pub fn last_id(&self) -> Option<&str> {
        self.last_id.as_deref().filter(|id| !id.is_empty())
    }

    /// The milliseconds to wait before the stream is asked for again, where it says so.
    #[must_use]
    pub fn retry_ms(&self) -> Option<u64> {
        self.retry_ms
    }

    /// Ends the stream.
    ///
    /// # Errors
    /// `SseFault::Cut` when it ended within an event (a last one without its blank line, or within
    /// a line), `SseFault::TooLong` when one was longer than the decoder takes.
    pub fn finish(self) -> Result<(), SseFault> {
        if self.is_over {
            return Err(SseFault::TooLong {
                longest: self.longest,
            });
        }
        if self.line.is_empty() && self.data.is_none() {
            Ok(())
        } else {
            Err(SseFault::Cut)
        }
    }

    fn take(&mut self, bytes: &[u8]) {
        let fields = [&self.data, &self.id].into_iter().flatten();
        let fields = fields.map(String::len).sum::<usize>();
        let held = self.line.len() + self.event.len() + fields;
        if held + bytes.len() > self.longest {
            self.is_over = true;
            self.line = Vec::new();
            self.data = None;
        } else {
            self.line.extend_from_slice(bytes);
        }
    }

    fn end_line(&mut self) -> Option<SseEvent> {
        let line = std::mem::take(&mut self.line);
        let mut line = line.as_slice();
        if std::mem::take(&mut self.at_start) {
            line = line.strip_prefix("\u{feff}".as_bytes()).unwrap_or(line);
        }
        if line.is_empty() {
            return self.dispatch();
        }
        // Whole lines alone are decoded, so no character is ever cut in two.
        let line = String::from_utf8_lossy(line);
        let (field, value) = line.split_once(':').unwrap_or((&line, ""));
        let value = value.strip_prefix(' ').unwrap_or(value);
        match field {
            "event" => value.clone_into(&mut self.event),
            "data" => match &mut self.data {
                Some(data) => {
                    data.push('\n');
                    data.push_str(value);
                }
                None => self.data = Some(value.to_owned()),
            },
            // An id that no header can carry is none.
            "id" if !value.contains('\0') => self.id = Some(value.to_owned()),
            "retry" if value.bytes().all(|byte| byte.is_ascii_digit()) => {
                self.retry_ms = value.parse().ok().or(self.retry_ms);
            }
            // A comment (its field is empty), or a field that means nothing here.
            _ => {}
        }
        None
    }

    fn dispatch(&mut self) -> Option<SseEvent> {
        self.last_id.clone_from(&self.id);
        let event = std::mem::take(&mut self.event);
        let data = self.data.take()?;
        let event = if event.is_empty() {
            "message".to_owned()
        } else {
            event
        };
        Some(SseEvent { event, data })
    }
}

#[cfg(test)]
mod tests;
