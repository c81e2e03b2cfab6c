//! Names of tools as tasks write them: `server.tool`, `server.*`, or the bare tool name.

use serde::{Deserialize, Serialize};
use std::fmt;

/// Which tools are meant.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct ToolPattern(String);

/// Why a text names no tools.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PatternError {
    /// Nothing, or only space, was written.
    #[error("a tool's name is empty: write `server.tool`, `server.*` or `tool`")]
    Empty,
    /// A `*` that is not the whole tool part. Such a pattern would silently match nothing.
    #[error(
        "`{0}`: `*` stands only for all tools of one server: write `server.*`, or name the tools one by one"
    )]
    Star(String),
}

impl ToolPattern {
    /// Reads `server.tool`, `server.*` or `tool`.
    ///
    /// # Errors
    /// `PatternError` for an empty text and for a `*` anywhere else.
    pub fn parse(text: &str) -> Result<Self, PatternError> {
        let text = text.trim();
        let name = text.strip_suffix(".*").unwrap_or(text);
        if text.is_empty() {
            return Err(PatternError::Empty);
        }
        if name.is_empty() || name.contains('*') {
            return Err(PatternError::Star(text.to_owned()));
        }
        Ok(Self(text.to_owned()))
    }

    /// Whether a tool of a server is meant. A tool whose own name has dots is meant by its bare
    /// name as well as by `server.name`.
    #[must_use]
    pub fn matches(&self, server: &str, tool: &str) -> bool {
        if let Some(all_of) = self.0.strip_suffix(".*") {
            return all_of == server;
        }
        self.0 == tool
            || self
                .0
                .strip_prefix(server)
                .and_then(|rest| rest.strip_prefix('.'))
                .is_some_and(|rest| rest == tool)
    }

    /// The pattern as it was written.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for ToolPattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl TryFrom<String> for ToolPattern {
    type Error = PatternError;
    fn try_from(text: String) -> Result<Self, PatternError> {
        Self::parse(&text)
    }
}

impl From<ToolPattern> for String {
    fn from(pattern: ToolPattern) -> Self {
        pattern.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_three_forms_mean_what_they_say() {
        for (pattern, server, tool, meant) in [
            ("tickets.delete_all", "tickets", "delete_all", true),
            ("tickets.delete_all", "orders", "delete_all", false),
            ("tickets.delete_all", "tickets", "delete_all_now", false),
            ("tickets.*", "tickets", "anything", true),
            ("tickets.*", "tickets2", "anything", false),
            ("delete_all", "tickets", "delete_all", true),
            ("delete_all", "orders", "delete_all", true),
            ("delete_all", "orders", "delete", false),
            ("calendar.read", "google", "calendar.read", true),
            ("google.calendar.read", "google", "calendar.read", true),
            // A tool that does not exist has no server; the name that was asked for still counts.
            ("tickets.drop", "", "tickets.drop", true),
        ] {
            let read = ToolPattern::parse(pattern).unwrap();
            assert_eq!(
                read.matches(server, tool),
                meant,
                "{pattern} {server} {tool}"
            );
        }
    }

    #[test]
    fn a_pattern_that_would_match_nothing_is_refused() {
        assert_eq!(ToolPattern::parse("  "), Err(PatternError::Empty));
        for text in ["*", ".*", "tickets.delete_*", "*.delete", "a.*.*"] {
            assert_eq!(
                ToolPattern::parse(text),
                Err(PatternError::Star(text.to_owned()))
            );
        }
    }
}
