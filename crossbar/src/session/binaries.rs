//! Finding the test binaries that carry crossbar's marker, without executing any of them.

use super::locate::{self, ROSTER};
use super::{EngineCommand, RunOptions, SessionError};
use crate::process::Tool;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// The package whose macro puts the marker into a test binary.
const PACKAGE: &str = "crossbar-test";

/// A test binary of a user's package.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct TestBinary {
    path: PathBuf,
    /// Its package's folder, where cargo would run it.
    package: PathBuf,
    /// The folders of the packs that it holds inside.
    packs: Vec<PathBuf>,
}

impl TestBinary {
    /// The executable.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The folders of the packs that it holds inside, as they were when it was built.
    #[must_use]
    pub fn packs(&self) -> &[PathBuf] {
        &self.packs
    }

    /// Runs a command in it, with its output passed through, and lets it stop early once `go_on`
    /// says no. Comes back with its exit code; `None` when a signal ended it.
    ///
    /// # Errors
    /// `SessionError` when it can't be started.
    pub fn run(
        &self,
        command: &EngineCommand,
        go_on: &dyn Fn() -> bool,
    ) -> Result<Option<i32>, SessionError> {
        let status = self.tool(command)?.status_while(go_on);
        let status = status.map_err(|error| self.not_started(&error))?;
        Ok(status.code())
    }

    /// Gives it a command and reads its answer, JSON on its standard output. `None` when it ended
    /// with an error, which it has said itself.
    ///
    /// # Errors
    /// `SessionError` when it can't be started, or its answer can't be read.
    pub fn ask<T: DeserializeOwned>(
        &self,
        command: &EngineCommand,
    ) -> Result<Option<T>, SessionError> {
        let output = self.tool(command)?.output();
        let output = output.map_err(|error| self.not_started(&error))?;
        if !output.status.success() {
            return Ok(None);
        }
        serde_json::from_slice(&output.stdout)
            .map(Some)
            .map_err(|error| {
                let name = self.path.display();
                SessionError::new(format!("{name} gave no answer that can be read: {error}"))
            })
    }

    fn not_started(&self, error: &std::io::Error) -> SessionError {
        let error = SessionError::new(format!("failed to start {}: {error}", self.path.display()));
        match self.path.is_file() {
            true => error,
            false => error.help("it was deleted since it was built: run the command again"),
        }
    }

    fn tool(&self, command: &EngineCommand) -> Result<Tool<'_>, SessionError> {
        let json = serde_json::to_string(command)
            .map_err(|error| SessionError::new(format!("failed to write the command: {error}")))?;
        Ok(Tool {
            program: self.path.as_os_str(),
            args: Vec::new(),
            cwd: &self.package,
            env: vec![
                (OsString::from("CROSSBAR_ENGINE"), OsString::from(json)),
                (
                    OsString::from("CARGO_MANIFEST_DIR"),
                    self.package.clone().into(),
                ),
            ],
        })
    }
}

/// The marker as `main!` writes it into a binary. It is put together here, so that this very
/// executable does not carry it.
fn marker() -> Vec<u8> {
    ["\u{2}crossbar", "-engine:"].concat().into_bytes()
}

/// The marker that a collector of packs writes before a pack's folder.
fn pack_marker() -> Vec<u8> {
    ["\u{2}crossbar", "-pack:"].concat().into_bytes()
}

/// Builds the test binaries of the packages that belong to the roster (without one, those of the
/// workspace) and finds the marked ones, sorted. None where there is no cargo package.
///
/// # Errors
/// `SessionError` when cargo fails.
pub fn test_binaries(options: &RunOptions, here: &Path) -> Result<Vec<TestBinary>, SessionError> {
    let roster = match locate::roster(options.config.as_deref(), here) {
        Err(_) if options.config.is_none() => None,
        found => Some(found?),
    };
    let root = match &roster {
        Some(roster) => roster.parent().unwrap_or(here).to_owned(),
        None => locate::workspace_root(here),
    };
    let root = root.as_path();
    if !root
        .ancestors()
        .any(|folder| folder.join("Cargo.toml").is_file())
    {
        return Ok(Vec::new());
    }
    let mut found = BTreeSet::new();
    for package in packages(root)? {
        found.extend(build(&package)?);
    }
    let found: Vec<TestBinary> = found.into_iter().collect();
    held_once(&found)?;
    Ok(found)
}

