//! `run --adaptive`: cells that are settled early get no more repeats, at looks that were fixed
//! before the first rollout.

use crossbar_suites::project::{Output, Project, task};
use std::collections::BTreeMap;

/// Twelve tasks, and a third cell that is as good as the baseline and as dear.
fn project() -> Project {
    let project = Project::pack();
    for number in 3..=12 {
        let id = format!("t{number}");
        project.write(&format!("desk/{id}.task.yaml"), &task(&id));
    }
    project.replace(
        "crossbar.yaml",
        "models:\n",
        "models:\n  - id: twin\n    provider: mock\n    skill: 1\n    price: {input_per_mtok: 10, \
         output_per_mtok: 50}\n",
    );
    project.replace(
        "crossbar.yaml",
        "agents:\n",
        "agents:\n  - {model: twin, harness: react}\n",
    );
    project.replace(
        "crossbar.yaml",
        "skill: 0.5\n    recover: 1",
        "skill: 0.2\n    recover: 0",
    );
    project
}

fn run(project: &Project, more: &[&str]) -> Output {
    let args = ["run", "--adaptive", "--max-repeats", "10"];
    project.crossbar(&[&args[..], more].concat())
}

/// The rollouts of each cell of the newest run.
fn counts(project: &Project) -> [usize; 3] {
    let rollouts = project.rollouts("runs/latest");
    ["good+react", "twin+react", "poor+react"].map(|cell| rollouts.of_cell(cell).len())
}

#[test]
fn a_loser_gets_no_more_and_the_report_names_its_look() {
    let project = project();
    let said = run(&project, &[]);
    assert_eq!(said.code, Some(0), "{said}");
    assert_eq!(counts(&project), [120, 120, 36], "{said}");
    // no task has more repeats than another, whatever came of it
    for (cell, repeats) in [("good+react", 10), ("twin+react", 10), ("poor+react", 3)] {
        let rollouts = project.rollouts("runs/latest");
        let mut tasks: BTreeMap<String, usize> = BTreeMap::new();
        for line in rollouts.of_cell(cell) {
            *tasks.entry(line["task"].clone()).or_default() += 1;
        }
        assert!(
            tasks.len() == 12 && tasks.values().all(|count| *count == repeats),
            "{tasks:?}"
        );
    }
    let text = said.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    for part in [
        "ADAPTIVE Looks after 3, 5, 7, 10 repeats, fixed before the first rollout",
        "The baseline ran 10 repeats.",
        "poor+react: look 1 of 4 (3 repeats), stopped, since it is shown worse",
        "twin+react: look 4 of 4 (10 repeats), open at the last look",
        "An early stop is optimistic",
        "(joint sign-flip and MOVER; adaptive, look 4 of 4, interval at 97.5%)",
    ] {
        assert!(text.contains(part), "{part}: {said}");
    }
    assert!(
        !text.contains("Holm") && !text.contains("INCOMPLETE"),
        "{said}"
    );
    let sweep = project.sweep("runs/latest");
    let cells = &sweep["analysis"]["adaptive"]["cells"];
    let stops: Vec<_> = (0..2)
        .map(|at| cells[at]["stop"].as_str().unwrap())
        .collect();
    assert!(
        stops.contains(&"worse") && stops.contains(&"last_look"),
        "{cells}"
    );
    let again = project.crossbar(&["report", "runs/latest/sweep.json"]);
    assert!(said.stdout.trim_end() == again.stdout.trim_end(), "{again}");
}

#[test]
fn a_run_goes_on_at_the_look_where_it_was_and_ends_with_the_same_figures() {
    let project = project();
    let whole = run(&project, &[]);
    let figures = |project: &Project| project.sweep("runs/latest")["analysis"].clone();
    let (rows, ended) = (counts(&project), figures(&project)["adaptive"].clone());
    // nothing is left to run, and other looks are another run
    let resumed = run(&project, &["--resume"]);
    assert_eq!(
        (resumed.code, counts(&project)),
        (Some(0), rows),
        "{resumed}"
    );
    assert_eq!(figures(&project)["adaptive"], ended, "{whole}");
    let other = project.crossbar(&["run", "--adaptive", "--max-repeats", "9", "--resume"]);
    assert_eq!(other.code, Some(2), "{other}");
    assert!(other.stderr.contains("looks"), "{other}");
    // the same roster and seed once more: the same looks
    let cut = self::project();
    let first = cut.crossbar(&["run", "--adaptive", "--max-repeats", "10", "--out", "."]);
    assert_eq!(first.code, Some(0), "{first}");
    assert_eq!(counts(&cut), rows);
}

#[test]
fn what_needs_fixed_repeats_refuses_an_adaptive_run() {
    let project = project();
    for (args, cure) in [
        (&["run", "--adaptive"][..], "--max-repeats N"),
        (
            &["run", "--adaptive", "--max-repeats", "3"],
            "above the repeats",
        ),
        (
            &["run", "--adaptive", "--max-repeats", "5", "--aa"],
            "leave one of them out",
        ),
        (&["run", "--max-repeats", "5"], "--adaptive"),
        (
            &[
                "run",
                "--adaptive",
                "--max-repeats",
                "5",
                "--agent",
                "poor+react",
            ],
            "run.baseline",
        ),
    ] {
        let said = project.crossbar(args);
        assert_eq!(said.code, Some(2), "{said}");
        assert!(said.stderr.contains(cure), "{cure}: {said}");
    }
    assert!(!project.has("runs"));
    project.replace(
        "crossbar.yaml",
        "  repeats: 3\n",
        "  repeats: 2\n  max_repeats: 3\n",
    );
    let said = project.crossbar(&["run", "--adaptive"]);
    assert_eq!(said.code, Some(0), "{said}");
    let refused = project.crossbar(&["accept", "latest"]);
    assert_eq!(refused.code, Some(2), "{refused}");
    assert!(
        refused.stderr.contains("is adaptive, and no reference"),
        "{refused}"
    );
    let gate = "gate: {mode: regression, allow_mock: true}\n";
    let roster = project.read("crossbar.yaml");
    project.write("crossbar.yaml", &format!("{roster}{gate}"));
    let said = project.crossbar(&["run", "--adaptive"]);
    assert_eq!(said.code, Some(2), "{said}");
    assert!(
        said.stderr.contains("a gate needs the repeats fixed"),
        "{said}"
    );
}

#[test]
fn tasks_in_rust_are_looked_at_with_those_in_yaml() {
    let project = Project::first_test();
    let said = project.crossbar(&["run", "--adaptive", "--repeats", "2", "--max-repeats", "3"]);
    assert_eq!(said.code, Some(0), "{said}");
    assert!(said.stdout.contains("look 2 of 2 (3 repeats)"), "{said}");
    let rows = project.read("runs/latest/rollouts.csv");
    assert_eq!(rows.lines().count(), 1 + 3 * 2 * 3, "{said}");
}
