//! Source: YAML text to a tree whose every node knows its place, the readers that turn the tree
//! into values while collecting every problem, and the `Diagnostic` that shows a problem to a
//! person.
//!
//! This room must not know what a task, a roster or a check is, nor where a text came from: it
//! reads no file and no environment variable. The YAML parser's types do not leave `parse.rs`.

mod file;
mod secret;

mod diagnostic;
mod render;

mod tree;

mod parse;

mod key;

mod field;
mod fields;
mod json;
mod suggest;

mod expand;

pub use diagnostic::{Diagnostic, Problems, Severity};
pub use expand::expand;
pub use field::{Field, Spanned};
pub use fields::Fields;
pub use file::{File, Span};
pub use json::to_json;
pub use key::{Key, Section, Shape};
pub use parse::parse;
pub use render::{Colour, one_line, render};
pub use secret::looks_like_a_key;
pub use suggest::closest;
pub use tree::{Entry, Mapping, Node, Scalar, Style, Value};
