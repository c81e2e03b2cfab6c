//! A fresh folder for one rollout, with a name that tells nothing.

use super::EnvError;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// A folder of one rollout. It is deleted when this is dropped.
#[derive(Debug)]
pub struct Workspace {
    /// Only we can list it, so that no rollout finds another beside its own.
    parent: TempDir,
    path: PathBuf,
}

impl Workspace {
    /// Makes a new one.
    ///
    /// # Errors
    /// `EnvError::Workspace` when the temporary folder can't be written.
    pub fn new() -> Result<Self, EnvError> {
        let parent = tempfile::Builder::new()
            .prefix("cb-")
            .rand_bytes(12)
            .tempdir()
            .map_err(EnvError::Workspace)?;
        let path = parent.path().join("work");
        std::fs::create_dir(&path).map_err(EnvError::Workspace)?;
        Ok(Self { parent, path })
    }

    /// The folder.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The path of something of this rollout that lies beside the folder.
    pub(super) fn beside(&self, name: &str) -> PathBuf {
        self.parent.path().join(name)
    }

    /// A name of this rollout that is random and says nothing about cell or task.
    #[must_use]
    pub fn opaque_id(&self) -> String {
        self.parent
            .path()
            .file_name()
            .map_or_else(String::new, |n| n.to_string_lossy().into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_workspaces_share_no_parent_and_leave_nothing() {
        let (one, two) = (Workspace::new().unwrap(), Workspace::new().unwrap());
        assert_ne!(one.path().parent(), two.path().parent());
        assert_eq!(
            one.path().file_name(),
            two.path().file_name(),
            "a stable shape"
        );
        assert_eq!(one.path().as_os_str().len(), two.path().as_os_str().len());
        let (path, parent) = (
            one.path().to_owned(),
            one.path().parent().unwrap().to_owned(),
        );
        std::fs::write(path.join("left"), "x").unwrap();
        drop(one);
        assert!(!path.exists() && !parent.exists());
    }
}
