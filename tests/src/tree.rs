//! The repository as a value: paths to texts, so that a rule can be shown a planted violation
//! without touching the disk.

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

use crate::scan::{self, Source};

/// Folders that hold no source of ours.
const SKIPPED: [&str; 6] = [
    "target",
    ".git",
    "runs",
    "node_modules",
    "__pycache__",
    ".venv",
];

/// Endings of the files whose text is kept; of all others only the name is known.
const TEXTS: [&str; 10] = [
    ".rs",
    ".md",
    ".toml",
    ".tsv",
    ".yaml",
    ".py",
    ".sh",
    "LICENSE-MIT",
    "LICENSE-APACHE",
    ".ci/run",
];

/// Every file of the repository, by its path from the root with `/` between the parts.
#[derive(Debug, Default)]
pub struct Tree {
    files: BTreeMap<String, String>,
    sources: OnceCell<Vec<Source>>,
}

/// A place that breaks a rule.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Violation {
    /// Path from the root of the repository.
    pub path: String,
    /// Line, counted from 1; `None` where the file as a whole is meant.
    pub line: Option<usize>,
    /// What is wrong, and the cure where it is not obvious.
    pub text: String,
}

impl Violation {
    /// A violation of a file as a whole.
    pub fn of(path: impl Into<String>, text: impl Into<String>) -> Self {
        Self {
            path: path.into(),
            line: None,
            text: text.into(),
        }
    }

    /// A violation at a line.
    pub fn at(path: impl Into<String>, line: usize, text: impl Into<String>) -> Self {
        Self {
            path: path.into(),
            line: Some(line),
            text: text.into(),
        }
    }
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) => write!(f, "{}:{line}: {}", self.path, self.text),
            None => write!(f, "{}: {}", self.path, self.text),
        }
    }
}

/// The root of the repository: at run time, so that a moved or copied build finds its own tree.
pub fn root() -> PathBuf {
    let built = || env!("CARGO_MANIFEST_DIR").into();
    let package = PathBuf::from(std::env::var_os("CARGO_MANIFEST_DIR").unwrap_or_else(built));
    package.parent().map(Path::to_path_buf).unwrap_or_default()
}

impl Tree {
    /// Reads a folder with all below it, build products left out.
    ///
    /// # Errors
    /// When a folder or a text can't be read.
    pub fn load(root: &Path) -> std::io::Result<Self> {
        let mut tree = Self::default();
        tree.read_folder(root, "")?;
        Ok(tree)
    }

    fn read_folder(&mut self, folder: &Path, prefix: &str) -> std::io::Result<()> {
        for entry in fs::read_dir(folder)? {
            let entry = entry?;
            let name = entry.file_name().to_string_lossy().into_owned();
            let path = format!("{prefix}{name}");
            if entry.file_type()?.is_dir() {
                if !SKIPPED.contains(&name.as_str()) {
                    self.read_folder(&entry.path(), &format!("{path}/"))?;
                }
            } else if TEXTS.iter().any(|ending| path.ends_with(ending)) {
                let text = fs::read(entry.path())?;
                self.files
                    .insert(path, String::from_utf8_lossy(&text).into_owned());
            } else {
                self.files.insert(path, String::new());
            }
        }
        Ok(())
    }

    /// The same tree with one more file, or with another text in it.
    #[must_use]
    pub fn with(mut self, path: &str, text: &str) -> Self {
        self.files.insert(path.to_owned(), text.to_owned());
        self.sources = OnceCell::new();
        self
    }

    /// The same tree without some files.
    #[must_use]
    pub fn without(mut self, left_out: impl Fn(&str) -> bool) -> Self {
        self.files.retain(|path, _| !left_out(path));
        self.sources = OnceCell::new();
        self
    }

    /// The text of a file; empty for a file that is not text.
    pub fn text(&self, path: &str) -> Option<&str> {
        self.files.get(path).map(String::as_str)
    }

    /// Whether there is a file or a folder of this path; `""` is the root.
    pub fn exists(&self, path: &str) -> bool {
        let folder = format!("{path}/");
        path.is_empty()
            || self.files.contains_key(path)
            || self.files.keys().any(|file| file.starts_with(&folder))
    }

    /// All files in the order of their paths.
    pub fn files(&self) -> impl Iterator<Item = (&str, &str)> {
        self.files
            .iter()
            .map(|(path, text)| (path.as_str(), text.as_str()))
    }

    /// The Rust files that are ours: fixtures and user-shaped examples of misuse left out.
    pub fn sources(&self) -> &[Source] {
        self.sources.get_or_init(|| scan::sources(self))
    }

    /// The folders directly in `crossbar/src/` that are rooms.
    pub fn rooms(&self) -> BTreeSet<&str> {
        let inside = self
            .files
            .keys()
            .filter_map(|path| path.strip_prefix("crossbar/src/"));
        inside
            .filter_map(|path| path.split_once('/').map(|(room, _)| room))
            .filter(|room| !scan::is_door(room))
            .collect()
    }
}
