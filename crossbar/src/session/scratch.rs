//! A folder for records that nobody keeps.

use super::SessionError;
use std::path::Path;

/// A folder that goes when this value does.
pub struct Scratch(tempfile::TempDir);

impl Scratch {
    /// A new, empty folder.
    ///
    /// # Errors
    /// `SessionError` when it can't be made.
    pub fn new() -> Result<Self, SessionError> {
        let folder = tempfile::Builder::new().prefix("crossbar-").tempdir();
        folder.map(Self).map_err(|error| {
            SessionError::new(format!("failed to make a temporary folder: {error}"))
                .help("check TMPDIR")
        })
    }

    /// Where it is.
    #[must_use]
    pub fn path(&self) -> &Path {
        self.0.path()
    }
}
