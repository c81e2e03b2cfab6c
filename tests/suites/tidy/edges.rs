//! Rooms use only the rooms that their row names, and never go through the front door.

use crossbar_suites::scan::{self, Source};
use crossbar_suites::tree::{Tree, Violation};

pub fn check(tree: &Tree) -> Vec<Violation> {
    let page = match crate::page(tree) {
        Ok(page) => page,
        Err(found) => return found,
    };
    let mut found: Vec<Violation> = tree
        .sources()
        .iter()
        .filter(|source| source.all.is_none())
        .map(|source| Violation::of(&source.path, "not Rust: it can't be split into tokens"))
        .collect();
    for (source, room) in tree
        .sources()
        .iter()
        .filter_map(|source| Some((source, source.room()?)))
    {
        // A room without a row is reported once, by `floors`.
        let Some(row) = page.rooms.get(room) else {
            continue;
        };
        for (target, line, is_macro) in outward(source, room) {
            let problem = if page.rooms.contains_key(&target) {
                (!row.uses.contains(&target)).then(|| format!("{room} must not use {target}"))
            } else {
                (!is_macro).then(|| format!("`crate::{target}` is the front door: name the room"))
            };
            found.extend(problem.map(|problem| Violation::at(&source.path, line, problem)));
        }
    }
    found
}

/// What the source names right below the root of the crate, its own room left out.
fn outward(source: &Source, room: &str) -> Vec<(String, usize, bool)> {
    let module = source.module();
    let named = source.named().into_iter().filter_map(|named| {
        let target = scan::absolute(&named, &module)?;
        let is_macro = named.is_macro && target.len() == 1;
        Some((target.into_iter().next()?, named.line, is_macro))
    });
    named.filter(|(target, ..)| target != room).collect()
}

#[test]
fn catches_an_upward_path() {
    crate::expect_caught(
        check,
        "crossbar/src/domain/task.rs",
        "//! T.\nfn f() { crate::check::judge() }",
        "must not use check",
    );
}

#[test]
fn catches_a_sideways_path_in_a_group() {
    let text = "//! C.\nuse crate::{domain::Task, process::{self, Child}};";
    let found = check(&crate::sample().with("crossbar/src/check/mcp.rs", text));
    assert_eq!(found.len(), 2, "{found:?}");
    assert!(
        found
            .iter()
            .all(|at| at.text == "check must not use process" && at.line == Some(2))
    );
}

#[test]
fn catches_super_and_macro_bodies() {
    let text = "//! C.\nmod inner { fn f() { super::super::super::process::spawn() } }";
    crate::expect_caught(
        check,
        "crossbar/src/check/mcp.rs",
        text,
        "check must not use process",
    );
    let text = "//! C.\nmacro_rules! m { () => { $crate::cli::run() }; }";
    crate::expect_caught(
        check,
        "crossbar/src/check/mcp.rs",
        text,
        "check must not use cli",
    );
}

#[test]
fn catches_what_all_below_leaves_out() {
    crate::expect_caught(
        check,
        "crossbar/src/cli/run.rs",
        "//! R.\nuse crate::process::Child;",
        "cli must not use process",
    );
}

#[test]
fn catches_the_front_door_and_its_glob() {
    let path = "crossbar/src/check/mcp.rs";
    crate::expect_caught(check, path, "//! C.\nuse crate::Task;", "front door");
    crate::expect_caught(check, path, "//! C.\nuse crate::*;", "front door");
    crate::expect_caught(
        check,
        path,
        "//! C.\nfn f() { ::crossbar::cli::run() }",
        "check must not use cli",
    );
}

#[test]
fn catches_a_file_that_is_not_rust() {
    crate::expect_caught(
        check,
        "crossbar/src/check/mcp.rs",
        "//! C.\nfn f( {",
        "not Rust",
    );
}

#[test]
fn leaves_macros_and_tests_alone() {
    let text = "//! C.\nfn f() { crate::subset!({}) }\n#[cfg(test)]\nmod tests { use crate::cli; }";
    crate::expect_allowed(check, "crossbar/src/check/mcp.rs", text);
}
