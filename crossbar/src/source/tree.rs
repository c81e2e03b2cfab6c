//! The tree that a text becomes: texts, lists and mappings, each with its place.

use super::file::Span;

/// A value with its place.
#[derive(Debug, Clone, PartialEq)]
pub struct Node {
    /// Where the value is written; for a list or mapping, from its first character to its last.
    pub span: Span,
    /// The value.
    pub value: Value,
}

/// What a node holds.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// A text as it was written; its meaning (number, bool, text) is the reader's choice.
    Scalar(Scalar),
    /// A list.
    Sequence(Vec<Node>),
    /// Keys with values.
    Mapping(Mapping),
    /// Something that was already reported as a problem (an alias); readers pass over it.
    Refused,
}

/// A scalar: its text after YAML's own quoting and folding, and how it was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scalar {
    /// The text; empty with [`Style::Plain`] means that no value was written.
    pub text: String,
    /// How it was written.
    pub style: Style,
}

/// How a scalar was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    /// Bare: the only style that can be a number, a bool or null.
    Plain,
    /// In single or double quotes.
    Quoted,
    /// A `|` or `>` block.
    Block,
}

/// Entries in the order they were written, no key twice.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Mapping {
    /// The entries.
    pub entries: Vec<Entry>,
}

/// One key with its value.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    /// The key's text as it was written.
    pub key: String,
    /// Where the key is.
    pub key_span: Span,
    /// The value.
    pub node: Node,
}

impl Mapping {
    /// The entry of that key, if there is one.
    pub fn get(&self, key: &str) -> Option<&Entry> {
        self.entries.iter().find(|entry| entry.key == key)
    }
}
