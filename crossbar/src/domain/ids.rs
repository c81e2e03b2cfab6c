//! The names of things: cell, task, case, rollout, run.
//!
//! A plan names each cell and task many times over, so their names are shared, not copied.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::sync::Arc;

/// Why a text is not an id.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum IdError {
    /// A character outside `[A-Za-z0-9_.-]`, or an empty text.
    #[error("`{0}` is not an id: use one or more of A-Z a-z 0-9 _ . -")]
    Characters(String),
    /// The text has not the parts that this kind of id is made of.
    #[error("`{0}` is not of the form {1}")]
    Form(String, &'static str),
    /// A text that can't name what another tool measured.
    #[error(
        "`{0}` is no name: use 1 to {LONGEST} characters, none that hides or moves the others, and no space at either end"
    )]
    Name(String),
}

/// The most characters of a name that another tool gave.
const LONGEST: usize = 200;

/// Whether a text can be the name that another tool gave to a cell or a task: what a person sees
/// is all there is, so that two names never look the same.
fn is_name(text: &str) -> bool {
    let hides = |c: char| {
        c.is_control()
            || (c.is_whitespace() && c != ' ')
            || matches!(u32::from(c), 0xAD | 0x61C | 0x180E | 0x200B..=0x200F | 0x202A..=0x202E)
            || matches!(u32::from(c), 0x2060..=0x206F | 0xFE00..=0xFE0F | 0xFEFF | 0xFFF9..=0xFFFB)
            || matches!(u32::from(c), 0xE0000..=0xE0FFF)
    };
    (1..=LONGEST).contains(&text.chars().count())
        && text.trim_matches(' ') == text
        && !text.chars().any(hides)
}

fn name(text: &str) -> Result<&str, IdError> {
    if is_name(text) {
        Ok(text)
    } else {
        Err(IdError::Name(text.to_owned()))
    }
}

/// Whether a text can be an id: one or more of `[A-Za-z0-9_.-]`.
#[must_use]
pub const fn is_id(text: &str) -> bool {
    let mut rest = text.as_bytes();
    while let [first, more @ ..] = rest {
        if !(first.is_ascii_alphanumeric() || matches!(first, b'_' | b'.' | b'-')) {
            return false;
        }
        rest = more;
    }
    !text.is_empty()
}

fn plain(text: &str) -> Result<&str, IdError> {
    if is_id(text) {
        Ok(text)
    } else {
        Err(IdError::Characters(text.to_owned()))
    }
}

/// One model with one harness, written `model+harness`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct CellId {
    model: Arc<str>,
    harness: Arc<str>,
}

impl CellId {
    /// Joins a model id and a harness id.
    ///
    /// # Errors
    /// `IdError::Characters` when either is not made of `[A-Za-z0-9_.-]`.
    pub fn new(model: &str, harness: &str) -> Result<Self, IdError> {
        Ok(Self {
            model: plain(model)?.into(),
            harness: plain(harness)?.into(),
        })
    }

    /// Reads `model+harness`.
    ///
    /// # Errors
    /// `IdError` when there is not exactly one `+` between two ids.
    pub fn parse(text: &str) -> Result<Self, IdError> {
        match text.split_once('+') {
            Some((model, harness)) => Self::new(model, harness),
            None => Err(IdError::Form(text.to_owned(), "model+harness")),
        }
    }

    /// Reads the cell of a result that another tool produced: `model+harness` where it is written
    /// so, else the whole text as one name, which stays as it is.
    ///
    /// # Errors
    /// `IdError::Name` when it is no name either.
    pub fn imported(text: &str) -> Result<Self, IdError> {
        Self::parse(text).or_else(|_| {
            Ok(Self {
                model: name(text)?.into(),
                harness: "".into(),
            })
        })
    }

    /// The model's id; the whole name of an imported cell that has no harness.
    #[must_use]
    pub fn model(&self) -> &str {
        &self.model
    }

    /// The harness's id; empty for an imported cell that has none.
    #[must_use]
    pub fn harness(&self) -> &str {
        &self.harness
    }
}

impl fmt::Display for CellId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.harness.is_empty() {
            return f.write_str(&self.model);
        }
        write!(f, "{}+{}", self.model, self.harness)
    }
}

impl TryFrom<String> for CellId {
    type Error = IdError;
    fn try_from(text: String) -> Result<Self, IdError> {
        Self::parse(&text)
    }
}

impl From<CellId> for String {
    fn from(id: CellId) -> Self {
        id.to_string()
    }
}

/// A task within its pack, written `pack::task`; unique over a sweep.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct TaskId {
    pack: Arc<str>,
    task: Arc<str>,
}

impl TaskId {
    /// Joins a pack id and a task id.
    ///
    /// # Errors
    /// `IdError::Characters` when either is not made of `[A-Za-z0-9_.-]`.
    pub fn new(pack: &str, task: &str) -> Result<Self, IdError> {
        Ok(Self {
            pack: plain(pack)?.into(),
            task: plain(task)?.into(),
        })
    }

    /// Another task of the same pack.
    ///
    /// # Errors
    /// `IdError::Characters` when the id is not made of `[A-Za-z0-9_.-]`.
    pub fn sibling(&self, task: &str) -> Result<Self, IdError> {
        Ok(Self {
            pack: Arc::clone(&self.pack),
            task: plain(task)?.into(),
        })
    }

