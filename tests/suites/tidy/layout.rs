//! What a reader and a packager expect at the top of the repository, and the licences in each
//! published crate.

use crossbar_suites::tree::{Tree, Violation};

const PARTS: [&str; 13] = [
    ".cargo/config.toml",
    "Cargo.toml",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "README.md",
    "SECURITY.md",
    "crossbar",
    "crossbar-macros",
    "crossbar.yaml",
    "docs",
    "examples",
    "taskpacks",
    "tests",
];

const LICENCES: [&str; 2] = ["LICENSE-APACHE", "LICENSE-MIT"];

pub fn check(tree: &Tree) -> Vec<Violation> {
    let missing = PARTS.iter().filter(|part| !tree.exists(part));
    let mut found: Vec<Violation> = missing
        .map(|part| Violation::of(*part, "is missing"))
        .collect();
    for licence in LICENCES {
        let text = tree.text(licence).filter(|text| !text.is_empty());
        for place in ["", "crossbar/", "crossbar-macros/"] {
            let copy = format!("{place}{licence}");
            if text.is_none() || tree.text(&copy) != text {
                found.push(Violation::of(
                    copy,
                    "the licence is missing, or differs from the one at the top",
                ));
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn catches_a_missing_part() {
        for part in PARTS {
            let folder = format!("{part}/");
            let left = crate::sample().without(|path| path == part || path.starts_with(&folder));
            let found = check(&left);
            assert!(
                found.contains(&Violation::of(part, "is missing")),
                "{part}: {found:?}"
            );
        }
    }

    #[test]
    fn catches_a_licence_that_is_missing_or_differs() {
        crate::expect_caught(check, "crossbar/LICENSE-MIT", "Do as you like.", "differs");
        let left = crate::sample().without(|path| path == "crossbar-macros/LICENSE-APACHE");
        assert_eq!(check(&left).len(), 1);
    }
}
