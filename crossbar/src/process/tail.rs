//! The end of a stream, in bounded memory.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

/// How much of a child's standard error is kept.
const KEPT: usize = 64 * 1024;

/// Keeps the last `KEPT` bytes that were pushed.
#[derive(Debug, Default)]
pub(super) struct Tail {
    bytes: Mutex<VecDeque<u8>>,
}

impl Tail {
    pub(super) fn push(&self, chunk: &[u8]) {
        let mut bytes = self.bytes.lock().unwrap_or_else(PoisonError::into_inner);
        let chunk = &chunk[chunk.len().saturating_sub(KEPT)..];
        let excess = (bytes.len() + chunk.len()).saturating_sub(KEPT);
        bytes.drain(..excess);
        bytes.extend(chunk);
    }

    /// As text; bytes that are no UTF-8 (also half a character at the cut) become U+FFFD.
    pub(super) fn text(&self) -> String {
        let mut bytes = self.bytes.lock().unwrap_or_else(PoisonError::into_inner);
        String::from_utf8_lossy(bytes.make_contiguous()).into_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_the_end_however_the_pieces_come() {
        let tail = Tail::default();
        tail.push(b"early ");
        for _ in 0..3 {
            tail.push(&[b'x'; 40_000]);
        }
        tail.push(b" end");
        let text = tail.text();
        assert_eq!(text.len(), KEPT);
        assert!(text.starts_with('x') && text.ends_with("x end"));
        tail.push(&[b'y'; 2 * KEPT]);
        assert_eq!(tail.text(), "y".repeat(KEPT));
    }
}