    /// Reads `pack::task`.
    ///
    /// # Errors
    /// `IdError` when there is no `::` between two ids.
    pub fn parse(text: &str) -> Result<Self, IdError> {
        match text.split_once("::") {
            Some((pack, task)) => Self::new(pack, task),
            None => Err(IdError::Form(text.to_owned(), "pack::task")),
        }
    }

    /// Reads the task of a result that another tool produced: `pack::task` where it is written so,
    /// else the whole text as one name, which stays as it is.
    ///
    /// # Errors
    /// `IdError::Name` when it is no name either.
    pub fn imported(text: &str) -> Result<Self, IdError> {
        Self::parse(text).or_else(|_| {
            Ok(Self {
                pack: "".into(),
                task: name(text)?.into(),
            })
        })
    }

    /// The pack's id; empty for an imported task that has none.
    #[must_use]
    pub fn pack(&self) -> &str {
        &self.pack
    }

    /// The task's id inside its pack.
    #[must_use]
    pub fn task(&self) -> &str {
        &self.task
    }
}

impl fmt::Display for TaskId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.pack.is_empty() {
            return f.write_str(&self.task);
        }
        write!(f, "{}::{}", self.pack, self.task)
    }
}

impl TryFrom<String> for TaskId {
    type Error = IdError;
    fn try_from(text: String) -> Result<Self, IdError> {
        Self::parse(&text)
    }
}

impl From<TaskId> for String {
    fn from(id: TaskId) -> Self {
        id.to_string()
    }
}

/// One cell on one task, as the test runner lists it: `pack::task::model+harness`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct CaseId {
    /// The task.
    pub task: TaskId,
    /// The cell.
    pub cell: CellId,
}

impl fmt::Display for CaseId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}::{}", self.task, self.cell)
    }
}

/// One attempt-independent place in the matrix: cell, task and repeat (from 1).
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct RolloutKey {
    /// The cell.
    pub cell: CellId,
    /// The task.
    pub task: TaskId,
    /// The repeat, counted from 1.
    pub repeat: u32,
}

impl RolloutKey {
    /// The case that this rollout belongs to.
    #[must_use]
    pub fn case(&self) -> CaseId {
        CaseId {
            task: self.task.clone(),
            cell: self.cell.clone(),
        }
    }
}

impl fmt::Display for RolloutKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}::{} r{}", self.task, self.cell, self.repeat)
    }
}

/// The name of one run over a matrix; also the name of its folder.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct RunId(String);

impl RunId {
    /// Takes a text that is safe as a folder name.
    ///
    /// # Errors
    /// `IdError::Characters` for anything else, and for `latest`, `.` and `..`.
    pub fn new(text: &str) -> Result<Self, IdError> {
        if matches!(text, "latest" | "." | "..") {
            return Err(IdError::Characters(text.to_owned()));
        }
        plain(text).map(|text| Self(text.to_owned()))
    }

    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for RunId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl TryFrom<String> for RunId {
    type Error = IdError;
    fn try_from(text: String) -> Result<Self, IdError> {
        Self::new(&text)
    }
}

impl From<RunId> for String {
    fn from(id: RunId) -> Self {
        id.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_is_written_model_plus_harness() {
        let cell = CellId::parse("mock-weak+react-verify").unwrap();
        assert_eq!(
            (cell.model(), cell.harness()),
            ("mock-weak", "react-verify")
        );
        assert_eq!(cell.to_string(), "mock-weak+react-verify");
        assert!(CellId::parse("mock-weak").is_err());
        assert!(CellId::parse("a+b+c").is_err());
        assert!(CellId::parse("a/b+c").is_err());
    }

    #[test]
    fn an_imported_name_stays_as_it_is_and_hides_nothing() {
        for text in [
            "openai/gpt-4o",
            "GPT 4 (high)",
            "a+b+c",
            "Überweisung",
            "m+h",
        ] {
            assert_eq!(CellId::imported(text).unwrap().to_string(), text);
            assert_eq!(TaskId::imported(text).unwrap().to_string(), text);
        }
        assert_eq!(CellId::imported("m+h"), CellId::parse("m+h"));
        assert_eq!(TaskId::imported("p::t"), TaskId::parse("p::t"));
        let long = "x".repeat(LONGEST + 1);
        for bad in [
            "",
            " a",
            "a\tb",
            "a\u{200B}b",
            "a\u{A0}b",
            "a\nb",
            "a\u{202E}b",
            &long,
        ] {
            assert!(CellId::imported(bad).is_err(), "{bad:?}");
            assert!(TaskId::imported(bad).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn a_case_names_pack_task_and_cell() {
        let case = CaseId {
            task: TaskId::parse("desk::close.one").unwrap(),
            cell: CellId::parse("m+h").unwrap(),
        };
        assert_eq!(case.to_string(), "desk::close.one::m+h");
    }

    #[test]
    fn a_run_id_is_a_safe_folder_name() {
        for bad in ["", "..", ".", "latest", "a/b", "a b"] {
            assert!(RunId::new(bad).is_err(), "{bad}");
        }
        assert!(RunId::new("20261129T205100Z-7f3a").is_ok());
    }
}
