//! SIGKILL in the first look of a gate, between its looks and in the second: `--resume` comes to
//! what the undisturbed run says, and no finished rollout runs twice.

use super::{Round, count, finished};
use crossbar_suites::project::{Project, binaries, card, lasting};

/// `poor` is red in both looks; `other` has no part in the second.
const ROSTER: &str = "models:
  - {id: good, provider: mock, skill: 1, price: {input_per_mtok: 10, output_per_mtok: 50}}
  - {id: poor, provider: mock, skill: 0.4, recover: 0, price: {input_per_mtok: 1, output_per_mtok: 5}}
  - {id: other, provider: mock, skill: 1, price: {input_per_mtok: 1, output_per_mtok: 5}}
harnesses:
  - {id: react, kind: react}
packs: [pack]
run: {repeats: 3, seed: 5, concurrency: 2, baseline: good+react}
gate: {mode: regression, reference: concurrent, cell: poor+react, allow_mock: true}
";

const TASKS: [&str; 5] = ["a", "b", "c", "d", "e"];

/// The rollouts of the first look: three cells; the second has two.
const FIRST: usize = 45;

fn project() -> Project {
    let mut project = Project::empty();
    project.write("crossbar.yaml", ROSTER);
    for task in TASKS {
        let text = super::task(task, "T-1001");
        project.write(&format!("pack/{task}.task.yaml"), &text);
    }
    project.env("CROSSBAR_RUN_ID", "one");
    project
}

/// What both looks left: the rollouts of each, and all that the gate says.
fn left(project: &Project, runs: &str) -> (String, String, serde_json::Value) {
    let rollouts = |run: &str| project.read(&format!("{runs}/{run}/rollouts.csv"));
    let gate = lasting(&project.sweep(&format!("{runs}/latest"))["gate"]);
    (rollouts("one"), rollouts("one-second"), gate)
}

#[test]
fn a_gate_that_is_killed_in_either_look_or_between_them_and_resumed_is_the_undisturbed_one() {
    let mut whole = project();
    let round = Round::new(&mut whole, "whole");
    let undisturbed = whole.crossbar(&["run"]);
    assert_eq!(undisturbed.code, Some(1), "{undisturbed}");
    let expected = left(&whole, &round.runs);
    assert_eq!(expected.2["second_look"]["run"], "one-second");
    for (killed_after, resume) in [
        (20, "latest"),
        (FIRST, "one"),
        (FIRST + 10, "one-second"),
        (FIRST + 25, "latest"),
    ] {
        let mut project = project();
        let round = Round::new(&mut project, "killed");
        let mut running = project.start(&binaries().join("crossbar"), &["run"]);
        assert!(
            running.wait_for(killed_after, |line| line.contains("+react pack::")),
            "{killed_after}"
        );
        running.kill();
        assert_eq!(running.end().signal, Some(9));
        let before = finished(&round.store(&project));
        if killed_after > FIRST {
            let open = project.crossbar(&["verdict"]);
            assert_eq!(open.code, Some(4), "{killed_after}: {open}");
            let gate = project.sweep(&format!("{}/latest", round.runs))["gate"].clone();
            assert_eq!(gate["word"], "incomplete", "{gate}");
        }
        let resumed = project.crossbar(&["run", "--resume", resume]);
        assert_eq!(resumed.code, Some(1), "{killed_after}: {resumed}");
        assert_eq!(
            card(&resumed.stdout),
            card(&undisturbed.stdout),
            "{killed_after}"
        );
        assert_eq!(left(&project, &round.runs), expected, "{killed_after}");
        let store = round.store(&project);
        let after = finished(&store);
        for (place, record) in &before {
            assert_eq!(after.get(place), Some(record), "{killed_after}: {place:?}");
        }
        let twice = "SELECT count(*) FROM (SELECT 1 FROM attempt WHERE state != 'lost' \
                     GROUP BY run, cell, task, repeat HAVING count(*) > 1)";
        assert_eq!(count(&store, twice), 0, "{killed_after}");
    }
}
