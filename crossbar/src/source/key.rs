//! The table of a format: which keys a mapping has, what each holds, and one line about it. The
//! readers read by it and the schema for editors is printed from it, so that they cannot differ.

/// What a key holds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Shape {
    /// A text as it was written, whatever it looks like.
    Text,
    /// A text with more than white space in it.
    Filled,
    /// A text of `A-Z a-z 0-9 _ . -`, not dots alone.
    Id,
    /// Plain `true` or `false`.
    Flag,
    /// A whole number from the first to the second, both included.
    Integer(u64, u64),
    /// A finite number from the first to the second, both included.
    Number(f64, f64),
    /// This and a whole number from 1, as one text: `WORD:5`.
    Counted(&'static str),
    /// One of these words.
    Word(&'static [&'static str]),
    /// Anything that JSON can say.
    Json,
    /// A list of these.
    List(&'static Shape),
    /// A mapping whose keys are the author's own, each with one of these.
    Map(&'static Shape),
    /// A mapping with keys of the format.
    Section(&'static Section),
    /// One of these two.
    Either(&'static [Shape; 2]),
    /// What a table of another room lists; whoever knows that table knows the name.
    Table(&'static str),
}

/// A row of the table of a mapping.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Key {
    /// The key as it is written.
    pub name: &'static str,
    /// What it holds.
    pub shape: Shape,
    /// Whether it must be there.
    pub required: bool,
    /// One line for a person, with the default where there is one.
    pub doc: &'static str,
}

impl Key {
    /// A key that may be absent.
    pub const fn optional(name: &'static str, shape: Shape, doc: &'static str) -> Self {
        Self {
            name,
            shape,
            required: false,
            doc,
        }
    }

    /// A key that must be there.
    pub const fn required(name: &'static str, shape: Shape, doc: &'static str) -> Self {
        Self {
            required: true,
            ..Self::optional(name, shape, doc)
        }
    }
}

/// The table of a mapping.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Section {
    /// What messages call the mapping: "a task", "`run`".
    pub what: &'static str,
    /// Its keys, in the order in which messages list them.
    pub keys: &'static [Key],
}
