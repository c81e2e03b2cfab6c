//! Where a project lives: a folder that is new, or one of a few that are used again and again.

use std::collections::BTreeMap;
use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};

/// A folder that belongs to one test as long as this value lives.
#[derive(Debug)]
pub(super) struct Place {
    path: PathBuf,
    kind: Kind,
}

#[derive(Debug)]
enum Kind {
    Fresh { _folder: tempfile::TempDir },
    Slot { _lock: File },
}

impl Place {
    /// A new, empty folder.
    pub(super) fn fresh() -> Self {
        let folder = tempfile::Builder::new()
            .prefix("crossbar-suite-")
            .tempdir()
            .unwrap();
        Self {
            path: folder.path().canonicalize().unwrap(),
            kind: Kind::Fresh { _folder: folder },
        }
    }

    /// The first folder of this clone that nobody holds. cargo tells packages apart by their folder,
    /// so folders that come back keep the number of built test binaries small.
    pub(super) fn slot() -> Self {
        let parent = parent();
        for number in 0.. {
            let lock = File::create(parent.join(format!("{number}.lock"))).unwrap();
            match lock.try_lock() {
                Ok(()) => {
                    let path = parent.join(number.to_string());
                    fs::create_dir_all(&path).unwrap();
                    return Self {
                        path: path.canonicalize().unwrap(),
                        kind: Kind::Slot { _lock: lock },
                    };
                }
                Err(TryLockError::WouldBlock) => {}
                Err(TryLockError::Error(error)) => panic!("{error}"),
            }
        }
        unreachable!("the numbers end later")
    }

    /// The one folder of that name, as soon as nobody holds it. For workspaces: cargo tells members
    /// apart by their place in the workspace, so two of them would build over each other.
    pub(super) fn alone(name: &str) -> Self {
        let parent = parent();
        let lock = File::create(parent.join(format!("{name}.lock"))).unwrap();
        lock.lock().unwrap();
        let path = parent.join(name);
        fs::create_dir_all(&path).unwrap();
        Self {
            path: path.canonicalize().unwrap(),
            kind: Kind::Slot { _lock: lock },
        }
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        if let Kind::Slot { .. } = self.kind {
            let _ = fs::remove_dir_all(self.path.join("runs"));
        }
    }
}

/// Where the folders of this clone's projects are.
fn parent() -> PathBuf {
    let name: String = crate::tree::root()
        .to_string_lossy()
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() { c } else { '-' })
        .collect();
    let parent = std::env::temp_dir().join(format!("crossbar-suites{name}"));
    fs::create_dir_all(&parent).unwrap();
    parent
}

/// The texts of a package, by path; what a run left behind is not part of it.
pub(super) fn files(folder: &Path) -> BTreeMap<String, String> {
    bytes(folder)
        .into_iter()
        .filter(|(path, _)| !path.starts_with("runs/") && !path.starts_with("target/"))
        .map(|(path, bytes)| (path, String::from_utf8(bytes).unwrap()))
        .collect()
}

/// Every file below a folder, by its path from there.
pub fn bytes(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut open = vec![folder.to_owned()];
    while let Some(next) = open.pop() {
        for entry in fs::read_dir(&next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path);
            } else {
                let name = path.strip_prefix(folder).unwrap().to_string_lossy();
                let name = name.replace('\\', "/");
                found.insert(name, fs::read(&path).unwrap());
            }
        }
    }
    found
}

/// Makes a folder hold these files and no others.
pub(super) fn become_exactly(folder: &Path, files: &BTreeMap<String, String>) {
    let _ = fs::remove_dir_all(folder.join("runs"));
    for path in bytes(folder).keys() {
        if !files.contains_key(path) {
            fs::remove_file(folder.join(path)).unwrap();
        }
    }
    for (path, text) in files {
        write(&folder.join(path), text);
    }
}

/// Writes a text unless it is there already: cargo goes by the time of the last change.
pub(super) fn write(path: &Path, text: &str) {
    if fs::read(path).is_ok_and(|there| there == text.as_bytes()) {
        return;
    }
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}
