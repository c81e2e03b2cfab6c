//! A task that returns early has not passed what it did not come to.

use crossbar_suites::project::Project;

const LEAVES_EARLY: &str = r#"//! A task that leaves before it looks, where nothing was done.

use crossbar::{Context, Script, ServerCommand, json};

#[crossbar::task]
async fn assigned(cx: &mut Context) -> crossbar::Result {
    let tickets = cx.server("tickets", ServerCommand::built_in("tickets")).await?;
    cx.agent("Assign T-1001 to oncall.").await?;
    cx.check("somebody was asked", true);
    if tickets.calls("assign") == 0 {
        return Ok(());
    }
    cx.check("assigned once", tickets.calls("assign") == 1);
    Ok(())
}

#[crossbar::solution(assigned)]
fn assign(s: &mut Script) {
    s.call("tickets.assign", json!({"id": "T-1001", "team": "oncall"})).say("Done.");
}

crossbar::main!();
"#;

/// A model that plays solutions exactly, and one that leaves every step out.
const ROSTER: &str = "\
models: [{id: played, provider: scripted, price: free}, {id: idle, provider: mock, skill: 0, price: free}]
harnesses: [{id: react, kind: react}]
run: {repeats: 2, concurrency: 2}
";

#[test]
fn a_check_that_was_not_reached_is_a_failed_one_through_every_door() {
    let project = crate::project(LEAVES_EARLY);
    project.write("crossbar.yaml", ROSTER);
    let said = project.crossbar(&["run"]);
    judged(&project, &said.stderr);

    project.remove("runs");
    let said = project.nextest(&["run", "--no-fail-fast"]);
    let verdict = project.crossbar(&["verdict"]);
    judged(&project, &format!("{said}{verdict}"));
}

fn judged(project: &Project, said: &str) {
    let lines = project.rollouts("runs/latest").lines;
    assert_eq!(lines.len(), 4, "{said}");
    for line in &lines {
        let (outcome, score) = match line["cell"].as_str() {
            "played+react" => ("accepted", "1"),
            _ => ("task_failure", "0.5"),
        };
        assert_eq!(
            (line["outcome"].as_str(), line["score"].as_str()),
            (outcome, score),
            "{line:?}: {said}"
        );
    }
    let shown = project.crossbar(&["show", "idle+react", "first-test::assigned", "-r", "1"]);
    for part in [
        "assigned once",
        "not reached: the task's solution comes to this check",
    ] {
        assert!(shown.stdout.contains(part), "{part}: {shown}");
    }
}
