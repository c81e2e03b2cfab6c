//! Somebody who has never seen this repository: an empty folder, and beside it the two packages as
//! they are published.

use super::place::{self, Place};
use super::{Project, tools};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The packages, by the folders that they are made from.
const PACKAGES: [(&str, &str); 2] = [
    ("crossbar-test", "crossbar"),
    ("crossbar-test-macros", "crossbar-macros"),
];

/// A package, unpacked.
#[derive(Debug)]
pub struct Unpacked {
    /// Its name.
    pub name: &'static str,
    /// Its folder.
    pub path: PathBuf,
    /// The folder of this clone that it was made from.
    pub made_from: PathBuf,
}

impl Project {
    /// An empty folder, and the packages of this clone unpacked beside it. One test at a time has
    /// them.
    pub fn stranger() -> (Self, Vec<Unpacked>) {
        let place = Place::alone("stranger");
        fs::remove_dir_all(place.path()).unwrap();
        fs::create_dir(place.path()).unwrap();
        let unpacked = packages(place.path());
        let project = Self {
            place,
            env: BTreeMap::new(),
        };
        (project, unpacked)
    }
}

/// The packages of this clone, unpacked beside a project's folder. All projects there share them, so
/// they are compiled once.
pub(super) fn packages(project: &Path) -> Vec<Unpacked> {
    let _alone = tools::lock("packages");
    unpack(&project.with_file_name("stranger-packages"))
}

/// The lines of a manifest by which the packages of a registry are these ones.
pub(super) fn patched(packages: &[Unpacked]) -> String {
    let patches = packages.iter().map(|one| {
        let folder = one.path.file_name().unwrap().to_string_lossy();
        let path = format!("../stranger-packages/{folder}");
        format!("{} = {{ path = {path:?} }}\n", one.name)
    });
    format!("[patch.crates-io]\n{}", patches.collect::<String>())
}

/// Makes `folder` hold both packages and nothing else.
fn unpack(folder: &Path) -> Vec<Unpacked> {
    let fresh = tempfile::tempdir().unwrap();
    let packed = fresh.path().join("package");
    let unpacked = fresh.path().join("unpacked");
    fs::create_dir(&unpacked).unwrap();
    let mut cargo = Command::new(tools::cargo());
    cargo
        .args(["package", "--offline", "--no-verify", "--allow-dirty"])
        .args(PACKAGES.iter().flat_map(|(name, _)| ["--package", name]))
        .arg("--target-dir")
        .arg(fresh.path())
        .current_dir(crate::tree::root());
    done(&mut cargo);
    let version = env!("CARGO_PKG_VERSION");
    for (name, _) in PACKAGES {
        let file = packed.join(format!("{name}-{version}.crate"));
        done(
            Command::new("tar")
                .arg("-xzf")
                .arg(file)
                .arg("-C")
                .arg(&unpacked),
        );
    }
    // What a package holds has no time, and cargo goes by times: a file that differs is written now,
    // so that no earlier build is taken for that of this code.
    fs::create_dir_all(folder).unwrap();
    place::become_exactly(folder, &place::files(&unpacked));
    let root = crate::tree::root();
    let package = |(name, made_from): (&'static str, &str)| Unpacked {
        name,
        path: folder.join(format!("{name}-{version}")),
        made_from: root.join(made_from),
    };
    PACKAGES.map(package).into()
}

fn done(command: &mut Command) {
    let output = command.output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}: {said}");
}
