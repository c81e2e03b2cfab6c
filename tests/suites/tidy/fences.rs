//! Some things happen in one room only: a fenced dependency, the spawn, the reading of link-time
//! collection.

use crossbar_suites::scan::Source;
use crossbar_suites::tree::{Tree, Violation};

pub fn check(tree: &Tree) -> Vec<Violation> {
    let page = match crate::page(tree) {
        Ok(page) => page,
        Err(found) => return found,
    };
    let mut found = Vec::new();
    for (source, room) in tree
        .sources()
        .iter()
        .filter_map(|source| Some((source, source.room()?)))
    {
        for named in source.named() {
            let fence = page
                .fences
                .get(&named.segments[0])
                .filter(|home| !home.split_whitespace().any(|one| one == room));
            if let Some(home) = fence {
                let text = format!("`{}` stays in the room {home}", named.segments[0]);
                found.push(Violation::at(&source.path, named.line, text));
            }
        }
        if room != "process" {
            found.extend(spawns(source));
        }
    }
    found
}

/// The ends of a pipe to a child start nothing.
fn is_pipe(segments: &[String]) -> bool {
    let last = segments.last().map_or("", String::as_str);
    matches!(last, "ChildStdin" | "ChildStdout" | "ChildStderr")
}

/// The places that start a process. `clap::Command` is something else.
fn spawns(source: &Source) -> Vec<Violation> {
    const STARTERS: [&[&str]; 2] = [&["tokio", "process"], &["std", "process", "Command"]];
    let named = source.named();
    let is_clap = named.iter().any(|named| named.starts(&["clap", "Command"]));
    let starts = named.iter().filter(|named| {
        let bare = !is_clap
            && named
                .segments
                .windows(2)
                .any(|pair| pair == ["Command", "new"]);
        let starter =
            STARTERS.iter().any(|prefix| named.starts(prefix)) && !is_pipe(&named.segments);
        starter || (bare && named.segments[0] != "clap")
    });
    starts
        .map(|named| Violation::at(&source.path, named.line, "only the room process spawns"))
        .collect()
}

#[test]
fn catches_a_dependency_outside_its_room() {
    crate::expect_caught(
        check,
        "crossbar/src/check/mcp.rs",
        "//! C.\nuse clap::Parser;",
        "`clap` stays in the room cli",
    );
    crate::expect_allowed(
        check,
        "crossbar/src/cli/run.rs",
        "//! R.\nuse clap::Parser;",
    );
}

#[test]
fn knows_a_fence_around_two_rooms() {
    let tree = || {
        let page = crate::SAMPLE_PAGE.replace("| clap | cli |", "| clap | cli process |");
        crate::sample().with(crate::PAGE, &page)
    };
    let text = "//! R.\nuse clap::Parser;";
    assert_eq!(check(&tree().with("crossbar/src/process/run.rs", text)), []);
    let found = check(&tree().with("crossbar/src/check/mcp.rs", text));
    assert_eq!(found.len(), 1, "{found:?}");
}

#[test]
fn catches_a_spawn_outside_its_room() {
    let path = "crossbar/src/cli/run.rs";
    for text in [
        "use std::process::{Command, ExitCode};",
        "use tokio::process::Child;",
        "fn f() { process::Command::new(\"git\"); }",
        "fn f() { Command::new(\"git\"); }",
    ] {
        crate::expect_caught(
            check,
            path,
            &format!("//! R.\n{text}"),
            "only the room process spawns",
        );
    }
    crate::expect_allowed(
        check,
        path,
        "//! R.\nuse tokio::process::{ChildStdin, ChildStdout};",
    );
    crate::expect_allowed(
        check,
        path,
        "//! R.\nuse clap::Command;\nfn f() -> std::process::ExitCode { Command::new(\"a\") }",
    );
}
