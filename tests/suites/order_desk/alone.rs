//! The example stands alone in the clone: its own lock file, its own layout.

use crossbar_suites::project::Project;
use crossbar_suites::project::cargo;
use crossbar_suites::tree;
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::process::{Command, Output};

/// A command of cargo's in the example's own folder, which builds nothing.
fn in_place(args: &[&str]) -> Output {
    let mut command = Command::new(cargo());
    command.args(args);
    command.current_dir(tree::root().join("examples/order-desk"));
    command.output().unwrap()
}

#[test]
fn its_lock_file_is_whole_and_names_no_other_version_than_ours() {
    let said = in_place(&["metadata", "--locked", "--offline", "--format-version", "1"]);
    let why = String::from_utf8_lossy(&said.stderr);
    assert!(
        said.status.success(),
        "{why}\nhelp: (cd examples/order-desk && cp ../../Cargo.lock . && cargo metadata --offline)"
    );
    let packages = |path: &str| -> BTreeSet<String> {
        let text = fs::read_to_string(tree::root().join(path)).unwrap();
        let entries = text.split("[[package]]\n").skip(1);
        let head = |entry: &str| entry.lines().take(2).collect::<Vec<_>>().join(" ");
        entries.map(head).collect()
    };
    let ours = packages("Cargo.lock");
    let theirs = packages("examples/order-desk/Cargo.lock");
    let other: Vec<_> = theirs.difference(&ours).collect();
    assert_eq!(other, ["name = \"order-desk\" version = \"0.0.0\""]);
}

/// So what the other tests find is true of the packages, and not of the clone alone.
#[test]
fn outside_the_clone_its_library_is_the_package_as_it_is_published() {
    let project = Project::order_desk("order-desk-alone", "0.0.3");
    let said = project.cargo(&["metadata", "--format-version", "1"]);
    assert_eq!(said.code, Some(0), "{said}");
    let found: Value = serde_json::from_str(&said.stdout).unwrap();
    let packages = found["packages"].as_array().unwrap().iter();
    let ours = packages.filter(|one| {
        let name = one["name"].as_str().unwrap();
        name.starts_with("crossbar-test")
    });
    let paths = ours.map(|one| one["manifest_path"].as_str().unwrap());
    let mut folders: Vec<_> = paths.map(|path| path.rsplit('/').nth(1).unwrap()).collect();
    folders.sort_unstable();
    let version = env!("CARGO_PKG_VERSION");
    let expected = ["crossbar-test", "crossbar-test-macros"].map(|one| format!("{one}-{version}"));
    assert_eq!(folders, expected, "{folders:?}");
    let manifest = project.read("Cargo.toml");
    assert!(
        !manifest.contains(&*tree::root().to_string_lossy()),
        "{manifest}"
    );
}

#[test]
fn its_source_is_formatted() {
    let said = in_place(&["fmt", "--check"]);
    assert!(
        said.status.success(),
        "{}",
        String::from_utf8_lossy(&said.stdout)
    );
}
