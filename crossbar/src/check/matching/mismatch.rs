//! Where a value is not what was expected, and how that is told.

use serde_json::Value;
use std::fmt;

/// The first place where an actual value is not what was expected.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mismatch {
    /// The path to it, as in `tickets[2].priority`; empty for the whole value.
    pub path: String,
    /// What was expected there, as JSON or in words, cut to a readable length.
    pub expected: String,
    /// What is there, likewise.
    pub actual: String,
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.path.is_empty() {
            write!(f, "at `{}`: ", self.path)?;
        }
        write!(f, "expected {}, got {}", self.expected, self.actual)
    }
}

/// A mismatch before it is put in words: comparing many list items costs no text.
#[derive(Debug)]
pub(super) struct Miss<'v> {
    /// From the innermost step outwards.
    steps: Vec<Step<'v>>,
    expected: Side<'v>,
    actual: Side<'v>,
}

#[derive(Debug)]
enum Step<'v> {
    Key(&'v str),
    Item(usize),
}

/// One side of a mismatch.
#[derive(Debug)]
pub(super) enum Side<'v> {
    Value(&'v Value),
    Nothing,
    Words(String),
}

impl<'v> Miss<'v> {
    pub(super) fn new(expected: Side<'v>, actual: Side<'v>) -> Self {
        Self {
            steps: Vec::new(),
            expected,
            actual,
        }
    }

    pub(super) fn of(expected: &'v Value, actual: &'v Value) -> Self {
        Self::new(Side::Value(expected), Side::Value(actual))
    }

    pub(super) fn under_key(mut self, key: &'v str) -> Self {
        self.steps.push(Step::Key(key));
        self
    }

    pub(super) fn under_item(mut self, index: usize) -> Self {
        self.steps.push(Step::Item(index));
        self
    }
}

impl From<Miss<'_>> for Mismatch {
    fn from(miss: Miss<'_>) -> Self {
        let mut path = String::new();
        for step in miss.steps.iter().rev() {
            let step = match step {
                Step::Item(index) => format!("[{index}]"),
                Step::Key(key) if !is_plain(key) => format!("[{key:?}]"),
                Step::Key(key) if path.is_empty() => (*key).to_owned(),
                Step::Key(key) => format!(".{key}"),
            };
            path.push_str(&step);
        }
        Self {
            path,
            expected: miss.expected.text(),
            actual: miss.actual.text(),
        }
    }
}

impl Side<'_> {
    fn text(&self) -> String {
        match self {
            Self::Value(value) => text_of(value),
            Self::Nothing => "nothing".to_owned(),
            Self::Words(words) => shorten(words),
        }
    }
}

fn is_plain(key: &str) -> bool {
    !key.is_empty()
        && key
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || b"_-".contains(&b))
}

/// A value as compact JSON of readable length.
pub(super) fn text_of(value: &Value) -> String {
    shorten(&value.to_string())
}

/// The longest text that a message quotes whole, in characters.
const LONGEST: usize = 200;

/// A text of readable length: a long one keeps its head, and says how long it was.
pub(in crate::check) fn shorten(text: &str) -> String {
    match text.char_indices().nth(LONGEST) {
        None => text.to_owned(),
        Some((cut, _)) => format!("{}… ({} characters)", &text[..cut], text.chars().count()),
    }
}
