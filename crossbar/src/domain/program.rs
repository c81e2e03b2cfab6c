//! A program that drives a model by itself, such as the command line of an agent, and what a
//! rollout's world does for it.

use super::LocalFuture;
use std::collections::BTreeMap;

/// A program to be started in a rollout's world, with all that it may see.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Program {
    /// A path, or a name that is looked up in PATH.
    pub program: String,
    /// Its arguments, the program's own name not among them.
    pub args: Vec<String>,
    /// Variables on top of the few that every child gets.
    pub env: BTreeMap<String, String>,
    /// What it reads on its standard input, which ends there.
    pub input: String,
    /// Files of its home folder, by their path in it.
    pub files: Vec<(String, String)>,
}

/// Why a program could not be started.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct ExecError(pub String);

/// How a program starts a server of the task by itself: it sees then what it sees when crossbar
/// starts it, and no variable of the program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServerLaunch {
    /// The server's name in the task.
    pub name: String,
    /// The program.
    pub command: String,
    /// Its arguments.
    pub args: Vec<String>,
    /// Milliseconds that it may take to start.
    pub start_ms: u64,
    /// Names of variables of the program without which it can't be started: the program has to
    /// hand these on.
    pub needs: Vec<String>,
}

/// How a program ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProgramEnd {
    /// By itself, with this code.
    Code(i32),
    /// By this signal.
    Signal(i32),
    /// Nobody saw it.
    Unseen,
}

/// A program that has ended, with nothing of its process tree left.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProgramEnded {
    /// How.
    pub end: ProgramEnd,
    /// The end of its standard error.
    pub stderr: String,
}

/// The machine of one rollout, for a harness that is a program.
pub trait Exec {
    /// The program's home: a folder of this rollout alone, outside its workspace.
    fn home(&self) -> String;

    /// The servers of the task, as the program is to start them.
    ///
    /// # Errors
    /// `ExecError` when some of the task's tools are no server that a program could start.
    fn servers(&self) -> Result<Vec<ServerLaunch>, ExecError>;

    /// Starts a program in the workspace.
    ///
    /// # Errors
    /// `ExecError` names the program and the cure.
    fn start(&self, program: &Program) -> Result<Box<dyn Running>, ExecError>;
}

/// A program that runs. Dropping it kills its whole process tree before `drop` returns.
pub trait Running {
    /// The names of the variables that it was given, sorted.
    fn environment(&self) -> Vec<String>;

    /// The next line of its standard output, without the line break; `None` once it has closed it.
    fn line(&mut self) -> LocalFuture<'_, Option<String>>;

    /// Waits a moment for its end, and then ends it.
    fn end(self: Box<Self>) -> LocalFuture<'static, ProgramEnded>;
}
