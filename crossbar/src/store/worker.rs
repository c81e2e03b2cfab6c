//! Who is alive: a process holds the lock on its own file for as long as it lives.
//!
//! The operating system drops the lock at any kind of death, so neither process ids,
//! which come again, nor clocks, which jump, are needed.

use super::StoreError;
use std::fs::File;
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

/// Random characters of a worker's name.
const NAME: usize = 12;

/// This process as others see it. Dropping it is a clean death.
pub(super) struct Worker {
    name: String,
    /// Locked; removed from the folder when dropped.
    _file: NamedTempFile,
}

fn lock_file(folder: &Path, name: &str) -> PathBuf {
    folder.join(format!("{name}.lock"))
}

impl Worker {
    /// Makes a new name and takes its lock. Nothing may be begun in this name before.
    pub(super) fn announce(folder: &Path) -> Result<Self, StoreError> {
        let failed = |error: std::io::Error| StoreError::Worker {
            path: folder.to_owned(),
            why: error.to_string(),
        };
        std::fs::create_dir_all(folder).map_err(failed)?;
        let file = tempfile::Builder::new()
            .prefix("")
            .suffix(".lock")
            .rand_bytes(NAME)
            .tempfile_in(folder)
            .map_err(failed)?;
        file.as_file().lock().map_err(failed)?;
        let name = file
            .path()
            .file_stem()
            .map(|stem| stem.to_string_lossy().into_owned())
            .unwrap_or_default();
        Ok(Self { name, _file: file })
    }

    /// The name that its attempts carry.
    pub(super) fn name(&self) -> &str {
        &self.name
    }
}

/// Whether the process behind a name lives. When in doubt it does: then nothing runs twice.
///
/// The test takes a shared lock, so two processes that ask at once do not take each
/// other for the living worker.
pub(super) fn is_alive(folder: &Path, name: &str) -> bool {
    match File::open(lock_file(folder, name)) {
        Ok(file) => !matches!(file.try_lock_shared(), Ok(())),
        Err(error) => error.kind() != std::io::ErrorKind::NotFound,
    }
}

/// The names of the living, each with its file.
pub(super) fn living(folder: &Path) -> Vec<(String, File)> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let files = entries.filter_map(|entry| {
        let path = entry.path();
        let name = path.file_stem()?.to_string_lossy().into_owned();
        Some((name, File::open(path).ok()?))
    });
    files
        .filter(|(_, file)| !matches!(file.try_lock_shared(), Ok(())))
        .collect()
}

/// Removes what a dead process left in the folder.
pub(super) fn bury(folder: &Path, name: &str) {
    // Another process may have done it first; a file that stays does no harm.
    let _ = std::fs::remove_file(lock_file(folder, name));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_worker_lives_while_it_holds_its_lock() {
        let folder = tempfile::tempdir().unwrap();
        let worker = Worker::announce(folder.path()).unwrap();
        let name = worker.name().to_owned();
        assert!(is_alive(folder.path(), &name));
        drop(worker);
        assert!(!is_alive(folder.path(), &name));
        assert!(!is_alive(folder.path(), "never-was"));
    }

    #[test]
    fn two_who_ask_at_once_do_not_take_each_other_for_the_living() {
        let folder = tempfile::tempdir().unwrap();
        let left_behind = lock_file(folder.path(), "dead");
        std::fs::write(&left_behind, "").unwrap();
        let asking = File::open(&left_behind).unwrap();
        asking.try_lock_shared().unwrap();
        assert!(!is_alive(folder.path(), "dead"));
        bury(folder.path(), "dead");
        assert!(!left_behind.exists());
    }
}
