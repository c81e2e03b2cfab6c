//! `init`: a roster, a task in YAML and a task in Rust to begin with, all out of the binary itself.

use super::SessionError;
use super::locate::ROSTER;
use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::Path;

/// A file that `init` writes.
struct StarterFile {
    /// Its path below the project's folder.
    path: &'static str,
    text: &'static str,
}

/// What every project needs.
const NEEDED: StarterFile = StarterFile {
    path: ROSTER,
    text: include_str!("../../starter/crossbar.yaml"),
};

/// A task to begin with.
const IN_YAML: StarterFile = StarterFile {
    path: "tasks/route-billing.task.yaml",
    text: include_str!("../../starter/tasks/route-billing.task.yaml"),
};

/// A task in a cargo package.
const IN_RUST: StarterFile = StarterFile {
    path: "tests/agents.rs",
    text: include_str!("../../starter/tests/agents.rs"),
};

/// What was written, and what is left to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Begun {
    /// The files, by their paths below the folder.
    pub written: Vec<&'static str>,
    /// The lines that the package's Cargo.toml needs; `None` where there is no Cargo.toml.
    pub manifest: Option<String>,
}

/// Writes the first files of a project into `folder`, which is made where it is missing: a roster,
/// and tasks to begin with, unless one of them is there already. Nothing is ever written over.
///
/// # Errors
/// `SessionError` when there is a roster (and then nothing was written), or a file can't be written.
pub fn init(folder: &Path) -> Result<Begun, SessionError> {
    let package = folder.join("Cargo.toml").is_file();
    let is_there = |file: &StarterFile| folder.join(file.path).symlink_metadata().is_ok();
    if is_there(&NEEDED) {
        let error = format!("{ROSTER} is there already, and nothing was written");
        let help = "init begins a project; name another folder, or move what is in the way";
        return Err(SessionError::new(error).help(help));
    }
    let tasks = !is_there(&IN_YAML) && !is_there(&IN_RUST);
    let files = std::iter::once(&NEEDED)
        .chain(tasks.then_some(&IN_YAML))
        .chain((tasks && package).then_some(&IN_RUST));
    let mut written = Vec::new();
    for file in files {
        let path = folder.join(file.path);
        create(&path, file.text).map_err(|error| {
            SessionError::new(format!("failed to write {}: {error}", path.display()))
        })?;
        written.push(file.path);
    }
    Ok(Begun {
        written,
        manifest: package.then(manifest),
    })
}

fn create(path: &Path, text: &str) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    // A file that came into being since we looked is not written over either.
    let mut file = OpenOptions::new().write(true).create_new(true).open(path)?;
    file.write_all(text.as_bytes())
}

/// What a package says to have its agent tests run.
fn manifest() -> String {
    let version =
        env!("CARGO_PKG_VERSION_MAJOR").to_owned() + "." + env!("CARGO_PKG_VERSION_MINOR");
    format!(
        "[dev-dependencies]
crossbar = {{ package = \"crossbar-test\", version = \"{version}\" }}

[[test]]
name = \"agents\"
harness = false

# Plain `cargo test` runs the statistics; unoptimised they take 36 times as long.
[profile.dev.package.crossbar-test]
opt-level = 3
"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_project_with_tasks_gets_a_roster_and_keeps_its_tasks() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("Cargo.toml"), "").unwrap();
        fs::create_dir(folder.path().join("tests")).unwrap();
        fs::write(folder.path().join("tests/agents.rs"), "mine").unwrap();
        assert_eq!(init(folder.path()).unwrap().written, [ROSTER]);
        assert!(!folder.path().join("tasks").exists());
        let kept = fs::read_to_string(folder.path().join("tests/agents.rs")).unwrap();
        assert_eq!(kept, "mine");
        let error = init(folder.path()).unwrap_err().to_string();
        let said = "error: crossbar.yaml is there already, and nothing was written";
        assert!(error.starts_with(said), "{error}");
    }

    #[test]
    fn a_folder_without_a_package_gets_no_rust() {
        let folder = tempfile::tempdir().unwrap();
        let begun = init(&folder.path().join("new")).unwrap();
        assert_eq!(begun.manifest, None);
        assert_eq!(begun.written, [ROSTER, "tasks/route-billing.task.yaml"]);
        assert!(!folder.path().join("new/tests").exists());
    }
}
