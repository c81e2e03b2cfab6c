//! The match modes: how an expected value is held against an actual one.
//!
//! In every mode numbers compare as numbers (25 = 25.0), and an expected map is compared key by
//! key, so that a mismatch can name its path.

mod contains;
mod mismatch;
mod pattern;
mod same;
mod structure;

pub use mismatch::Mismatch;
pub(super) use mismatch::shorten;

use mismatch::{Miss, Side};
use pattern::Pattern;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// How an expected value is compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MatchMode {
    /// Every expected key and list item is there; more may be. An expected list item matches at
    /// any position, and one actual item answers for one expected item only.
    Subset,
    /// Equal in every key, item and position.
    Exact,
    /// A text occurs within the actual text, whatever the case of its letters, also inside lists
    /// and maps. An expected number, `true`, `false` or `null` equals one of the actual values, or
    /// occurs as text. Of an expected list each item must be contained.
    Contains,
    /// A regular expression matches somewhere in the actual value as text; a value that is no text
    /// is its compact JSON. An expected map holds an expression per key.
    Regex,
}

impl MatchMode {
    /// All modes.
    pub const ALL: &'static [Self] = &[Self::Subset, Self::Exact, Self::Contains, Self::Regex];

    /// The word after `match:`.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Subset => "subset",
            Self::Exact => "exact",
            Self::Contains => "contains",
            Self::Regex => "regex",
        }
    }
}

/// Holds an expected value against an actual one.
///
/// # Errors
/// `Mismatch` with path, expected and actual; also when the expected value makes no sense in this
/// mode (a pattern that is none).
pub fn matches(mode: MatchMode, expected: &Value, actual: &Value) -> Result<(), Mismatch> {
    match Matcher::new(mode, expected.clone()) {
        Ok(matcher) => matcher.test(actual),
        Err(why) => Err(Mismatch {
            path: String::new(),
            expected: why,
            actual: mismatch::text_of(actual),
        }),
    }
}

/// An expected value that is ready to be compared: its regular expressions are compiled.
#[derive(Debug, Clone)]
pub(super) struct Matcher(Prepared);

#[derive(Debug, Clone)]
enum Prepared {
    Subset(Value),
    Exact(Value),
    Contains(Value),
    Regex(Pattern),
}

impl Matcher {
    /// Prepares an expected value; the error says what is wrong with it.
    pub(super) fn new(mode: MatchMode, expected: Value) -> Result<Self, String> {
        if matches!(mode, MatchMode::Contains | MatchMode::Regex) && expected.as_str() == Some("") {
            return Err("an empty text, which is in every value: say what must be there".into());
        }
        Ok(Self(match mode {
            MatchMode::Subset => Prepared::Subset(expected),
            MatchMode::Exact => Prepared::Exact(expected),
            MatchMode::Contains => Prepared::Contains(expected),
            MatchMode::Regex => Prepared::Regex(Pattern::new(&expected)?),
        }))
    }

    /// Compares an actual value.
    pub(super) fn test(&self, actual: &Value) -> Result<(), Mismatch> {
        let result: Result<(), Miss<'_>> = match &self.0 {
            Prepared::Subset(expected) => structure::subset(expected, actual),
            Prepared::Exact(expected) => structure::exact(expected, actual),
            Prepared::Contains(expected) => contains::contains(expected, actual),
            Prepared::Regex(pattern) => pattern.test(actual),
        };
        result.map_err(Mismatch::from)
    }
}

/// The value of a key, or the miss that says that it is not there.
fn at_key<'v>(
    map: &'v serde_json::Map<String, Value>,
    key: &'v str,
    expected: Side<'v>,
) -> Result<&'v Value, Miss<'v>> {
    match map.get(key) {
        Some(value) => Ok(value),
        None => Err(Miss::new(expected, Side::Nothing).under_key(key)),
    }
}

#[cfg(test)]
mod tests;
