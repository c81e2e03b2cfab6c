//! A text with the path it is known by, and places in it.

/// A text and the path that messages name it by. Nothing is read from that path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct File {
    path: String,
    text: String,
}

impl File {
    /// Takes a path and its text. A leading byte-order mark is dropped and CR LF (and a lone CR,
    /// which YAML reads as a line break too) becomes LF, so a checkout on Windows has the same
    /// text, the same offsets and the same digest as one elsewhere.
    pub fn new(path: impl Into<String>, text: impl Into<String>) -> Self {
        let mut text = text.into();
        if let Some(rest) = text.strip_prefix('\u{FEFF}') {
            text = rest.to_owned();
        }
        if text.contains('\r') {
            text = text.replace("\r\n", "\n").replace('\r', "\n");
        }
        Self {
            path: path.into(),
            text,
        }
    }

    /// The path as it was given.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// The text after the changes that [`File::new`] names; [`Span`] offsets index this text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The place of the bytes `start..end`, moved to the nearest character boundaries at or before
    /// them and cut off at the end of the text.
    pub fn span(&self, start: usize, end: usize) -> Span {
        let start = self.text.floor_char_boundary(start);
        let end = self.text.floor_char_boundary(end).max(start);
        let before = self.text.get(..start).unwrap_or_default();
        let line_start = before.rfind('\n').map_or(0, |at| at + 1);
        Span {
            start,
            end,
            line: before.matches('\n').count() + 1,
            column: before.get(line_start..).unwrap_or_default().chars().count() + 1,
        }
    }
}

/// A place in a [`File`]: bytes `start..end` of its text, and where `start` is for a reader.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// First byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
    /// Line of `start`, from 1.
    pub line: usize,
    /// Column of `start` in characters, from 1.
    pub column: usize,
}

impl Span {
    /// The very beginning of a file, for problems that concern the file as a whole.
    pub const START: Span = Span {
        start: 0,
        end: 0,
        line: 1,
        column: 1,
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bom_and_crlf_are_the_same_text() {
        let unix = File::new("a.yaml", "id: x\nname: y\n");
        assert_eq!(File::new("a.yaml", "\u{FEFF}id: x\r\nname: y\r\n"), unix);
        assert_eq!(File::new("a.yaml", "id: x\rname: y\r"), unix);
    }

    #[test]
    fn columns_count_characters() {
        let file = File::new("a", "x\né😀z");
        let z = file.span(8, 9);
        assert_eq!((z.line, z.column, z.start, z.end), (2, 3, 8, 9));
        // inside the emoji: its first byte
        assert_eq!(
            file.span(5, 99),
            Span {
                start: 4,
                end: 9,
                line: 2,
                column: 2
            }
        );
    }
}
