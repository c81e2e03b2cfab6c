//! Tasks, solutions and mains as the macros submit them, made by hand.

use super::*;
use crate::registry::{TaskAttributes, only};

const KEYS: TaskAttributes = TaskAttributes {
    id: None,
    name: None,
    family: None,
    tags: &["desk"],
    version: 1,
    weight: 1.0,
    min_pass_rate: None,
    timeout_s: None,
    max_steps: None,
    budget_tokens: None,
    max_tool_calls: None,
    forbid: &["orders.*"],
    records_blocked: true,
};

fn place(module: &'static str, name: &'static str, line: u32) -> TaskPlace {
    TaskPlace {
        package: "shop",
        module,
        name,
        file: "tests/a.rs",
        line,
    }
}

fn alone() -> Vec<TaskCase> {
    only(|_| Box::pin(async { Ok(()) }))
}

fn named(names: &[&str]) -> Vec<TaskCase> {
    crate::registry::cases::<String, _, _>(names, |_, _| Box::pin(async { Ok(()) }))
}

fn definition(place: TaskPlace, cases: fn() -> Vec<TaskCase>) -> &'static TaskDefinition {
    Box::leak(Box::new(TaskDefinition {
        place,
        attributes: KEYS,
        ignored: None,
        text: "fn",
        cases,
    }))
}

fn tasks(tasks: Vec<&'static TaskDefinition>) -> Collected {
    Collected {
        tasks,
        ..Collected::default()
    }
}

fn ids(collected: &Collected) -> Vec<String> {
    let tasks = assemble(collected).unwrap();
    tasks
        .iter()
        .map(|coded| coded.task.id.to_string())
        .collect()
}

fn refused(collected: &Collected) -> String {
    assemble(collected).err().unwrap().to_string()
}

#[test]
fn tasks_are_sorted_and_named_by_module_and_function() {
    let collected = tasks(vec![
        definition(place("agents::z::r#mod", "b", 1), alone),
        definition(place("agents", "a", 2), alone),
    ]);
    assert_eq!(ids(&collected), ["shop::a", "shop::z.mod.b"]);
    let first = &assemble(&collected).unwrap()[0].task;
    assert_eq!(first.tags, ["desk"]);
    assert_eq!(first.security.on_blocked, OnBlocked::Record);
}

#[test]
fn a_duplicate_names_both_places() {
    let error = refused(&tasks(vec![
        definition(place("agents", "a", 1), alone),
        definition(place("agents", "a", 9), alone),
    ]));
    assert!(error.contains("tests/a.rs:1 and tests/a.rs:9"), "{error}");
}

#[test]
fn a_solution_finds_its_task_and_is_played_for_each_case() {
    let one = definition(place("agents", "a", 1), || named(&["x", "y"]));
    let solution: &SolutionDefinition = Box::leak(Box::new(SolutionDefinition {
        task: one.place,
        id: None,
        file: "tests/a.rs",
        line: 5,
        text: "fn",
        play: |script, case| {
            script.say(case.downcast_ref::<String>().unwrap());
        },
    }));
    let mut collected = tasks(vec![one]);
    collected.solutions.push(solution);
    let said: Vec<_> = assemble(&collected)
        .unwrap()
        .into_iter()
        .map(|task| task.solution.unwrap().final_text.unwrap())
        .collect();
    assert_eq!(said, ["x", "y"]);
    collected.solutions.push(solution);
    assert!(refused(&collected).contains("has two solutions: tests/a.rs:5"));
}

fn broken(name: &'static str, line: u32) -> &'static BrokenDefinition {
    let script = SolutionDefinition {
        task: place("agents", "a", 1),
        id: None,
        file: "tests/a.rs",
        line,
        text: "fn",
        play: |script, _| {
            script.say("wrong");
        },
    };
    Box::leak(Box::new(BrokenDefinition { name, script }))
}

#[test]
fn mistakes_find_their_task_and_are_sorted_by_name() {
    let mut collected = tasks(vec![definition(place("agents", "a", 1), || {
        named(&["x", "y"])
    })]);
    collected.broken = vec![broken("z", 5), broken("b", 9)];
    for coded in assemble(&collected).unwrap() {
        let names: Vec<_> = coded.broken.iter().map(|b| b.name.as_deref()).collect();
        assert_eq!(names, [Some("b"), Some("z")]);
    }
    collected.broken.push(broken("z", 7));
    let error = refused(&collected);
    assert!(
        error.contains("`z`: tests/a.rs:5 and tests/a.rs:7"),
        "{error}"
    );
}

#[test]
fn each_case_is_a_task_with_its_value_in_the_fingerprint() {
    let collected = tasks(vec![definition(place("agents", "a", 1), || {
        named(&["O1", "O2"])
    })]);
    assert_eq!(ids(&collected), ["shop::a.O1", "shop::a.O2"]);
    let tasks = assemble(&collected).unwrap();
    assert_ne!(tasks[0].task.canonical, tasks[1].task.canonical);
    assert_eq!(tasks[1].task.name, "a O2");
}

#[test]
fn names_of_cases_are_sound_and_told_at_the_tasks_place() {
    type Cases = fn() -> Vec<TaskCase>;
    let wrong: [(Cases, &str); 3] = [
        (
            || named(&["x", "a b"]),
            "tests/a.rs:7: a case of `a`: `a b` is not an id",
        ),
        (
            || named(&["x", "X"]),
            "tests/a.rs:7: `a` has two cases named `X`",
        ),
        (|| named(&[]), "tests/a.rs:7: `a` has no case"),
    ];
    for (cases, message) in wrong {
        let error = refused(&tasks(vec![definition(place("agents", "a", 7), cases)]));
        assert!(error.contains(message), "{error}");
    }
}

#[test]
fn an_id_stays_when_the_function_moves_and_a_version_makes_another_task_of_it() {
    let keyed = |module, attributes| {
        let moved = Box::leak(Box::new(TaskDefinition {
            place: place(module, "a", 1),
            attributes,
            ignored: Some("later"),
            text: "fn",
            cases: alone,
        }));
        assemble(&tasks(vec![moved])).unwrap().remove(0).task
    };
    let kept = TaskAttributes {
        id: Some("kept"),
        ..KEYS
    };
    let (before, after) = (keyed("agents", kept), keyed("agents::elsewhere", kept));
    assert_eq!(before.id.to_string(), "shop::kept");
    assert_eq!(
        (&before.id, &before.canonical),
        (&after.id, &after.canonical)
    );
    assert_eq!(before.ignored.as_deref(), Some("later"));
    let raised = TaskAttributes { version: 2, ..kept };
    assert_ne!(before.canonical, keyed("agents", raised).canonical);
}

#[test]
fn main_names_the_pack_of_its_own_package_and_the_crates_that_must_bring_tasks() {
    let main: &MainDefinition = Box::leak(Box::new(MainDefinition {
        package: "shop",
        pack: Some("refunds"),
        crates: &["shared"],
        file: "tests/a.rs",
        line: 40,
    }));
    let other = TaskPlace {
        package: "shared-tasks",
        ..place("shared::deep", "b", 3)
    };
    let mut collected = tasks(vec![definition(place("agents", "a", 1), alone)]);
    collected.mains.push(main);
    let error = refused(&collected);
    assert!(
        error.starts_with("tests/a.rs:40: the crate `shared` brought no task"),
        "{error}"
    );
    collected.tasks.push(definition(other, alone));
    assert_eq!(ids(&collected), ["refunds::a", "shared-tasks::deep.b"]);
}
