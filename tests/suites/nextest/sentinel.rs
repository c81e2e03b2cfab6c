//! A gate with a sentinel in parts: each shard runs its share of the sentinel's few cases and of the
//! held cell's, and the verdict over the shards is that of the run in one piece.

use super::parts::part;
use crossbar_suites::project::{Output, Project};

/// The baseline is the sentinel, with one of two tasks; the same model that checks itself is held.
const GATE: &str = "gate: {mode: regression, reference: \"sentinel:1\", cell: mock-weak+react-verify, allow_mock: true}\nharnesses:";

/// The lines of the gate, without what names the files of a run.
fn gate(said: &Output) -> String {
    let text = said.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    let gate = text
        .split("GATE ")
        .nth(1)
        .and_then(|rest| rest.split(" SCOPE ").next());
    gate.unwrap_or_else(|| panic!("{said}")).to_owned()
}

#[test]
fn a_sentinel_in_two_parts_says_what_it_says_in_one() {
    let mut project = Project::first_test();
    project.replace("crossbar.yaml", "harnesses:", GATE);
    project.replace(
        "crossbar.yaml",
        "baseline: mock-strong",
        "baseline: mock-weak",
    );
    let begun = project.crossbar(&["run"]);
    assert_eq!(begun.code, Some(0), "{begun}");
    let accepted = project.crossbar(&["accept"]);
    assert_eq!(accepted.code, Some(0), "{accepted}");

    let single = project.cargo(&["test", "--test", "agents"]);
    assert_eq!(single.code, Some(0), "{single}");
    let single = gate(&single);
    assert!(
        single.contains("sentinel mock-weak+react: no drift shown"),
        "{single}"
    );
    assert!(single.contains("over 1 task"), "{single}");

    part(&mut project, "runs/a", "slice:1/2");
    part(&mut project, "runs/b", "slice:2/2");
    let both = project.crossbar(&["verdict", "runs/a", "runs/b"]);
    assert_eq!(both.code, Some(0), "{both}");
    assert_eq!(gate(&both), single, "{both}");

    // One shard is no verdict: its gate is open until the others are there.
    for shard in ["runs/a", "runs/b"] {
        let alone = project.crossbar(&["verdict", shard]);
        assert_eq!(alone.code, Some(4), "{alone}");
        assert!(gate(&alone).starts_with("INCOMPLETE"), "{alone}");
    }
}
