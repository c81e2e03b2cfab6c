//! Files that lie in a workspace for a program while it runs, and are gone before anybody looks at
//! what it has done.

use crate::domain::AddedFile;
use std::cell::RefCell;
use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

/// What was added to a workspace, oldest first.
#[derive(Debug, Default)]
pub(super) struct Added {
    files: RefCell<Vec<PathBuf>>,
    folders: RefCell<Vec<PathBuf>>,
}

impl Added {
    /// Puts files below a folder.
    ///
    /// # Errors
    /// When something lies there already, which would be lost, or it can't be written.
    pub(super) fn add(&self, below: &Path, files: &[AddedFile]) -> io::Result<()> {
        for file in files {
            let path = below.join(&file.path);
            self.make_folders(below, &path)?;
            let made = OpenOptions::new().write(true).create_new(true).open(&path);
            let mut made = made.map_err(|error| of_file(&file.path, &error))?;
            self.files.borrow_mut().push(path);
            let written = made.write_all(&file.bytes);
            written.map_err(|error| of_file(&file.path, &error))?;
        }
        Ok(())
    }

    fn make_folders(&self, below: &Path, path: &Path) -> io::Result<()> {
        let above = path.ancestors().skip(1);
        let above = above.take_while(|folder| *folder != below && !folder.exists());
        let mut missing: Vec<&Path> = above.collect();
        missing.reverse();
        for folder in missing {
            fs::create_dir(folder)?;
            self.folders.borrow_mut().push(folder.to_owned());
        }
        Ok(())
    }

    /// Takes them away again, whatever they hold by now. A folder in which something else lies stays.
    pub(super) fn remove(&self) {
        for file in self.files.take() {
            let _ = fs::remove_file(file);
        }
        for folder in self.folders.take().iter().rev() {
            let _ = fs::remove_dir(folder);
        }
    }
}

fn of_file(path: &str, error: &io::Error) -> io::Error {
    let why = match error.kind() {
        io::ErrorKind::AlreadyExists => {
            "the task puts a file of its own there: leave this cell out of the task".to_owned()
        }
        _ => error.to_string(),
    };
    let text = format!("failed to put `{path}` into the workspace: {why}");
    io::Error::new(error.kind(), text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(path: &str) -> AddedFile {
        AddedFile {
            path: path.to_owned(),
            bytes: b"x".to_vec(),
        }
    }

    #[test]
    fn what_was_added_goes_and_what_the_program_made_beside_it_stays() {
        let folder = tempfile::tempdir().unwrap();
        let (here, added) = (folder.path(), Added::default());
        added
            .add(
                here,
                &[
                    file("A.md"),
                    file(".a/skills/b/S.md"),
                    file(".a/skills/c/S.md"),
                ],
            )
            .unwrap();
        fs::write(here.join("A.md"), "changed").unwrap();
        fs::write(here.join(".a/skills/b/made"), "").unwrap();
        added.remove();
        assert!(!here.join("A.md").exists() && !here.join(".a/skills/c").exists());
        assert!(!here.join(".a/skills/b/S.md").exists());
        assert!(here.join(".a/skills/b/made").exists());
    }

    #[test]
    fn a_file_of_the_task_is_not_written_over() {
        let folder = tempfile::tempdir().unwrap();
        let here = folder.path();
        fs::write(here.join("A.md"), "the task's").unwrap();
        let added = Added::default();
        let error = added.add(here, &[file("A.md")]).unwrap_err().to_string();
        assert!(
            error.contains("`A.md`") && error.contains("leave this cell out"),
            "{error}"
        );
        added.remove();
        assert_eq!(fs::read_to_string(here.join("A.md")).unwrap(), "the task's");
    }
}
