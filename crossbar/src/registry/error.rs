//! What can be wrong with the tasks of a test binary that the macros can't see.

use crate::domain::{IdError, TaskId};

/// Why the collected tasks can't be used. Places are `file:line`.
#[derive(Debug, thiserror::Error)]
pub enum RegistryError {
    /// Two tasks have the same id.
    #[error("two tasks are called `{id}`: {first} and {second}; give one of them `id = \"..\"`")]
    Duplicate {
        /// The id.
        id: TaskId,
        /// One.
        first: String,
        /// The other.
        second: String,
    },
    /// Two solutions of one task.
    #[error("task `{id}` has two solutions: {first} and {second}; remove one")]
    TwoSolutions {
        /// The task.
        id: TaskId,
        /// One.
        first: String,
        /// The other.
        second: String,
    },
    /// Two mistakes of one task with one name.
    #[error("task `{id}` has two broken scripts `{name}`: {first} and {second}; rename one")]
    SameBroken {
        /// The task.
        id: TaskId,
        /// The name.
        name: String,
        /// One.
        first: String,
        /// The other.
        second: String,
    },
    /// A name that is no id.
    #[error("{place}: {source}")]
    Id {
        /// Where the task stands.
        place: String,
        /// What is wrong with it.
        source: IdError,
    },
    /// A case whose name is no id.
    #[error("{place}: a case of `{task}`: {source}")]
    CaseName {
        /// Where the task stands.
        place: String,
        /// The task.
        task: String,
        /// What is wrong with the name.
        source: IdError,
    },
    /// Two cases of one name, or of names that differ in case alone.
    #[error("{place}: `{task}` has two cases named `{name}`: names must differ in more than case")]
    SameCase {
        /// Where the task stands.
        place: String,
        /// The task.
        task: String,
        /// The later name.
        name: String,
    },
    /// A list of cases that is empty.
    #[error("{place}: `{task}` has no case: its `cases` are an empty list")]
    NoCase {
        /// Where the task stands.
        place: String,
        /// The task.
        task: String,
    },
    /// A forbidden tool that is not `server.tool`.
    #[error("{place}: {message}")]
    Forbid {
        /// Where the task stands.
        place: String,
        /// What is wrong with it.
        message: String,
    },
    /// A crate that `main!(packs = [..])` names brought no task along.
    #[error(
        "{place}: the crate `{name}` brought no task: put #[crossbar::task] on functions outside of \
         #[cfg(test)], and name the crate as it names itself"
    )]
    NotLinked {
        /// Where `main!` stands.
        place: String,
        /// The crate.
        name: String,
    },
}
