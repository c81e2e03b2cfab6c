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

/// What every project gets.
const FILES: [StarterFile; 2] = [
    StarterFile {
        path: ROSTER,
        text: include_str!("../../starter/crossbar.yaml"),
    },
    StarterFile {
        path: "tasks/route-billing.task.yaml",
        text: include_str!("../../starter/tasks/route-billing.task.yaml"),
    },
];

/// What a cargo package gets besides.
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

/// Writes the first files of a project into `folder`, which is made where it is missing. What is
/// there already is never written over.
///
/// # Errors
/// `SessionError` names the files that are in the way (and then nothing was written), or the one
/// that can't be written.
pub fn init(folder: &Path) -> Result<Begun, SessionError> {
    let package = folder.join("Cargo.toml").is_file();
    let files = || FILES.iter().chain(package.then_some(&IN_RUST));
    let there: Vec<_> = files()
        .map(|file| file.path)
        .filter(|path| folder.join(path).symlink_metadata().is_ok())
        .collect();
    if !there.is_empty() {
        let verb = if there.len() == 1 { "is" } else { "are" };
        let listed = there.join(", ");
        let error = format!("{listed} {verb} there already, and nothing was written");
        let help = "init begins a project; name another folder, or move what is in the way";
        return Err(SessionError::new(error).help(help));
    }
    for file in files() {
        create(&folder.join(file.path), file.text).map_err(|error| {
            let path = folder.join(file.path);
            SessionError::new(format!("failed to write {}: {error}", path.display()))
        })?;
    }
    Ok(Begun {
        written: files().map(|file| file.path).collect(),
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
    fn nothing_is_written_where_one_file_is_in_the_way() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("Cargo.toml"), "").unwrap();
        fs::create_dir(folder.path().join("tests")).unwrap();
        fs::write(folder.path().join("tests/agents.rs"), "mine").unwrap();
        let error = init(folder.path()).unwrap_err().to_string();
        assert!(
            error.starts_with("error: tests/agents.rs is there already"),
            "{error}"
        );
        assert!(!folder.path().join(ROSTER).exists());
        let kept = fs::read_to_string(folder.path().join("tests/agents.rs")).unwrap();
        assert_eq!(kept, "mine");
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
