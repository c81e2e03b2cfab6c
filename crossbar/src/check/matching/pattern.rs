//! The mode `regex`: a regular expression against a value as text.

use super::at_key;
use super::mismatch::{Miss, Side};
use regex::Regex;
use serde_json::Value;
use std::borrow::Cow;

/// A compiled expression, or one per key.
#[derive(Debug, Clone)]
pub(super) enum Pattern {
    Text(Regex),
    Map(Vec<(String, Pattern)>),
}

impl Pattern {
    /// Compiles an expected value; the error says what is wrong with it.
    pub(super) fn new(expected: &Value) -> Result<Self, String> {
        match expected {
            Value::String(text) => match Regex::new(text) {
                Ok(regex) => Ok(Self::Text(regex)),
                Err(error) => Err(format!(
                    "`{text}`, which is no regular expression: {}",
                    reason(&error)
                )),
            },
            Value::Object(map) => map
                .iter()
                .map(|(key, value)| Ok((key.clone(), Self::new(value)?)))
                .collect::<Result<_, String>>()
                .map(Self::Map),
            other => Err(format!(
                "{other}, which is no regular expression: write it as a text"
            )),
        }
    }

    /// Holds it against an actual value.
    pub(super) fn test<'v>(&'v self, actual: &'v Value) -> Result<(), Miss<'v>> {
        match (self, actual) {
            (Self::Text(regex), _) if regex.is_match(&as_text(actual)) => Ok(()),
            (Self::Map(patterns), Value::Object(map)) => {
                for (key, pattern) in patterns {
                    let found = at_key(map, key, pattern.side())?;
                    pattern.test(found).map_err(|miss| miss.under_key(key))?;
                }
                Ok(())
            }
            _ => Err(Miss::new(self.side(), Side::Value(actual))),
        }
    }

    fn side(&self) -> Side<'_> {
        Side::Words(match self {
            Self::Text(regex) => format!("a text that matches /{}/", regex.as_str()),
            Self::Map(_) => "a map".to_owned(),
        })
    }
}

fn as_text(value: &Value) -> Cow<'_, str> {
    match value {
        Value::String(text) => Cow::Borrowed(text),
        other => Cow::Owned(other.to_string()),
    }
}

/// The last line of a syntax error names the fault; those before it draw the expression.
fn reason(error: &regex::Error) -> String {
    let text = error.to_string();
    let line = text.lines().last().unwrap_or_default().trim();
    line.strip_prefix("error: ").unwrap_or(line).to_owned()
}
