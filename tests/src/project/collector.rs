//! A workspace whose agent tests are a package of their own, with packs inside the test binary.

use super::place::{self, Place};
use super::{PROFILE, Project, ROSTER, rewritten, task};
use std::collections::BTreeMap;
use std::fs;

/// The test target with packs by a build script.
const BY_SCRIPT: &str = "crossbar::include_taskpack!();\ncrossbar::main!();\n";

/// The test target with the pack `desk` without one.
const BY_MACRO: &str = "crossbar::taskpack!(\"desk\");\ncrossbar::main!();\n";

const WORKSPACE: &str = "[workspace]
members = [\"shop\", \"agent-tests\"]
resolver = \"3\"
";

impl Project {
    /// The packages `shop`, with tests of its own, and `agent-tests`, whose build script collects
    /// the pack `agent-tests/desk` with the tasks `one` and `two`. One test at a time has it.
    pub fn collector() -> Self {
        let script = "fn main() {\n    crossbar::build::taskpack(\"desk\");\n}\n";
        let mut files = workspace();
        files.insert("agent-tests/build.rs".to_owned(), script.to_owned());
        files.insert(
            "agent-tests/tests/agents.rs".to_owned(),
            BY_SCRIPT.to_owned(),
        );
        Self::alone(&files)
    }

    /// The same without a build script.
    pub fn without_build_script() -> Self {
        let mut files = workspace();
        files.insert(
            "agent-tests/tests/agents.rs".to_owned(),
            BY_MACRO.to_owned(),
        );
        Self::alone(&files)
    }

    fn alone(files: &BTreeMap<String, String>) -> Self {
        let project = Self {
            place: Place::alone("collector"),
            env: BTreeMap::new(),
        };
        place::become_exactly(project.path(), files);
        project
    }
}

fn workspace() -> BTreeMap<String, String> {
    let root = crate::tree::root();
    let lock = fs::read_to_string(root.join("Cargo.lock")).unwrap();
    let files = [
        ("Cargo.toml", format!("{WORKSPACE}\n{PROFILE}")),
        ("Cargo.lock", lock),
        ("crossbar.yaml", ROSTER.to_owned()),
        ("shop/Cargo.toml", package("shop")),
        (
            "shop/src/lib.rs",
            "//! A shop.\n\n#[test]\nfn open() {}\n".to_owned(),
        ),
        (
            "shop/tests/other.rs",
            "#[test]\nfn closed() {}\n".to_owned(),
        ),
        ("agent-tests/Cargo.toml", manifest()),
        (
            "agent-tests/src/lib.rs",
            "//! The agent's tests.\n".to_owned(),
        ),
        ("agent-tests/desk/one.task.yaml", task("one")),
        ("agent-tests/desk/two.task.yaml", task("two")),
    ];
    files.map(|(path, text)| (path.to_owned(), text)).into()
}

fn package(name: &str) -> String {
    format!(
        "[package]\nname = \"{name}\"\nversion = \"0.0.0\"\nedition = \"2024\"\npublish = false\n"
    )
}

/// The library as the example has it, and the collector alone beside it.
fn manifest() -> String {
    let root = crate::tree::root();
    let example = fs::read_to_string(root.join("examples/first-test/Cargo.toml")).unwrap();
    let example = rewritten(&example, &root);
    let library = example.lines().find(|line| line.starts_with("crossbar = "));
    let library = library.expect("the example's dependency");
    let collector = library.replace(
        "features = [\"http\"]",
        "default-features = false, features = [\"build\"]",
    );
    assert_ne!(collector, library);
    format!(
        "{}\n[dev-dependencies]\n{library}\n\n[build-dependencies]\n{collector}\n\n[[test]]\n\
         name = \"agents\"\nharness = false\n",
        package("agent-tests")
    )
}