/// Two binaries that hold the same pack would both run it into the same run.
fn held_once(binaries: &[TestBinary]) -> Result<(), SessionError> {
    let mut holders: BTreeMap<&PathBuf, &TestBinary> = BTreeMap::new();
    for binary in binaries {
        for folder in &binary.packs {
            if let Some(first) = holders.insert(folder, binary) {
                return Err(SessionError::new(format!(
                    "the pack {} is in two test binaries: {} and {}",
                    folder.display(),
                    first.path.display(),
                    binary.path.display()
                ))
                .help("collect it in one of them"));
            }
        }
    }
    Ok(())
}

/// A package that may have marked binaries.
struct Package {
    name: String,
    folder: PathBuf,
}

/// The packages that use crossbar, have a test with a harness of its own, and whose nearest
/// roster is the one in `root`, if that has one.
fn packages(root: &Path) -> Result<Vec<Package>, SessionError> {
    let args = ["metadata", "--format-version", "1", "--no-deps"]
        .map(OsString::from)
        .to_vec();
    let metadata = cargo(args, root)?;
    let metadata: Value = serde_json::from_slice(&metadata)
        .map_err(|error| SessionError::new(format!("cargo metadata gave no JSON: {error}")))?;
    let listed = metadata.get("packages").and_then(Value::as_array);
    Ok(listed
        .into_iter()
        .flatten()
        .filter_map(|package| candidate(package, root))
        .collect())
}

fn candidate(package: &Value, root: &Path) -> Option<Package> {
    let manifest = PathBuf::from(package.get("manifest_path")?.as_str()?);
    let dependencies = package.get("dependencies")?.as_array()?;
    let uses = |dependency: &Value| dependency.get("name").and_then(Value::as_str) == Some(PACKAGE);
    let text = std::fs::read_to_string(&manifest).ok()?;
    let own_harness = text
        .lines()
        .map(|line| line.replace(' ', ""))
        .any(|line| line.starts_with("harness=false"));
    let folder = manifest.parent()?.to_owned();
    let nearest = folder
        .ancestors()
        .find(|folder| folder.join(ROSTER).is_file());
    let same = match nearest {
        Some(nearest) => nearest.canonicalize().ok() == root.canonicalize().ok(),
        None => !root.join(ROSTER).is_file(),
    };
    let wanted = own_harness && same && dependencies.iter().any(uses);
    let name = package.get("name")?.as_str()?.to_owned();
    wanted.then_some(Package { name, folder })
}

/// Builds a package's tests, cargo's progress passed through, and keeps the marked binaries.
fn build(package: &Package) -> Result<Vec<TestBinary>, SessionError> {
    let args = [
        "test",
        "--no-run",
        "--tests",
        "--message-format",
        "json-render-diagnostics",
    ];
    let mut args: Vec<_> = args.map(OsString::from).to_vec();
    args.extend(["--package", &package.name].map(OsString::from));
    let output = cargo(args, &package.folder)?;
    let mut found = Vec::new();
    for line in String::from_utf8_lossy(&output).lines() {
        let Some(path) = executable(line) else {
            continue;
        };
        let bytes = contents(&path)?;
        if !after(&bytes, &marker()).is_empty() {
            found.push(TestBinary {
                package: package.folder.clone(),
                packs: packs_inside(&bytes),
                path,
            });
        }
    }
    Ok(found)
}

