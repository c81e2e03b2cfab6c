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

    /// The model's id.
    #[must_use]
    pub fn model(&self) -> &str {
        &self.model
    }

    /// The harness's id.
    #[must_use]
    pub fn harness(&self) -> &str {
        &self.harness
    }
}

impl fmt::Display for CellId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
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

    /// The pack's id.
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
