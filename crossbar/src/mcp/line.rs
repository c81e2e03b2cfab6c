//! Lines from a stream, in bounded memory.

use tokio::io::{AsyncBufRead, AsyncBufReadExt};

/// What reading gave.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Line {
    /// A line, its end removed; the last one may lack an end.
    Text(Vec<u8>),
    /// The line is longer than the limit. The stream is of no use after that.
    TooLong,
    /// The stream has ended, or can't be read, which is the same to us.
    End,
}

/// A reader that keeps a half-read line when its future is dropped.
#[derive(Debug)]
pub(super) struct Lines<R> {
    stream: R,
    partial: Vec<u8>,
    limit: usize,
}

impl<R: AsyncBufRead + Unpin> Lines<R> {
    /// `limit`: the longest line, in bytes.
    pub(super) fn new(stream: R, limit: usize) -> Self {
        Self {
            stream,
            partial: Vec::new(),
            limit,
        }
    }

    /// The next line. Can be cancelled and called again without losing a byte: nothing is awaited
    /// between taking bytes from the stream and keeping them.
    pub(super) async fn next(&mut self) -> Line {
        loop {
            let available = match self.stream.fill_buf().await {
                Ok([]) | Err(_) => return self.last(),
                Ok(available) => available,
            };
            let end = available.iter().position(|byte| *byte == b'\n');
            let taken = end.unwrap_or(available.len());
            if self.partial.len() + taken > self.limit {
                return Line::TooLong;
            }
            self.partial.extend_from_slice(&available[..taken]);
            self.stream.consume(taken + usize::from(end.is_some()));
            if end.is_some() {
                return Line::Text(std::mem::take(&mut self.partial));
            }
        }
    }

    fn last(&mut self) -> Line {
        if self.partial.is_empty() {
            return Line::End;
        }
        Line::Text(std::mem::take(&mut self.partial))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::io::BufReader;

    async fn all(input: &[u8], limit: usize) -> Vec<Line> {
        let mut lines = Lines::new(BufReader::with_capacity(3, input), limit);
        let mut seen = Vec::new();
        loop {
            let line = lines.next().await;
            let over = matches!(line, Line::End | Line::TooLong);
            seen.push(line);
            if over {
                return seen;
            }
        }
    }

    #[tokio::test]
    async fn lines_come_whole_across_small_reads_and_the_last_needs_no_end() {
        let seen = all(b"abcdef\n\nxy", 6).await;
        let expected = [b"abcdef".to_vec(), Vec::new(), b"xy".to_vec()].map(Line::Text);
        assert_eq!(seen[..3], expected);
        assert_eq!(seen[3], Line::End);
    }

    #[tokio::test]
    async fn a_line_over_the_limit_is_refused_before_it_is_kept() {
        assert_eq!(all(b"abcdefg\n", 6).await, [Line::TooLong]);
    }
}
