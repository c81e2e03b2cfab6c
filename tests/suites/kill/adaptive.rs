//! SIGKILL in the middle of an adaptive run, in each of its looks: `--resume` goes on inside the look,
//! and the card is that of the undisturbed run.

use super::{Round, count, finished};
use crossbar_suites::project::{Project, binaries, card, lasting};
use std::collections::BTreeMap;

/// `poor` never passes and stops at the first look; `twin` is as good as the baseline and as dear.
const ROSTER: &str = "models:
  - {id: good, provider: mock, skill: 1, price: {input_per_mtok: 10, output_per_mtok: 50}}
  - {id: twin, provider: mock, skill: 1, price: {input_per_mtok: 10, output_per_mtok: 50}}
  - {id: poor, provider: mock, skill: 0, recover: 0, price: {input_per_mtok: 1, output_per_mtok: 5}}
harnesses:
  - {id: react, kind: react}
packs: [pack]
run: {repeats: 3, max_repeats: 6, seed: 5, concurrency: 2, baseline: good+react}
";

const TASKS: [&str; 8] = ["a", "b", "c", "d", "e", "f", "g", "h"];

const RUN: [&str; 2] = ["run", "--adaptive"];

fn project() -> Project {
    let project = Project::empty();
    project.write("crossbar.yaml", ROSTER);
    for task in TASKS {
        let text = super::task(task, "T-1001");
        project.write(&format!("pack/{task}.task.yaml"), &text);
    }
    project
}

fn rollouts(project: &Project, runs: &str) -> String {
    project.read(&format!("{runs}/latest/rollouts.csv"))
}

fn analysis(project: &Project, runs: &str) -> serde_json::Value {
    lasting(&project.sweep(&format!("{runs}/latest"))["analysis"])
}

#[test]
fn an_adaptive_run_that_is_killed_in_any_look_and_resumed_is_the_undisturbed_one() {
    let mut whole = project();
    let round = Round::new(&mut whole, "whole");
    let undisturbed = whole.crossbar(&RUN);
    assert_eq!(undisturbed.code, Some(0), "{undisturbed}");
    let csv = rollouts(&whole, &round.runs);
    let expected = analysis(&whole, &round.runs);
    let cells = &expected["adaptive"]["cells"];
    assert_eq!(
        (&cells[0]["look"], &cells[1]["look"]),
        (&4.into(), &1.into())
    );
    // three cells to the first look, then two: 72, 16, 16 and 16 rollouts
    for (killed_after, repeat) in [(30, 3), (80, 4), (97, 5), (115, 6)] {
        let mut project = project();
        let round = Round::new(&mut project, "killed");
        let mut running = project.start(&binaries().join("crossbar"), &RUN);
        assert!(
            running.wait_for(killed_after, |line| line.contains("+react ")),
            "{killed_after}"
        );
        running.kill();
        assert_eq!(running.end().signal, Some(9));
        let before = finished(&round.store(&project));
        let furthest = before.keys().map(|(_, _, repeat)| *repeat).max();
        assert!(
            furthest.is_some_and(|at| at == repeat || (repeat == 3 && at < 3)),
            "{furthest:?}"
        );
        assert!(before.len() < 120 + 16, "{killed_after}: {}", before.len());
        let resumed = project.crossbar(&[&RUN[..], &["--resume"]].concat());
        assert_eq!(resumed.code, Some(0), "{killed_after}: {resumed}");
        assert_eq!(
            card(&resumed.stdout),
            card(&undisturbed.stdout),
            "{killed_after}"
        );
        assert_eq!(rollouts(&project, &round.runs), csv, "{killed_after}");
        assert_eq!(analysis(&project, &round.runs), expected, "{killed_after}");
        let store = round.store(&project);
        let after: BTreeMap<_, _> = finished(&store);
        for (place, record) in &before {
            assert_eq!(after.get(place), Some(record), "{killed_after}: {place:?}");
        }
        let twice = "SELECT count(*) FROM (SELECT 1 FROM attempt WHERE state != 'lost' \
                     GROUP BY run, cell, task, repeat HAVING count(*) > 1)";
        assert_eq!(count(&store, twice), 0, "{killed_after}");
    }
}
