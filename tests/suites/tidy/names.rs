//! No file is a drawer: a name that says nothing attracts everything.

use crossbar_suites::tree::{Tree, Violation};

const DRAWERS: [&str; 9] = [
    "utils", "util", "helpers", "helper", "common", "misc", "imp", "types", "errors",
];

pub fn check(tree: &Tree) -> Vec<Violation> {
    let mut found = Vec::new();
    for source in tree.sources() {
        let mut parts = source.path.trim_end_matches(".rs").split('/');
        if let Some(name) = parts.find(|part| DRAWERS.contains(part)) {
            found.push(Violation::of(
                &source.path,
                format!("`{name}` says nothing: name what is in it"),
            ));
        }
    }
    found
}

#[test]
fn catches_a_drawer_as_file_and_as_folder() {
    crate::expect_caught(
        check,
        "crossbar/src/check/utils.rs",
        "//! U.",
        "`utils` says nothing",
    );
    crate::expect_caught(
        check,
        "tests/suites/common/mod.rs",
        "//! U.",
        "`common` says nothing",
    );
    crate::expect_allowed(check, "crossbar/src/check/error.rs", "//! E.");
}
