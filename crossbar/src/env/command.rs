//! How a task in Rust names the program of a server.

use std::path::{Path, PathBuf};

/// A program with its arguments, for `Context::server`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServerCommand {
    pub(crate) program: String,
    pub(crate) args: Vec<String>,
    pub(crate) env: Vec<(String, String)>,
}

impl ServerCommand {
    /// A program by path, or by a name that is looked up in PATH.
    #[must_use]
    pub fn new(program: &str) -> Self {
        Self {
            program: program.to_owned(),
            args: Vec::new(),
            env: Vec::new(),
        }
    }

    /// A server that is built into crossbar: the running executable with `__serve NAME`.
    #[must_use]
    pub fn built_in(name: &str) -> Self {
        Self::new("${CROSSBAR_BIN}").arg("__serve").arg(name)
    }

    /// Adds an argument.
    #[must_use]
    pub fn arg(mut self, arg: &str) -> Self {
        self.args.push(arg.to_owned());
        self
    }

    /// Adds a variable to the few that a server gets (PATH, HOME and the like).
    #[must_use]
    pub fn env(mut self, name: &str, value: &str) -> Self {
        self.env.push((name.to_owned(), value.to_owned()));
        self
    }
}

impl From<&str> for ServerCommand {
    fn from(program: &str) -> Self {
        Self::new(program)
    }
}

impl From<&Path> for ServerCommand {
    fn from(program: &Path) -> Self {
        Self::new(&program.to_string_lossy())
    }
}

impl From<PathBuf> for ServerCommand {
    fn from(program: PathBuf) -> Self {
        Self::from(program.as_path())
    }
}

/// The running executable, which `${CROSSBAR_BIN}` stands for.
pub(super) fn own_executable() -> String {
    std::env::current_exe().map_or_else(|_| String::new(), |path| path.to_string_lossy().into())
}
