//! What the demo answers: in a real run, and for many seeds.

use super::mocks::{CELLS, REPEATS, passes};
use super::tasks;
use crossbar::task::Task;
use crossbar_suites::project::{Output, Project};
use serde_json::Value;
use std::fmt::Write;

const BASELINE: &str = "mock-strong+react";
const WINNER: &str = "mock-weak+react-verify";
const LOSER: &str = "mock-weak+react";

fn run() -> (Project, Output) {
    let project = Project::of_the_repository();
    let said = project.crossbar(&["run"]);
    assert_eq!(said.code, Some(0), "{said}");
    (project, said)
}

fn row<'m>(card: &'m str, cell: &str) -> &'m str {
    let matrix = card.split("\nMATRIX\n").nth(1).unwrap();
    let mut lines = matrix.lines();
    let found = lines.find(|line| line.split(' ').next() == Some(cell));
    found.unwrap_or_else(|| panic!("no {cell}: {matrix}"))
}

#[test]
fn a_run_says_what_to_do_what_it_saves_and_how_sure_that_is() {
    let (project, said) = run();
    let card = &said.stdout;
    let widest = card.lines().map(|line| line.chars().count()).max();
    assert!(widest <= Some(100), "{widest:?} columns");
    for line in [
        "48 tasks\n",
        "  >> SWITCH to mock-weak+react-verify: it is within 10 points of mock-strong+react, and",
        "     Savings: 9",
        "  CONFIDENCE     ",
        "  CONTROLS       192 of 192 hold\n",
    ] {
        assert!(card.contains(line), "{line}: {card}");
    }
    assert!(row(card, WINNER).contains("non-inferior (-10pp)"), "{card}");
    assert!(row(card, LOSER).ends_with("worse"), "{card}");
    let sweep = project.sweep("runs/latest");
    assert_eq!(sweep["verdict"]["word"], "SWITCH");
    let cost = |cell: &str| {
        let cells = sweep["analysis"]["cells"].as_array().unwrap();
        let found = cells.iter().find(|one| one["id"] == cell).unwrap();
        found["cost_per_success"]["estimate"]["value"]
            .as_f64()
            .unwrap()
    };
    let times = cost(BASELINE) / cost(WINNER);
    assert!((50.0..150.0).contains(&times), "{times} times less");
    the_mocks_did_what_their_seeds_say(&project);
}

/// Every rollout of the run ended as it was worked out, so what is worked out for other seeds holds.
fn the_mocks_did_what_their_seeds_say(project: &Project) {
    let tasks = tasks();
    let rollouts = project.rollouts("runs/latest");
    for cell in &CELLS {
        for line in rollouts.of_cell(cell.name) {
            let task = tasks
                .iter()
                .find(|task| task.id.to_string() == line["task"]);
            let repeat = line["repeat"].parse().unwrap();
            let passed = passes(0, cell, task.unwrap(), repeat);
            assert_eq!(line["passed"], passed.to_string(), "{line:?}");
        }
    }
    assert_eq!(rollouts.lines.len(), 4 * 48 * REPEATS as usize);
}

/// The rollouts of a sweep as a table, with what a rollout of each cell cost in a real run.
fn table(seed: u64, tasks: &[Task]) -> String {
    const COSTS: [f64; 4] = [0.060, 0.080, 0.00062, 0.00104];
    let mut text = String::from("cell,task,repeat,passed,cost_usd,family\n");
    for (cell, cost) in CELLS.iter().zip(COSTS) {
        for task in tasks {
            for repeat in 1..=REPEATS {
                let passed = passes(seed, cell, task, repeat);
                let (name, id) = (cell.name, task.id.task());
                let family = task.family.as_deref().unwrap();
                writeln!(text, "{name},{id},{repeat},{passed},{cost},{family}").unwrap();
            }
        }
    }
    text
}

/// Verdict with its cell, and the notes of the weak model alone and checking its work.
fn answer(seed: u64, tasks: &[Task]) -> (String, String, String) {
    let project = Project::empty();
    project.write("results.csv", &table(seed, tasks));
    let args = ["analyze", "results.csv", "--baseline", BASELINE];
    let said = project.crossbar(&[&args[..], &["--margin", "10", "--json"]].concat());
    assert_eq!(said.code, Some(0), "{said}");
    let document: Value = serde_json::from_str(&said.stdout).unwrap();
    let verdicts = document["verdicts"].as_array().unwrap();
    let leading = verdicts.iter().find(|one| one["headline"] == true).unwrap();
    let note = |cell: &str| {
        let cells = document["cells"].as_array().unwrap();
        let found = cells.iter().find(|one| one["cell"] == cell).unwrap();
        found["note"].as_str().unwrap().to_owned()
    };
    let word = format!(
        "{} {}",
        leading["word"].as_str().unwrap(),
        leading["winner"].as_str().unwrap_or("nobody")
    );
    (word, note(LOSER), note(WINNER))
}

#[test]
fn the_answer_is_the_same_for_at_least_18_of_20_seeds() {
    let tasks = tasks();
    let wanted = format!("SWITCH {WINNER}");
    let mut others = Vec::new();
    for seed in 0..20 {
        let (word, loser, winner) = answer(seed, &tasks);
        let held = winner.starts_with("non-inferior") || winner == "better";
        if word != wanted || loser != "worse" || !held {
            others.push(format!("seed {seed}: {word}; {loser}; {winner}"));
        }
    }
    assert!(others.len() <= 2, "{others:?}");
}
