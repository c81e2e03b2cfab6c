//! What Harbor's own validator says of trajectories in ATIF. `.ci/run` installs it into the clone.

use crate::tree;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Prints what is wrong with each of the files that it is given, and at the end their number.
const SCRIPT: &str = "
import sys
from harbor.utils.trajectory_validator import TrajectoryValidator

for path in sys.argv[1:]:
    validator = TrajectoryValidator()
    if not validator.validate(path):
        print(path, *validator.errors, sep='\\n  ')
print(len(sys.argv) - 1)
";

/// The Python that has Harbor: in the clone, or in the one that a copy of the tree lies in.
fn python() -> PathBuf {
    let root = tree::root();
    let mut places = root
        .ancestors()
        .map(|above| above.join("target/harbor/bin/python"));
    let found = places.find(|path| path.is_file());
    found.expect("Harbor is not there: run tests/harbor.sh, which installs it into target/harbor")
}

/// Panics with what the validator says, unless every file is a trajectory.
pub fn validate(files: &[PathBuf]) {
    assert!(!files.is_empty(), "there is no trajectory");
    let output = Command::new(python())
        .args(["-c", SCRIPT])
        .args(files)
        .output();
    let output = output.expect("Python starts");
    let said = String::from_utf8_lossy(&output.stdout);
    let complained = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{complained}");
    assert_eq!(said.trim(), files.len().to_string(), "{said}");
}

/// Every file below a folder, sorted.
#[must_use]
pub fn below(folder: &Path) -> Vec<PathBuf> {
    let (mut folders, mut files) = (vec![folder.to_owned()], Vec::new());
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            match path.is_dir() {
                true => folders.push(path),
                false => files.push(path),
            }
        }
    }
    files.sort();
    files
}
