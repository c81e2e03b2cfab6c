//! Task: what a unit of work is, once it has been read: prompt, environment, checks, ceilings and
//! rules; and the task packs that hold them.
//!
//! This room must not know how a task is written: YAML and macros both end in these values. It
//! knows no model and no harness either: every cell of a task gets the same of everything here.

mod environment;
mod security;

mod declared;
mod unit;

mod pack;
mod problem;

pub use crate::check::ToolPattern;
pub use declared::{Declared, canonical};
pub use environment::{Address, EnvironmentSpec, ServerSpec, WORKSPACE_MARK};
pub use pack::TaskPack;
pub use problem::{TakenIds, TaskProblem, pack_problems, task_problems};
pub use security::SecurityPolicy;
pub use unit::{Place, Task};

#[cfg(test)]
mod fixtures;
