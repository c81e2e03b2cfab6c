//! A page of text: headings, paragraphs that wrap at the right width, colours.

use super::Styles;
use super::styles::Tone;
use super::visible::{COLUMNS, one_line, width};

/// The column in which the text of labelled paragraphs begins.
pub(super) const HANG: usize = 17;

/// A piece of a line with its tone.
pub(super) type Span<'a> = (Tone, &'a str);

/// Lines of text, at most `COLUMNS` wide.
pub(super) struct Page {
    styles: Styles,
    out: String,
}

/// One unbreakable piece of a paragraph.
struct Word {
    tone: Tone,
    text: String,
}

impl Page {
    pub(super) fn new(styles: Styles) -> Self {
        Self {
            styles,
            out: String::new(),
        }
    }

    pub(super) fn finish(self) -> String {
        self.out
    }

    pub(super) fn blank(&mut self) {
        self.out.push('\n');
    }

    /// A section's heading, with a blank line above and below.
    pub(super) fn heading(&mut self, text: &str) {
        self.blank();
        self.line(&[(Tone::Heading, text)]);
        self.blank();
    }

    /// One line as it is: the caller has seen to its width and its characters.
    pub(super) fn line(&mut self, spans: &[Span<'_>]) {
        for (tone, text) in spans {
            self.out.push_str(&self.styles.paint(*tone, text));
        }
        self.out.push('\n');
    }

    /// A paragraph of plain text: `label` at column 2, the text from column `hang` on, wrapped.
    pub(super) fn item(&mut self, label: &str, hang: usize, text: &str) {
        self.paragraph(label, hang, &[(Tone::Text, text)]);
    }

    /// A paragraph of spans: `label` at column 2, the rest from column `hang` on, wrapped at
    /// spaces. A figure stays on one line with its interval, and a tag with what it tags.
    pub(super) fn paragraph(&mut self, label: &str, hang: usize, spans: &[Span<'_>]) {
        let label = one_line(label);
        let start = if label.is_empty() {
            String::new()
        } else {
            format!("  {label}")
        };
        let mut used = width(&start);
        self.out.push_str(&self.styles.paint(Tone::Heading, &start));
        let mut fresh = true;
        let room = COLUMNS - hang;
        for word in spans
            .iter()
            .flat_map(|(tone, text)| words(*tone, text, room))
        {
            let wide = width(&word.text);
            if fresh && used < hang {
                self.out.push_str(&" ".repeat(hang - used));
                used = hang;
            } else if used == 0 {
                // a paragraph at the left edge begins there
            } else if used + 1 + wide > COLUMNS {
                self.out.push('\n');
                self.out.push_str(&" ".repeat(hang));
                used = hang;
            } else {
                self.out.push(' ');
                used += 1;
            }
            fresh = false;
            self.out.push_str(&self.styles.paint(word.tone, &word.text));
            used += wide;
        }
        self.out.push('\n');
    }
}

/// Splits at spaces, but neither inside square brackets nor before one, so that a figure keeps its
/// interval; what is still wider than `room` is cut into pieces.
fn words(tone: Tone, text: &str, room: usize) -> Vec<Word> {
    let (mut words, mut current, mut depth) = (Vec::new(), String::new(), 0_u32);
    let text = one_line(text);
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '[' => depth += 1,
            ']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        let full = width(&current) + 2 > room;
        let glued = depth > 0 || (chars.peek() == Some(&'[') && !current.is_empty());
        if (c == ' ' && !glued) || full {
            words.push(std::mem::take(&mut current));
            depth = 0;
        }
        if c != ' ' || (glued && !current.is_empty()) {
            current.push(c);
        }
    }
    words.push(current);
    words.retain(|word| !word.is_empty());
    words.into_iter().map(|text| Word { tone, text }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(write: impl Fn(&mut Page)) -> String {
        let mut page = Page::new(Styles::Plain);
        write(&mut page);
        page.finish()
    }

    #[test]
    fn a_paragraph_wraps_under_its_text_and_keeps_brackets_whole() {
        let text = format!(
            "{} +0.0pp [-15.0 to +15.0] [tasks like these] end",
            "x".repeat(60)
        );
        let out = page(|page| page.item("LABEL", 10, &text));
        let lines: Vec<_> = out.lines().collect();
        assert_eq!(lines[0], format!("  LABEL   {}", "x".repeat(60)));
        assert_eq!(
            lines[1],
            "          +0.0pp [-15.0 to +15.0] [tasks like these] end"
        );
    }

    #[test]
    fn no_text_is_wider_than_the_page() {
        for text in [
            "y".repeat(500),
            "[ a".repeat(200),
            "字 ".repeat(300),
            "a\nb\u{1b}c".repeat(80),
        ] {
            let out = page(|page| page.item("A", 20, &text));
            assert!(out.lines().all(|line| width(line) <= COLUMNS), "{out}");
            assert!(!out.contains('\u{1b}'));
        }
    }

    #[test]
    fn colours_are_only_in_the_coloured_page() {
        let mut page = Page::new(Styles::Coloured);
        page.paragraph("A", 4, &[(Tone::Good, "fine"), (Tone::Text, "text")]);
        assert!(page.finish().contains('\u{1b}'));
    }
}
