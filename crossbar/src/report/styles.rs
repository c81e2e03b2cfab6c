//! Colour: decided once by the face, handed to every renderer.

use owo_colors::OwoColorize;

/// How text is dressed. A face chooses once (terminal, `--color`, `NO_COLOR`); files are plain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Styles {
    /// No escape byte at all.
    Plain,
    /// ANSI colours.
    Coloured,
}

/// What a piece of text is, from which its colour follows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tone {
    /// Ordinary text.
    Text,
    /// A heading.
    Heading,
    /// Good news.
    Good,
    /// Bad news.
    Bad,
    /// Something to look at before acting.
    Warn,
    /// Secondary.
    Faint,
}

impl Styles {
    /// Dresses a text, which holds no line break; one without anything to see stays as it is.
    pub(super) fn paint(self, tone: Tone, text: &str) -> String {
        if text.trim().is_empty() {
            return text.to_owned();
        }
        match (self, tone) {
            (Self::Plain, _) | (_, Tone::Text) => text.to_owned(),
            (Self::Coloured, Tone::Heading) => text.bold().to_string(),
            (Self::Coloured, Tone::Good) => text.green().to_string(),
            (Self::Coloured, Tone::Bad) => text.red().to_string(),
            (Self::Coloured, Tone::Warn) => text.yellow().to_string(),
            (Self::Coloured, Tone::Faint) => text.dimmed().to_string(),
        }
    }
}
