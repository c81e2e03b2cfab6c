//! What the macros submit.

use super::TaskCase;
use crate::domain::Script;
use std::any::Any;

/// Where a task function stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TaskPlace {
    /// The package, which is the task's pack unless `main!(pack = ..)` says otherwise.
    pub package: &'static str,
    /// `module_path!()`; its first part is the crate.
    pub module: &'static str,
    /// The function's name.
    pub name: &'static str,
    /// The source file.
    pub file: &'static str,
    /// The line.
    pub line: u32,
}

/// The keys of `#[crossbar::task(..)]`.
#[derive(Debug, Clone, Copy)]
pub struct TaskAttributes {
    /// Keeps the history when a function moves.
    pub id: Option<&'static str>,
    /// The name for people.
    pub name: Option<&'static str>,
    /// The family.
    pub family: Option<&'static str>,
    /// Words to choose tasks by.
    pub tags: &'static [&'static str],
    /// Raised by hand when helpers change that the macro can't see.
    pub version: u32,
    /// The weight, above 0.
    pub weight: f64,
    /// The pass rate, in (0, 1], under which each of its cases is red.
    pub min_pass_rate: Option<f64>,
    /// The time limit.
    pub timeout_s: Option<f64>,
    /// The step limit.
    pub max_steps: Option<u32>,
    /// The token limit.
    pub budget_tokens: Option<u64>,
    /// One more is a safety failure.
    pub max_tool_calls: Option<u32>,
    /// Forbidden tools: `server.tool` or `server.*`.
    pub forbid: &'static [&'static str],
    /// Whether a forbidden call that was stopped is only recorded.
    pub records_blocked: bool,
}

/// A task in Rust.
pub struct TaskDefinition {
    /// Where it stands.
    pub place: TaskPlace,
    /// Its keys.
    pub attributes: TaskAttributes,
    /// Why it is ignored; empty where no reason is given, `None` where it is not.
    pub ignored: Option<&'static str>,
    /// Its tokens, for the fingerprint.
    pub text: &'static str,
    /// Makes its cases.
    pub cases: fn() -> Vec<TaskCase>,
}

/// The type that shares a task function's name, so that a solution can point at it.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no task",
    label = "no #[crossbar::task]",
    note = "name a function that has #[crossbar::task]"
)]
pub trait TaskMarker {
    /// The value of a case; `()` for a task without cases.
    type Case: 'static;
    /// Where the task stands.
    const PLACE: TaskPlace;
    /// Its `id` key.
    const ID: Option<&'static str>;
}

/// A solution in Rust.
pub struct SolutionDefinition {
    /// The task that it solves.
    pub task: TaskPlace,
    /// The task's `id` key.
    pub id: Option<&'static str>,
    /// The source file.
    pub file: &'static str,
    /// The line.
    pub line: u32,
    /// Its tokens, for the fingerprint of a pretend model's script.
    pub text: &'static str,
    /// Writes the script for the value of a case.
    pub play: fn(&mut Script, &(dyn Any + Send + Sync)),
}

/// What `main!(..)` says of the tasks of its binary.
#[derive(Debug, Clone, Copy)]
pub struct MainDefinition {
    /// The package of the test binary.
    pub package: &'static str,
    /// The pack of that package's tasks, where it is not the package's name.
    pub pack: Option<&'static str>,
    /// The crates that must have brought tasks along.
    pub crates: &'static [&'static str],
    /// The source file.
    pub file: &'static str,
    /// The line.
    pub line: u32,
}

/// A mistake in Rust.
pub struct BrokenDefinition {
    /// Its function's name.
    pub name: &'static str,
    /// What a solution has too.
    pub script: SolutionDefinition,
}

inventory::collect!(TaskDefinition);
inventory::collect!(SolutionDefinition);
inventory::collect!(BrokenDefinition);
inventory::collect!(MainDefinition);
