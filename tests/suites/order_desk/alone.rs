//! The example stands alone in the clone: its own lock file, its own layout.

use crossbar_suites::project::cargo;
use crossbar_suites::tree;
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

#[test]
fn its_source_is_formatted() {
    let said = in_place(&["fmt", "--check"]);
    assert!(
        said.status.success(),
        "{}",
        String::from_utf8_lossy(&said.stdout)
    );
}