/// The executable of a test target, from one of cargo's JSON lines.
fn executable(line: &str) -> Option<PathBuf> {
    let message: Value = serde_json::from_str(line).ok()?;
    if message.get("reason")?.as_str()? != "compiler-artifact" {
        return None;
    }
    let kinds = message.get("target")?.get("kind")?.as_array()?;
    let is_test = kinds.iter().any(|kind| kind == "test");
    let path = message.get("executable")?.as_str()?;
    is_test.then(|| PathBuf::from(path))
}

fn contents(path: &Path) -> Result<Vec<u8>, SessionError> {
    std::fs::read(path)
        .map_err(|error| SessionError::new(format!("failed to read {}: {error}", path.display())))
}

/// The beginnings of what stands after each occurrence of a marker.
fn after<'b>(bytes: &'b [u8], marker: &[u8]) -> Vec<&'b [u8]> {
    let places = bytes.windows(marker.len()).enumerate();
    places
        .filter(|(_, window)| *window == marker)
        .filter_map(|(at, _)| bytes.get(at + marker.len()..))
        .collect()
}

/// The folders of the packs that a collector put into a binary.
fn packs_inside(bytes: &[u8]) -> Vec<PathBuf> {
    let folder = |rest: &[u8]| {
        let end = rest.iter().take(4096).position(|byte| *byte == 3)?;
        let text = std::str::from_utf8(rest.get(..end)?).ok()?;
        Some(PathBuf::from(text))
    };
    let mut found: Vec<PathBuf> = after(bytes, &pack_marker())
        .into_iter()
        .filter_map(folder)
        .collect();
    found.sort();
    found.dedup();
    found
}

fn cargo(args: Vec<OsString>, cwd: &Path) -> Result<Vec<u8>, SessionError> {
    let program = std::env::var_os("CARGO").unwrap_or_else(|| OsString::from("cargo"));
    let what = args
        .first()
        .map(|arg| arg.to_string_lossy().into_owned())
        .unwrap_or_default();
    let output = Tool {
        program: &program,
        args,
        cwd,
        env: Vec::new(),
    }
    .output();
    let output = output.map_err(|error| {
        SessionError::new(format!("failed to start cargo: {error}"))
            .help("install it, or run a pack alone with --pack DIR")
    })?;
    if !output.status.success() {
        return Err(SessionError::new(format!("cargo {what} failed"))
            .help("its message is above; --pack DIR runs a pack without building tests"));
    }
    Ok(output.stdout)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_binary_is_known_by_its_marker_alone() {
        let mut bytes = vec![0_u8; 4096];
        assert!(after(&bytes, &marker()).is_empty());
        bytes.extend(marker());
        bytes.extend([0; 64]);
        assert_eq!(after(&bytes, &marker()).len(), 1);
        assert!(packs_inside(&bytes).is_empty());
    }

    #[test]
    fn the_packs_of_a_binary_are_told_by_their_marks() {
        let mut bytes = vec![0_u8; 64];
        for folder in ["/w/b", "/w/a", "/w/b"] {
            bytes.extend(pack_marker());
            bytes.extend(folder.bytes().chain([3, 0]));
        }
        let packs = packs_inside(&bytes);
        assert_eq!(packs, [PathBuf::from("/w/a"), PathBuf::from("/w/b")]);
        let binary = |path: &str| TestBinary {
            path: PathBuf::from(path),
            package: PathBuf::new(),
            packs: packs.clone(),
        };
        assert!(held_once(&[binary("x")]).is_ok());
        let error = held_once(&[binary("x"), binary("y")])
            .unwrap_err()
            .to_string();
        assert!(
            error.contains("/w/a is in two test binaries: x and y"),
            "{error}"
        );
    }

    #[test]
    fn only_test_targets_are_executables_to_look_at() {
        let line = |kind: &str| {
            format!(
                r#"{{"reason":"compiler-artifact","target":{{"kind":["{kind}"]}},"executable":"/t/a"}}"#
            )
        };
        assert_eq!(executable(&line("test")), Some(PathBuf::from("/t/a")));
        assert_eq!(executable(&line("bin")), None);
        assert_eq!(executable("   Compiling a"), None);
    }
}
