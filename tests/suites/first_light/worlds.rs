//! Worlds in which the answer must be another one: a server that ignores writes, models that have
//! changed places.

use crossbar_suites::project::{Project, Rollouts, binaries, task};
use crossbar_suites::tree;

fn deaf() -> String {
    tree::root()
        .join("tests/fixtures/deaf_tickets.py")
        .to_string_lossy()
        .into_owned()
}

fn accepted(rollouts: &Rollouts) -> usize {
    rollouts
        .lines
        .iter()
        .filter(|line| line["outcome"] == "accepted")
        .count()
}

#[test]
fn nothing_is_accepted_when_the_server_ignores_writes() {
    let project = Project::first_test();
    let (deaf, crossbar) = (deaf(), binaries().join("crossbar"));
    project
        .replace(
            "tasks/route-billing.task.yaml",
            "command: ${CROSSBAR_BIN}\n      args: [\"__serve\", \"tickets\"]",
            &format!("command: python3\n      args: [{deaf:?}, \"${{CROSSBAR_BIN}}\", __serve, tickets]"),
        )
        .replace(
            "tests/agents.rs",
            "ServerCommand::built_in(\"tickets\")",
            &format!(
                "ServerCommand::new(\"python3\").arg({deaf:?}).arg({crossbar:?}).arg(\"__serve\").arg(\"tickets\")"
            ),
        );
    let said = project.cargo(&["test"]);
    let rollouts = project.rollouts("runs/latest");
    assert_eq!(rollouts.lines.len(), 18, "{said}");
    assert_eq!(accepted(&rollouts), 0, "{said}");
    for line in &rollouts.lines {
        assert_eq!(line["outcome"], "task_failure", "{line:?}");
        if line["task"] == "tasks::route-billing" {
            assert_eq!(
                line["score"], "0",
                "its checks are of the state alone: {line:?}"
            );
        }
    }
}

#[test]
fn the_same_tasks_pass_when_the_proxy_lets_writes_through() {
    let project = Project::pack();
    let crossbar = binaries().join("crossbar");
    project.serve(&format!(
        "{{name: tickets, command: {crossbar:?}, args: [__serve, tickets]}}"
    ));
    let said = project.crossbar(&["run", "--agent", "good+react"]);
    assert_eq!(said.code, Some(0), "{said}");
    assert_eq!(accepted(&project.rollouts("runs/latest")), 6);
}

/// Six tasks and six repeats: enough that the good model is told from the poor one.
fn contest(good: &str, poor: &str) -> (Project, String) {
    let project = Project::pack();
    for name in ["three", "four", "five", "six"] {
        project.write(&format!("desk/{name}.task.yaml"), &task(name));
    }
    let roster = format!(
        "models:
  - {{id: left, provider: mock, {good}}}
  - {{id: right, provider: mock, {poor}}}
harnesses: [{{id: react, kind: react}}]
run: {{repeats: 6, baseline: left+react}}
gate: {{margin: 0.2}}
"
    );
    project.write("crossbar.yaml", &roster);
    let said = project.crossbar(&["run"]);
    assert_eq!(said.code, Some(0), "{said}");
    (project, said.stdout)
}

#[test]
fn models_that_change_places_change_the_card() {
    let good = "skill: 1, price: {input_per_mtok: 1, output_per_mtok: 5}";
    let poor = "skill: 0, price: {input_per_mtok: 10, output_per_mtok: 50}";
    let (one, said) = contest(good, poor);
    let (other, swapped) = contest(poor, good);
    let passed = |project: &Project, cell: &str| {
        let rollouts = project.rollouts("runs/latest");
        let lines = rollouts.of_cell(cell);
        lines.iter().filter(|line| line["passed"] == "true").count()
    };
    assert_eq!(passed(&one, "left+react"), 36);
    assert_eq!(passed(&one, "right+react"), 0);
    assert_eq!(passed(&one, "left+react"), passed(&other, "right+react"));
    assert_eq!(passed(&one, "right+react"), passed(&other, "left+react"));
    assert_eq!(
        one.sweep("runs/latest")["verdict"]["word"],
        "STAY",
        "{said}"
    );
    let verdict = &other.sweep("runs/latest")["verdict"];
    assert_eq!(verdict["word"], "SWITCH", "{swapped}");
    assert_eq!(verdict["winner"], "right+react", "{swapped}");
    assert!(
        said.contains(">> STAY") && swapped.contains("WINNER"),
        "{said}\n{swapped}"
    );
}
