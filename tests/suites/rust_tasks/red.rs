//! Tasks whose arrangement is broken are red cases, and ignored ones wait to be asked for.

use crossbar_suites::project::{Output, Project};

fn project() -> Project {
    crate::project(include_str!("../../fixtures/rust_tasks/red.rs"))
}

fn told(said: &Output, parts: &[&str]) {
    for part in parts {
        assert!(said.stdout.contains(part), "`{part}`: {said}");
    }
}

#[test]
fn what_fails_before_the_agent_is_an_invalid_fixture() {
    let said = project().cargo(&["test", "--test", "agents", "--", "played"]);
    assert_ne!(said.code, Some(0), "{said}");
    told(
        &said,
        &[
            "fixture: no database",
            "fixture: the fixture is gone",
            "fixture: the thread's fixture is gone",
            "fixture: it never called cx.agent",
            "fixture: there are two tools named `shop.get`: rename one",
            "test result: FAILED. 1 passed; 5 failed; 1 ignored",
            "ignored (the bank is closed)",
        ],
    );
}

#[test]
fn an_ignored_task_runs_when_somebody_asks_and_only_then() {
    let project = project();
    let case = "first-test::ignored::played+react";
    let sound = ["test", "--test", "agents", "--", "sound"];
    let plain = project.cargo(&sound);
    assert_eq!(plain.code, Some(0), "{plain}");

    let list = project.cargo(&[
        "test",
        "--test",
        "agents",
        "--",
        "--list",
        "--ignored",
        "played",
    ]);
    assert_eq!(list.stdout, format!("{case}: test\n"), "{list}");

    let asked = project.cargo(&["test", "--test", "agents", "--", "--ignored", "played"]);
    assert_eq!(asked.code, Some(0), "{asked}");
    told(
        &asked,
        &[
            &format!("test {case} ... ok"),
            "1 passed; 0 failed; 0 ignored",
            "partial: no verdict",
        ],
    );

    let nextest = project.nextest(&["run", "--run-ignored", "only", "-E", "not test(control)"]);
    assert_eq!(nextest.code, Some(0), "{nextest}");
    assert!(nextest.stderr.contains("1 test run: 1 passed"), "{nextest}");

    let run = project.crossbar(&["run"]);
    assert!(
        run.stderr.contains(
            "note: left out, since they are ignored: first-test::ignored (the bank is closed)"
        ),
        "{run}"
    );
    let tasks = project.rollouts("runs/latest").lines;
    assert!(
        tasks
            .iter()
            .all(|line| line["task"] != "first-test::ignored"),
        "{run}"
    );
}
