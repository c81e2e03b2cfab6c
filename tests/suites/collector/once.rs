//! One pack, one task, once: inside a binary, in the roster, and in Rust.

use super::listed;
use crossbar_suites::project::{Project, task};

#[test]
fn a_pack_in_the_binary_and_in_the_roster_is_there_once_and_said() {
    let project = Project::collector();
    project.write(
        "crossbar.yaml",
        &format!(
            "{}packs: [agent-tests/desk, till]\n",
            project.read("crossbar.yaml")
        ),
    );
    project.write("till/pay.task.yaml", &task("pay"));
    let said = project.cargo(&["test", "-p", "agent-tests"]);
    assert_eq!(said.code, Some(0), "{said}");
    let note = "note: pack desk is the one in this build (desk, from agent-tests/tests/agents.rs)";
    assert!(said.stderr.contains(note), "{said}");
    assert_eq!(project.rollouts("runs/latest").lines.len(), 3 * 2 * 3);

    // what was built is what runs, whatever the folder says meanwhile
    let agents = project.cargo(&["test", "-p", "agent-tests", "--no-run"]);
    assert_eq!(agents.code, Some(0), "{agents}");
    assert_eq!(listed(&project), ["desk::one", "desk::two", "till::pay"]);
}

#[test]
fn two_binaries_of_a_run_do_not_share_a_pack() {
    let project = Project::collector();
    let manifest = project.read("agent-tests/Cargo.toml");
    project
        .write(
            "agent-tests/Cargo.toml",
            &format!("{manifest}\n[[test]]\nname = \"a_first\"\nharness = false\n"),
        )
        .write("agent-tests/tests/a_first.rs", "crossbar::main!();\n");
    // the first binary is given the roster's packs, and the second holds all of them
    let said = project.crossbar(&["run"]);
    assert_eq!(said.code, Some(0), "{said}");
    let note = "note: the test binary a_first-";
    assert!(said.stderr.contains(note), "{said}");
    assert_eq!(project.rollouts("runs/latest").lines.len(), 2 * 2 * 3);
    project.write("till/pay.task.yaml", &task("pay"));
    let said = project.crossbar(&["run"]);
    assert_eq!(said.code, Some(0), "{said}");
    assert_eq!(project.rollouts("runs/latest").lines.len(), 3 * 2 * 3);

    project.write(
        "agent-tests/tests/a_first.rs",
        "crossbar::include_taskpack!();\ncrossbar::main!();\n",
    );
    let said = project.crossbar(&["run"]);
    assert_eq!(said.code, Some(2), "{said}");
    assert!(
        said.stderr
            .contains("agent-tests/desk is in two test binaries"),
        "{said}"
    );
}

#[test]
fn the_first_binary_may_have_no_task_as_long_as_another_one_has() {
    let project = Project::collector();
    let manifest = project.read("agent-tests/Cargo.toml");
    let coded = "#[crossbar::task]\nasync fn hello(cx: &mut crossbar::Context) -> crossbar::Result {\n    cx.agent(\"hello\").await?;\n    cx.check(\"answered\", true);\n    Ok(())\n}\n\n#[crossbar::solution(hello)]\nfn solve(s: &mut crossbar::Script) {\n    s.say(\"hello\");\n}\n\ncrossbar::main!();\n";
    project
        .write(
            "agent-tests/Cargo.toml",
            &format!("{manifest}\n[[test]]\nname = \"a_first\"\nharness = false\n"),
        )
        .write("agent-tests/tests/a_first.rs", "crossbar::main!();\n")
        .write("agent-tests/tests/agents.rs", coded)
        .remove("agent-tests/desk")
        .remove("agent-tests/build.rs");
    let said = project.crossbar(&["run"]);
    assert_eq!(said.code, Some(0), "{said}");
    assert!(
        said.stderr.contains("note: the test binary a_first-"),
        "{said}"
    );
    assert_eq!(project.rollouts("runs/latest").lines.len(), 2 * 3);
    // None at all is no success.
    project.write("agent-tests/tests/agents.rs", "crossbar::main!();\n");
    let said = project.crossbar(&["run"]);
    assert_eq!(said.code, Some(2), "{said}");
    assert!(
        said.stderr
            .contains("error: no test binary has a task to run"),
        "{said}"
    );
}

#[test]
fn a_task_in_rust_and_one_in_a_file_of_the_same_id_are_an_error_with_both_places() {
    let project = Project::collector();
    project
        .write("agent-tests/agent-tests/one.task.yaml", &task("one"))
        .write(
            "agent-tests/build.rs",
            "fn main() {\n    crossbar::build::taskpack(\"agent-tests\");\n}\n",
        )
        .write(
            "agent-tests/tests/agents.rs",
            "crossbar::include_taskpack!();\n\n#[crossbar::task]\nasync fn one(cx: &mut crossbar::Context) -> crossbar::Result {\n    cx.agent(\"hello\").await?;\n    Ok(())\n}\n\ncrossbar::main!();\n",
        );
    let said = project.cargo(&["test", "-p", "agent-tests"]);
    assert_eq!(said.code, Some(2), "{said}");
    for place in [
        "agent-tests/one.task.yaml:1",
        "agent-tests/tests/agents.rs:3",
    ] {
        assert!(said.stderr.contains(place), "{place}: {said}");
    }
}
