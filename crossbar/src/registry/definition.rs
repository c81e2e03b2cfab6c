//! What the attribute macros submit.

use crate::context::Body;
use crate::domain::Script;

/// Where a task function stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TaskPlace {
    /// The package, which is the task's pack.
    pub package: &'static str,
    /// `module_path!()`; its first part is the test binary's crate.
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
    /// The family.
    pub family: Option<&'static str>,
    /// Raised by hand when helpers change that the macro can't see.
    pub version: u32,
    /// The weight, above 0.
    pub weight: f64,
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
}

/// A task in Rust.
pub struct TaskDefinition {
    /// Where it stands.
    pub place: TaskPlace,
    /// Its keys.
    pub attributes: TaskAttributes,
    /// Its tokens, for the fingerprint.
    pub text: &'static str,
    /// Its function.
    pub body: Body,
}

/// The type that shares a task function's name, so that a solution can point at it.
pub trait TaskMarker {
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
    /// Writes the script.
    pub play: fn(&mut Script),
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
