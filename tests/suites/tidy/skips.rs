//! No test is ignored, no suite is left out of the manifest, and no path of the machine that something was written on stays behind.

use crossbar_suites::scan::{is_ident, is_punct};
use crossbar_suites::tree::{Tree, Violation};
use proc_macro2::{TokenStream, TokenTree};

/// Split, so that this file does not hold what it looks for.
const MACHINES: [&str; 4] = [
    concat!("/wo", "rk/main"),
    concat!("/wo", "rk/shared"),
    concat!("/ro", "ot/"),
    concat!("/tmp/scr", "atch"),
];

pub fn check(tree: &Tree) -> Vec<Violation> {
    let mut found = Vec::new();
    let examples = |path: &str| path.starts_with("examples/");
    for source in tree
        .sources()
        .iter()
        .filter(|source| !examples(&source.path))
    {
        let lines = source.all.as_ref().map(ignored).unwrap_or_default();
        found.extend(
            lines
                .into_iter()
                .map(|line| Violation::at(&source.path, line, "an ignored test proves nothing")),
        );
    }
    let manifest = tree.text("tests/Cargo.toml").unwrap_or_default();
    let gate = tree.text(".ci/run").unwrap_or_default();
    found.extend(
        behind_features(manifest)
            .filter(|name| !gate.contains(&format!("--test {name}")))
            .map(|name| {
                let text = format!("`.ci/run` does not name {name}, so nothing runs that suite");
                Violation::of("tests/Cargo.toml", text)
            }),
    );
    for (path, text) in tree.files() {
        if suite_name(path)
            .is_some_and(|name| !manifest.contains(&format!("path = \"suites/{name}\"")))
        {
            found.push(Violation::of(
                path,
                "a suite without [[test]] in tests/Cargo.toml never runs",
            ));
        }
        for (at, line) in text.lines().enumerate() {
            if let Some(machine) = MACHINES.iter().find(|machine| line.contains(*machine)) {
                found.push(Violation::at(
                    path,
                    at + 1,
                    format!("`{machine}` is a path of one machine"),
                ));
            }
        }
    }
    found
}

/// The file name of a suite.
fn suite_name(path: &str) -> Option<&str> {
    let name = path.strip_prefix("tests/suites/")?;
    (name.ends_with(".rs") && !name.contains('/')).then_some(name)
}

/// The suites that `cargo test --workspace` leaves out.
fn behind_features(manifest: &str) -> impl Iterator<Item = &str> {
    let targets = manifest.split("[[test]]").skip(1);
    let targets = targets.filter(|target| target.contains("required-features"));
    targets.filter_map(|target| target.split('"').nth(1))
}

/// Lines of `#[ignore]`.
fn ignored(stream: &TokenStream) -> Vec<usize> {
    let tokens: Vec<TokenTree> = stream.clone().into_iter().collect();
    let mut found = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        let TokenTree::Group(group) = token else {
            continue;
        };
        let first = group.stream().into_iter().next();
        if at > 0 && is_punct(tokens.get(at - 1), '#') && is_ident(first.as_ref(), "ignore") {
            found.push(group.span_open().start().line);
        }
        found.extend(ignored(&group.stream()));
    }
    found
}

#[test]
fn catches_an_ignored_test() {
    let path = "tests/src/store.rs";
    crate::expect_caught(
        check,
        path,
        "//! S.\n#[test]\n#[ignore = \"slow\"]\nfn f() {}",
        "ignored test",
    );
    crate::expect_caught(
        check,
        path,
        "//! S.\nmod a { #[test] #[ignore] fn f() {} }",
        "ignored test",
    );
}

#[test]
fn catches_a_path_of_one_machine() {
    crate::expect_caught(
        check,
        "docs/walkthrough.md",
        &format!("cd {}/x", MACHINES[0]),
        "path of one machine",
    );
}

#[test]
fn catches_a_suite_that_never_runs() {
    let path = "tests/suites/store.rs";
    crate::expect_caught(check, path, "//! S.", "never runs");
    let listed = crate::sample()
        .with(path, "//! S.")
        .with("tests/Cargo.toml", "path = \"suites/store.rs\"");
    assert_eq!(check(&listed), []);
}

#[test]
fn catches_a_suite_that_the_gate_does_not_ask_for() {
    let path = "tests/Cargo.toml";
    let slow =
        "[[test]]\nname = \"slow\"\npath = \"suites/slow.rs\"\nrequired-features = [\"heavy\"]";
    crate::expect_caught(check, path, slow, "nothing runs that suite");
    let asked = crate::sample()
        .with(path, slow)
        .with(".ci/run", "cargo test --features heavy --test slow");
    assert_eq!(check(&asked), []);
}
