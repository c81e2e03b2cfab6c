//! One version: the macros are pinned to it, and the changelog names it once.

use crossbar_suites::tree::{Tree, Violation};

const MANIFEST: &str = "Cargo.toml";
const CHANGELOG: &str = "CHANGELOG.md";

pub fn check(tree: &Tree) -> Vec<Violation> {
    let manifest = tree.text(MANIFEST).unwrap_or_default();
    let package = manifest
        .lines()
        .skip_while(|line| *line != "[workspace.package]");
    let Some(version) = package
        .take(12)
        .find_map(|line| quoted_after(line, "version = "))
    else {
        return vec![Violation::of(
            MANIFEST,
            "[workspace.package] has no version",
        )];
    };
    let mut found = Vec::new();
    for (name, wanted) in [
        ("crossbar-test-macros", format!("={version}")),
        ("crossbar", version.to_owned()),
    ] {
        let line = manifest
            .lines()
            .find(|line| line.starts_with(&format!("{name} = ")));
        if line.and_then(|line| quoted_after(line, ", version = ")) != Some(&wanted) {
            found.push(Violation::of(
                MANIFEST,
                format!("{name} must have version = \"{wanted}\""),
            ));
        }
    }
    let headings = tree
        .text(CHANGELOG)
        .unwrap_or_default()
        .lines()
        .filter(|line| line.starts_with("## "));
    let count = headings
        .filter(|line| line.split([' ', '[', ']']).any(|word| word == version))
        .count();
    if count != 1 {
        found.push(Violation::of(
            CHANGELOG,
            format!("{count} headings for {version}, exactly one is needed"),
        ));
    }
    found
}

/// The text in quotes that follows a key.
fn quoted_after<'a>(line: &'a str, key: &str) -> Option<&'a str> {
    let (_, rest) = line.split_once(key)?;
    rest.strip_prefix('"')?.split('"').next()
}

#[test]
fn catches_a_loose_pin_and_another_version() {
    let manifest = crate::sample().text(MANIFEST).unwrap().to_owned();
    crate::expect_caught(
        check,
        MANIFEST,
        &manifest.replace("\"=0.1.0\"", "\"0.1.0\""),
        "crossbar-test-macros must",
    );
    crate::expect_caught(
        check,
        MANIFEST,
        &manifest.replace("test\", version = \"0.1.0\"", "test\""),
        "crossbar must",
    );
    crate::expect_caught(check, MANIFEST, "[workspace]\n", "no version");
}

#[test]
fn catches_a_changelog_that_names_the_version_twice_or_never() {
    crate::expect_caught(check, CHANGELOG, "## 0.1.0\n## 0.1.0 again\n", "2 headings");
    crate::expect_caught(check, CHANGELOG, "## 0.1.01\n", "0 headings");
}
