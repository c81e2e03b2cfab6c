//! Pure rooms take no clock, environment variable, file, process, socket, thread or unseeded chance.

use crossbar_suites::scan::Named;
use crossbar_suites::tree::{Tree, Violation};

/// Paths that open the outside world.
const OUTSIDE: [&[&str]; 14] = [
    &["std", "env"],
    &["std", "fs"],
    &["std", "net"],
    &["std", "os"],
    &["std", "process"],
    &["std", "thread"],
    &["std", "io", "stdin"],
    &["std", "io", "stdout"],
    &["std", "io", "stderr"],
    &["std", "time", "*"],
    &["tokio"],
    &["getrandom"],
    &["rand"],
    &["tempfile"],
];

/// Names that mean the same wherever their path begins.
const NAMES: [&str; 6] = [
    "SystemTime",
    "Instant",
    "OsRng",
    "SysRng",
    "thread_rng",
    "from_os_rng",
];

pub fn check(tree: &Tree) -> Vec<Violation> {
    let page = match crate::page(tree) {
        Ok(page) => page,
        Err(found) => return found,
    };
    let mut found = Vec::new();
    for source in tree
        .sources()
        .iter()
        .filter(|source| source.room().is_some_and(|room| page.pure.contains(room)))
    {
        for named in source.named().iter().filter(|named| reaches_outside(named)) {
            let text = format!(
                "`{}` in a pure room: take the value as a parameter",
                named.segments.join("::")
            );
            found.push(Violation::at(&source.path, named.line, text));
        }
    }
    found
}

fn reaches_outside(named: &Named) -> bool {
    let is_bare_time = named.segments == ["std", "time"];
    is_bare_time
        || OUTSIDE.iter().any(|prefix| named.starts(prefix))
        || named
            .segments
            .iter()
            .any(|segment| NAMES.contains(&segment.as_str()))
}

#[test]
fn catches_every_kind_of_outside() {
    let path = "crossbar/src/check/mcp.rs";
    for text in [
        "use std::fs;",
        "use std::{collections::BTreeMap, env};",
        "fn f() { let _ = std::process::id(); }",
        "use std::net::TcpStream;",
        "use std::time::{Duration, Instant};",
        "use std::time;",
        "fn f(now: Clock) { SystemTime::now(); }",
        "fn f() { std::thread::yield_now(); }",
        "async fn f() { tokio::task::yield_now().await }",
        "fn f() { rand::rng(); }",
        "fn f() { ChaCha8Rng::from_os_rng(); }",
        "fn f() { write!(std::io::stdout(), \"x\"); }",
    ] {
        crate::expect_caught(check, path, &format!("//! C.\n{text}"), "in a pure room");
    }
}

#[test]
fn allows_durations_and_impure_rooms() {
    crate::expect_allowed(
        check,
        "crossbar/src/check/mcp.rs",
        "//! C.\nuse std::time::Duration;\nuse std::io::Write;",
    );
    crate::expect_allowed(
        check,
        "crossbar/src/process/spawn.rs",
        "//! S.\nuse std::fs;",
    );
}
