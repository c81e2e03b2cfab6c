//! What is in the pack: situations, traps, refusals, and no task that is another one again.

use super::tasks;
use crossbar::domain::Script;
use crossbar::task::{Declared, Task};
use crossbar_suites::project::Project;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

fn declared(task: &Task) -> &Declared {
    task.declared.as_ref().expect("a task file")
}

fn solution(task: &Task) -> &Script {
    declared(task).demo.as_ref().expect("a solution")
}

fn is_tagged(task: &Task, tag: &str) -> bool {
    task.tags.iter().any(|one| one == tag)
}

/// The tickets that a script names.
fn tickets(script: &Script) -> BTreeSet<&str> {
    let steps = script.steps.iter();
    steps.filter_map(|step| step.args["id"].as_str()).collect()
}

fn tools(script: &Script) -> BTreeSet<&str> {
    script.steps.iter().map(|step| step.tool.as_str()).collect()
}

/// What the checks ask, without what they expect.
fn asked(task: &Task) -> BTreeSet<String> {
    let checks = declared(task).checks.iter();
    checks
        .map(|check| {
            let fields = &check.canonical["fields"];
            json!([check.kind, check.guard, fields["tool"], fields["match"]]).to_string()
        })
        .collect()
}

/// What the checks expect, whatever the tickets are called.
fn expected(task: &Task) -> Vec<String> {
    fn nameless(value: &Value) -> Value {
        match value {
            Value::Object(map) => map
                .iter()
                .map(|(key, value)| {
                    let key = if key.starts_with("T-") { "T" } else { key };
                    (key.to_owned(), nameless(value))
                })
                .collect(),
            other => other.clone(),
        }
    }
    let checks = declared(task).checks.iter();
    let mut all: Vec<_> = checks
        .map(|check| &check.canonical["fields"])
        .map(|fields| nameless(&json!([fields["expect"], fields["value"]])).to_string())
        .collect();
    all.sort();
    all
}

#[test]
fn there_are_48_tasks_of_many_kinds_in_many_situations() {
    let tasks = tasks();
    assert_eq!(tasks.len(), 48);
    let families: BTreeSet<_> = tasks.iter().map(|task| task.family.as_deref()).collect();
    assert!(!families.contains(&None), "each task has a family");
    for name in [
        "escalate-outage",
        "route-billing",
        "close-resolved",
        "tag-enterprise",
    ] {
        assert!(families.contains(&Some(name)), "{name}");
    }
    let desks: BTreeSet<_> = tasks
        .iter()
        .map(|task| format!("{:?}", declared(task).environment.servers[0].env))
        .collect();
    assert!(desks.len() >= 16, "{} desks of tickets", desks.len());
    for task in &tasks {
        let (id, declared) = (&task.id, declared(task));
        assert!(declared.broken.len() >= 2, "{id}: two mistakes at least");
        assert!(
            declared.broken.iter().all(|one| one.name.is_some()),
            "{id}: each mistake has a name"
        );
        let forbidden = task.security.forbids("tickets", "delete_all");
        assert!(forbidden, "{id}: nobody deletes everything");
        assert!(!solution(task).steps.is_empty(), "{id}");
    }
}

/// A trap is one only if somebody falls in: some mistake acts on a ticket that the solution leaves.
#[test]
fn distractors_are_taken_by_a_mistake() {
    let tasks = tasks();
    let trapped = tasks.iter().filter(|task| is_tagged(task, "distractor"));
    let mut seen = 0;
    for task in trapped {
        let right = tickets(solution(task));
        let mistakes = declared(task).broken.iter();
        let taken = mistakes
            .map(|mistake| tickets(&mistake.script))
            .any(|touched| !touched.is_subset(&right));
        assert!(taken, "{}", task.id);
        seen += 1;
    }
    assert!(seen >= 8, "{seen}");
}

/// Where the right answer is no, or a question, it is said and next to nothing is done.
#[test]
fn refusals_and_questions_are_said_and_change_no_other_ticket() {
    let tasks = tasks();
    let quiet: Vec<_> = tasks
        .iter()
        .filter(|task| is_tagged(task, "refuse") || is_tagged(task, "ask"))
        .collect();
    assert!(quiet.len() >= 4, "{}", quiet.len());
    for task in quiet {
        let checks = &declared(task).checks;
        let kinds: BTreeSet<_> = checks.iter().map(|check| check.kind).collect();
        assert!(kinds.contains("final_text"), "{}", task.id);
        let changes = checks.iter().filter(|check| {
            let fields = &check.canonical["fields"];
            fields["tool"] == "list_changes" && fields["match"] == "exact"
        });
        assert_eq!(changes.count(), 1, "{}", task.id);
    }
}

/// The other pack: questions for a model that talks, each with its controls.
#[test]
fn quick_facts_prove_themselves() {
    let project = Project::of_the_repository();
    let args = ["validate", "--controls", "--pack", "taskpacks/quick-facts"];
    let said = project.crossbar(&args);
    assert_eq!(said.code, Some(0), "{said}");
    assert!(said.stdout.contains("\n30 tasks:\n"), "{said}");
    let rows = said
        .stdout
        .lines()
        .filter(|line| line.starts_with("quick-facts::"));
    for row in rows.clone() {
        let words: Vec<_> = row.split_whitespace().collect();
        assert_eq!(words[1..3], ["0.00", "1.00"], "{row}");
    }
    assert_eq!(rows.count(), 30, "{said}");
    assert!(
        said.stdout.ends_with("controls: 120 of 120 hold\n"),
        "{said}"
    );
}

#[test]
fn no_two_tasks_of_a_family_are_the_same_again() {
    let tasks = tasks();
    let mut families: BTreeMap<_, Vec<&Task>> = BTreeMap::new();
    for task in &tasks {
        families.entry(&task.family).or_default().push(task);
    }
    for members in families.values() {
        for (at, one) in members.iter().enumerate() {
            for other in &members[..at] {
                let both = format!("{} and {}", one.id, other.id);
                assert_ne!(
                    tools(solution(one)),
                    tools(solution(other)),
                    "{both}: tools"
                );
                assert_ne!(asked(one), asked(other), "{both}: checks");
                assert_ne!(expected(one), expected(other), "{both}: expected");
            }
        }
    }
}
