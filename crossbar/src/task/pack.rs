//! A task pack: tasks that are run and judged together.

use super::Task;

/// A folder of tasks, or the Rust tasks of one package.
#[derive(Debug, Clone)]
pub struct TaskPack {
    /// The left part of its tasks' ids.
    pub id: String,
    /// Its name for reports; the id where none is written.
    pub name: String,
    /// What it is about.
    pub description: Option<String>,
    /// Its tasks, in the order of their files.
    pub tasks: Vec<Task>,
}
