//! The fields of a check: their declaration in a table, their values, and what is wrong with one.

use super::MatchMode;
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// What a field holds, and so how a reader of text turns what was written into its [`Value`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FieldKind {
    /// Text as it was written, whatever it looks like: `Value::String`.
    Text,
    /// Anything that JSON can say.
    Json,
    /// A JSON object.
    Map,
    /// A whole number from 0 to 4294967295: `Value::Number`.
    Count,
    /// A finite number: `Value::Number`.
    Number,
    /// `true` or `false`: `Value::Bool`.
    Flag,
    /// One of these match modes, by its word: `Value::String`.
    Mode(&'static [MatchMode]),
}

/// A row of a check kind's field table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FieldSpec {
    /// The key as it is written.
    pub name: &'static str,
    /// What it holds.
    pub kind: FieldKind,
    /// Whether it must be there.
    pub required: bool,
    /// One line for help, schema and error messages; it names the default where there is one.
    pub doc: &'static str,
}

/// What is wrong with one field of a check.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("field `{field}`: {message}")]
pub struct FieldError {
    /// The field's name; its place in the text is known to the reader of the text.
    pub field: &'static str,
    /// What is wrong and how it is mended, without the field's name.
    pub message: String,
}

impl FieldError {
    pub(crate) fn new(field: &'static str, message: impl Into<String>) -> Self {
        Self {
            field,
            message: message.into(),
        }
    }
}

/// The values of one check's fields. Absent fields are absent; defaults are the check's affair.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Fields(BTreeMap<String, Value>);

impl Fields {
    /// Sets a field to a value of the form that its [`FieldKind`] names.
    pub fn set(&mut self, name: &str, value: Value) -> &mut Self {
        self.0.insert(name.to_owned(), value);
        self
    }

    /// Whether a field was written.
    #[must_use]
    pub fn has(&self, name: &str) -> bool {
        self.0.contains_key(name)
    }

    /// All fields by name, in the order of their names.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&String, &Value)> {
        self.0.iter()
    }

    /// A text that must be there.
    ///
    /// # Errors
    /// `FieldError` when it is absent or no text.
    pub fn text(&self, name: &'static str) -> Result<&str, FieldError> {
        self.optional_text(name)?.ok_or_else(|| missing(name))
    }

    /// A text that may be absent.
    ///
    /// # Errors
    /// `FieldError` when it is no text.
    pub fn optional_text(&self, name: &'static str) -> Result<Option<&str>, FieldError> {
        self.typed(name, "a text", Value::as_str)
    }

    /// A JSON value that must be there.
    ///
    /// # Errors
    /// `FieldError` when it is absent.
    pub fn json(&self, name: &'static str) -> Result<&Value, FieldError> {
        self.0.get(name).ok_or_else(|| missing(name))
    }

    /// A JSON object that may be absent.
    ///
    /// # Errors
    /// `FieldError` when it is no object.
    pub fn map(&self, name: &'static str) -> Result<Option<&Map<String, Value>>, FieldError> {
        self.typed(name, "a map", Value::as_object)
    }

    /// A whole number that may be absent.
    ///
    /// # Errors
    /// `FieldError` when it is none, or out of range.
    pub fn count(&self, name: &'static str) -> Result<Option<u32>, FieldError> {
        self.typed(name, "a whole number from 0 to 4294967295", |value| {
            value.as_u64().and_then(|n| u32::try_from(n).ok())
        })
    }

    /// A finite number that may be absent.
    ///
    /// # Errors
    /// `FieldError` when it is none.
    pub fn number(&self, name: &'static str) -> Result<Option<f64>, FieldError> {
        self.typed(name, "a finite number", |value| {
            value.as_f64().filter(|n| n.is_finite())
        })
    }

    /// A flag that may be absent.
    ///
    /// # Errors
    /// `FieldError` when it is neither `true` nor `false`.
    pub fn flag(&self, name: &'static str) -> Result<Option<bool>, FieldError> {
        self.typed(name, "`true` or `false`", Value::as_bool)
    }

    /// A match mode that may be absent.
    ///
    /// # Errors
    /// `FieldError` when it is none of `allowed`.
    pub fn mode(
        &self,
        name: &'static str,
        allowed: &[MatchMode],
    ) -> Result<Option<MatchMode>, FieldError> {
        let Some(word) = self.optional_text(name)? else {
            return Ok(None);
        };
        match allowed.iter().find(|mode| mode.word() == word) {
            Some(mode) => Ok(Some(*mode)),
            None => Err(FieldError::new(
                name,
                format!(
                    "`{word}` is no match mode here: use one of {}",
                    words(allowed)
                ),
            )),
        }
    }

    fn typed<'f, T>(
        &'f self,
        name: &'static str,
        what: &str,
        read: impl FnOnce(&'f Value) -> Option<T>,
    ) -> Result<Option<T>, FieldError> {
        match self.0.get(name) {
            None => Ok(None),
            Some(value) => match read(value) {
                Some(read) => Ok(Some(read)),
                None => Err(FieldError::new(name, format!("must be {what}"))),
            },
        }
    }
}

fn missing(name: &'static str) -> FieldError {
    FieldError::new(name, "is missing")
}

fn words(modes: &[MatchMode]) -> String {
    let words: Vec<&str> = modes.iter().map(|mode| mode.word()).collect();
    words.join(", ")
}
