//! How a task in Rust names the program of a server.

use std::path::{Path, PathBuf};

/// A program with its arguments, for `Context::server`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServerCommand {
    /// The program, or why there is none.
    pub(super) program: Result<String, String>,
    pub(crate) args: Vec<String>,
    pub(crate) env: Vec<(String, String)>,
}

impl ServerCommand {
    /// A program by path, or by a name that is looked up in PATH.
    #[must_use]
    pub fn new(program: &str) -> Self {
        Self {
            program: Ok(program.to_owned()),
            args: Vec::new(),
            env: Vec::new(),
        }
    }

    /// A server that is built into crossbar: the running executable with `__serve NAME`.
    #[must_use]
    pub fn built_in(name: &str) -> Self {
        Self::new("${CROSSBAR_BIN}").arg("__serve").arg(name)
    }

    /// A binary of the package under test, by its name; `compiled` is where the compiler said it
    /// would be. Use [`crate::bin!`].
    ///
    /// What the runner says at run time comes first, since an archive of nextest is run elsewhere.
    #[doc(hidden)]
    #[must_use]
    pub fn binary(name: &str, compiled: Option<&str>) -> Self {
        let program = find(name, compiled, &|variable| std::env::var(variable).ok());
        Self {
            program,
            args: Vec::new(),
            env: Vec::new(),
        }
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

/// The first path that leads to a file, or where it was looked for.
fn find(
    name: &str,
    compiled: Option<&str>,
    lookup: &dyn Fn(&str) -> Option<String>,
) -> Result<String, String> {
    let mut tried = Vec::new();
    for variable in [
        format!("NEXTEST_BIN_EXE_{name}"),
        format!("CARGO_BIN_EXE_{name}"),
    ] {
        match lookup(&variable) {
            Some(path) if Path::new(&path).is_file() => return Ok(path),
            Some(path) => tried.push(format!("{variable} says {path}, where no file is")),
            None => tried.push(format!("{variable} is not set")),
        }
    }
    match compiled {
        Some(path) if Path::new(path).is_file() => return Ok(path.to_owned()),
        Some(path) => tried.push(format!("it was built as {path}, where no file is")),
        None => tried.push("cargo named no such binary when the test was compiled".to_owned()),
    }
    Err(format!(
        "no binary `{name}`: {}; it has to be a [[bin]] of the package whose test this is",
        tried.join("; ")
    ))
}

/// The running executable, which `${CROSSBAR_BIN}` stands for.
pub(super) fn own_executable() -> String {
    std::env::current_exe().map_or_else(|_| String::new(), |path| path.to_string_lossy().into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_binary_is_looked_for_at_run_time_first_and_a_missing_one_says_where() {
        let folder = tempfile::tempdir().unwrap();
        let file = |name: &str| {
            let path = folder.path().join(name);
            std::fs::write(&path, "").unwrap();
            path.to_string_lossy().into_owned()
        };
        let (nextest, cargo, built) = (file("nextest"), file("cargo"), file("built"));
        let both = |name: &str| match name {
            "NEXTEST_BIN_EXE_orders" => Some(nextest.clone()),
            "CARGO_BIN_EXE_orders" => Some(cargo.clone()),
            _ => None,
        };
        assert_eq!(find("orders", Some(&built), &both), Ok(nextest.clone()));
        let moved = |name: &str| (name == "CARGO_BIN_EXE_orders").then(|| cargo.clone());
        assert_eq!(find("orders", Some("/gone"), &moved), Ok(cargo.clone()));
        assert_eq!(find("orders", Some(&built), &|_| None), Ok(built.clone()));
        let missing = find("orders", Some("/gone"), &|_| None).unwrap_err();
        for part in [
            "no binary `orders`",
            "NEXTEST_BIN_EXE_orders is not set",
            "/gone",
            "[[bin]]",
        ] {
            assert!(missing.contains(part), "{part}: {missing}");
        }
    }
}
