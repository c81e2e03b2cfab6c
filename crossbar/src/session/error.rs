//! Why a run can't begin, as text for a person: what, where, and the cure.

use std::fmt;

/// Why a run can't begin.
#[derive(Debug)]
pub struct SessionError {
    what: String,
    help: Option<String>,
}

impl SessionError {
    /// From a sentence fragment.
    #[must_use]
    pub fn new(what: impl Into<String>) -> Self {
        Self {
            what: what.into(),
            help: None,
        }
    }

    /// Adds the cure.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// From diagnostics that are rendered already, each with its own `error:`.
    pub(super) fn rendered(text: String) -> Self {
        Self {
            what: text,
            help: None,
        }
    }
}

impl fmt::Display for SessionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = self.what.trim_end();
        if what.starts_with("error") || what.starts_with("\u{1b}[") {
            f.write_str(what)?;
        } else {
            write!(f, "error: {what}")?;
        }
        match &self.help {
            Some(help) => write!(f, "\nhelp: {help}"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for SessionError {}

impl From<crate::store::StoreError> for SessionError {
    fn from(error: crate::store::StoreError) -> Self {
        Self::new(error.to_string())
    }
}
