//! Without a build script, and without the folder.

use super::{listed, tasks};
use crossbar_suites::project::{Project, task};

#[test]
fn a_file_that_is_not_in_the_build_is_named_and_is_an_error_in_ci() {
    let mut project = Project::without_build_script();
    assert_eq!(listed(&project), ["desk::one", "desk::two"]);
    project
        .write("agent-tests/desk/three.task.yaml", &task("three"))
        .write("agent-tests/desk/four.task.yaml", &task("four"));
    let list = [
        "test",
        "-p",
        "agent-tests",
        "--test",
        "agents",
        "--",
        "--list",
    ];
    let said = project.cargo(&list);
    assert_eq!(
        tasks(&said),
        ["desk::one", "desk::two"],
        "cargo does not notice new files"
    );
    let missing = "2 task files are not in this build: four.task.yaml, three.task.yaml (in desk)";
    assert!(
        said.stderr.contains(&format!("warning: {missing}")),
        "{said}"
    );
    assert!(
        said.stderr
            .contains("help: touch agent-tests/tests/agents.rs"),
        "{said}"
    );

    project.env("CI", "true");
    let said = project.cargo(&list);
    assert_ne!(said.code, Some(0), "{said}");
    assert!(said.stderr.contains(&format!("error: {missing}")), "{said}");

    project.unset("CI");
    project.write(
        "agent-tests/tests/agents.rs",
        "// touched\ncrossbar::taskpack!(\"desk\");\ncrossbar::main!();\n",
    );
    let said = project.cargo(&list);
    assert_eq!(tasks(&said).len(), 4);
    assert!(!said.stderr.contains("not in this build"), "{said}");
}

#[test]
fn edited_and_deleted_files_are_noticed_without_a_build_script() {
    let project = Project::without_build_script();
    assert_eq!(listed(&project), ["desk::one", "desk::two"]);
    project.replace("agent-tests/desk/two.task.yaml", "id: two", "id: second");
    assert_eq!(listed(&project), ["desk::one", "desk::second"]);
    project.remove("agent-tests/desk/two.task.yaml");
    assert_eq!(listed(&project), ["desk::one"]);
    project.replace("agent-tests/desk/one.task.yaml", "prompt: ", "promt: ");
    let said = project.cargo(&["test", "-p", "agent-tests"]);
    assert_eq!(said.code, Some(2), "{said}");
    assert!(said.stderr.contains("--> desk/one.task.yaml:2:1"), "{said}");
    project.write(
        "agent-tests/tests/agents.rs",
        "crossbar::taskpack!(\"dsk\");\ncrossbar::main!();\n",
    );
    let said = project.cargo(&["test", "-p", "agent-tests"]);
    assert_eq!(said.code, Some(101), "{said}");
    assert!(
        said.stderr.contains("task pack dsk: failed to read"),
        "{said}"
    );
    assert!(
        said.stderr.contains("agent-tests/tests/agents.rs:1:21"),
        "{said}"
    );
}

#[test]
fn an_archive_runs_without_the_folder() {
    let project = Project::collector();
    let said = project.nextest(&[
        "archive",
        "-p",
        "agent-tests",
        "--archive-file",
        "tests.tar.zst",
    ]);
    assert_eq!(said.code, Some(0), "{said}");
    project.remove("agent-tests/desk");
    let said = project.nextest(&[
        "run",
        "--archive-file",
        "tests.tar.zst",
        "--workspace-remap",
        ".",
    ]);
    assert_eq!(said.code, Some(0), "{said}");
    assert!(said.stderr.contains("8 passed"), "{said}");
}
