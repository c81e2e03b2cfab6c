//! `bin!`: a binary of the package is found by cargo test and in an archive of nextest.

use crossbar_suites::project::{Project, target};

/// An MCP server without dependencies: one tool, `ping`, which answers `pong`.
const SERVER: &str = include_str!("../../fixtures/rust_tasks/ping_server.rs");

const AGENTS: &str = "\
//! One task over a server of the package itself.
use crossbar::{Context, Script, json};

#[crossbar::task]
async fn pings(cx: &mut Context) -> crossbar::Result {
    let server = cx.server(\"own\", crossbar::bin!(\"ping-server\")).await?;
    cx.agent(\"Ping.\").await?;
    cx.check(\"pinged\", server.calls(\"ping\") == 1);
    Ok(())
}

#[crossbar::solution(pings)]
fn ping(s: &mut Script) {
    s.call(\"own.ping\", json!({})).say(\"pong\");
}

crossbar::main!();
";

fn project() -> Project {
    let project = crate::project(AGENTS);
    project.write("src/bin/ping-server.rs", SERVER);
    project
}

fn accepted(project: &Project) -> bool {
    let rollouts = project.rollouts("runs/latest");
    rollouts.lines.len() == 1 && rollouts.lines[0]["outcome"] == "accepted"
}

#[test]
fn a_binary_of_the_package_is_found() {
    let project = project();
    let said = project.cargo(&["test", "--test", "agents"]);
    assert_eq!(said.code, Some(0), "{said}");
    assert!(accepted(&project), "{said}");
}

#[test]
fn a_binary_is_found_in_an_archive_that_was_taken_elsewhere() {
    let project = project();
    // A name of its own: where it was built it is deleted.
    project
        .remove("src/bin/ping-server.rs")
        .write("src/bin/moved-server.rs", SERVER)
        .replace("tests/agents.rs", "ping-server", "moved-server");
    let folder = tempfile::tempdir().unwrap();
    let archive = folder.path().join("tests.tar.zst");
    let [archive, elsewhere, here] =
        [archive.as_path(), folder.path(), project.path()].map(|path| path.to_str().unwrap());
    let made = project.nextest(&["archive", "--archive-file", archive, "--zstd-level", "1"]);
    assert_eq!(made.code, Some(0), "{made}");
    std::fs::remove_file(target().join("debug/moved-server")).unwrap();
    let said = project.nextest(&[
        "run",
        "--archive-file",
        archive,
        "--extract-to",
        elsewhere,
        "--workspace-remap",
        here,
        "-E",
        "not test(control)",
    ]);
    assert_eq!(said.code, Some(0), "{said}");
    assert!(said.stderr.contains("1 test run: 1 passed"), "{said}");
}

#[test]
fn a_binary_that_is_not_there_is_an_invalid_fixture_that_says_where_it_was_looked_for() {
    let project = project();
    project.replace("tests/agents.rs", "\"ping-server\"", "\"pong-server\"");
    let said = project.cargo(&["test", "--test", "agents"]);
    assert_ne!(said.code, Some(0), "{said}");
    for part in [
        "fixture: no binary `pong-server`",
        "NEXTEST_BIN_EXE_pong-server is not set",
        "it has to be a [[bin]] of the package",
    ] {
        assert!(said.stdout.contains(part), "{part}: {said}");
    }
}
