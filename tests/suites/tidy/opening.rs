//! Every Rust file opens with `//!` that says what it is for.

use crossbar_suites::tree::{Tree, Violation};

pub fn check(tree: &Tree) -> Vec<Violation> {
    let silent = tree.sources().iter().filter(|source| {
        let first = tree
            .text(&source.path)
            .unwrap_or_default()
            .trim_start_matches('\u{feff}')
            .lines()
            .next();
        !first.is_some_and(|line| {
            line.strip_prefix("//!")
                .is_some_and(|words| !words.trim().is_empty())
        })
    });
    silent
        .map(|source| {
            Violation::of(
                &source.path,
                "the first line is no `//!` that says what the file is for",
            )
        })
        .collect()
}

#[test]
fn catches_a_file_without_words() {
    for text in [
        "use std::fmt;\n//! late",
        "//!\nfn f() {}",
        "// plain\nfn f() {}",
        "",
    ] {
        crate::expect_caught(check, "crossbar/src/check/mcp.rs", text, "no `//!`");
    }
}

#[test]
fn leaves_fixtures_alone() {
    crate::expect_allowed(check, "tests/fixtures/project/src/lib.rs", "fn f() {}");
}
