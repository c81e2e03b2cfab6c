//! `run.task_looks`: verdicts that are asked again as the pack grows, at numbers of tasks that were
//! declared beforehand.

use crossbar_suites::project::{Output, Project, task};

fn project(looks: &str) -> Project {
    let project = Project::pack();
    project.replace(
        "crossbar.yaml",
        "  repeats: 3\n",
        &format!("  repeats: 3\n  task_looks: {looks}\n"),
    );
    project
}

fn flat(output: &Output) -> String {
    let words: Vec<_> = output.stdout.split_whitespace().collect();
    words.join(" ")
}

#[test]
fn each_batch_of_tasks_has_its_look_and_its_part_of_the_error() {
    let project = project("[2, 4]");
    let alpha = |project: &Project| {
        let settings = project.sweep("runs/latest")["analysis"]["settings"].clone();
        settings["alpha"].as_f64().unwrap()
    };
    let first = project.crossbar(&["run"]);
    assert_eq!(first.code, Some(0), "{first}");
    let said = "Look 1 of 2 at a growing pack (2, 4 tasks)";
    assert!(flat(&first).contains(said), "{first}");
    assert!(flat(&first).contains("at most 5%"), "{first}");
    assert_eq!(alpha(&project), 0.031);
    project.write("desk/three.task.yaml", &task("three"));
    let between = project.crossbar(&["run"]);
    let said = "No look was declared at 3 tasks (2, 4 tasks)";
    assert!(flat(&between).contains(said), "{between}");
    project.write("desk/four.task.yaml", &task("four"));
    let second = project.crossbar(&["run"]);
    assert!(flat(&second).contains("Look 2 of 2"), "{second}");
    assert_eq!(alpha(&project), 0.0277);
}

#[test]
fn looks_that_do_not_grow_or_meet_another_design_are_refused() {
    for (looks, said) in [
        ("[4, 2]", "does not grow: 2 follows 4"),
        ("[]", "is empty"),
        ("[0, 2]", "a whole number from 1 to"),
    ] {
        let refused = project(looks).crossbar(&["run"]);
        assert_eq!(refused.code, Some(2), "{refused}");
        assert!(refused.stderr.contains(said), "{refused}");
        assert!(refused.stderr.contains("crossbar.yaml:"), "{refused}");
    }
    let adaptive = project("[2, 4]").crossbar(&["run", "--adaptive", "--max-repeats", "5"]);
    assert_eq!(adaptive.code, Some(2), "{adaptive}");
    assert!(adaptive.stderr.contains("task_looks"), "{adaptive}");
    let gated = project("[2, 4]");
    let roster = gated.read("crossbar.yaml");
    let gate = "gate: {mode: regression, allow_mock: true}\n";
    gated.write("crossbar.yaml", &format!("{roster}{gate}"));
    let refused = gated.crossbar(&["run"]);
    assert_eq!(refused.code, Some(2), "{refused}");
    assert!(refused.stderr.contains("a gate is one look"), "{refused}");
}
