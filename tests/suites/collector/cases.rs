//! Finding one case among all: what a process of nextest reads, and what it still finds wrong.

use super::tasks;
use crossbar_suites::project::{Output, Project, task};

/// A process of nextest's for one case of the run `n`, as nextest starts it.
fn case(project: &mut Project, name: &str) -> Output {
    let agents = project.agents();
    let package = project.path().join("agent-tests").display().to_string();
    let variables = [
        ("NEXTEST_EXECUTION_MODE", "process-per-test"),
        ("NEXTEST_RUN_ID", "n"),
        ("CARGO_MANIFEST_DIR", &package),
        ("CARGO_PKG_NAME", "agent-tests"),
    ];
    for (name, value) in variables {
        project.env(name, value);
    }
    let said = project
        .start(&agents, &["--exact", name, "--nocapture"])
        .end();
    for (name, _) in variables {
        project.unset(name);
    }
    said
}

fn list(project: &Project) -> Output {
    project.cargo(&[
        "test",
        "-p",
        "agent-tests",
        "--test",
        "agents",
        "--",
        "--list",
    ])
}

/// A build script that writes what a collector writes, for one sound task and another text.
fn script(two: &str) -> String {
    let facts =
        |id: &str| format!("Some(({id:?}, 1, &[\"control+noop\", \"control+solution\"], None))");
    let packs = format!(
        "&[(\"mark:/desk\", \"desk\", None, &[(\"one.task.yaml\", {:?}, {}), (\"two.task.yaml\", {two:?}, {})])]",
        task("one"),
        facts("one"),
        facts("two"),
    );
    format!(
        "fn main() {{\n    let out = std::env::var(\"OUT_DIR\").unwrap();\n    std::fs::write(out + \"/crossbar-packs.rs\", {packs:?}).unwrap();\n}}\n"
    )
}

#[test]
fn the_first_case_of_a_run_plans_all_and_a_later_one_reads_its_own_task_alone() {
    let mut project = Project::collector();
    project
        .remove("agent-tests/desk")
        .write("agent-tests/build.rs", &script(&task("two")));
    let first = case(&mut project, "desk::one::good+react");
    assert_eq!(first.code, Some(0), "{first}");
    assert!(first.stdout.contains("1 passed"), "{first}");
    let verdict = project.crossbar(&["verdict", "n"]);
    assert_eq!(
        verdict.code,
        Some(4),
        "all of task two is missing: {verdict}"
    );
    assert!(verdict.stdout.contains("desk::two"), "{verdict}");

    // what another task holds is not this case's matter any more
    project.write("agent-tests/build.rs", &script("id: ["));
    let later = case(&mut project, "desk::one::control+solution");
    assert_eq!(later.code, Some(0), "{later}");
    assert!(later.stdout.contains("1 passed"), "{later}");
    let broken = case(&mut project, "desk::two::control+solution");
    assert_eq!(broken.code, Some(2), "{broken}");
    assert!(broken.stderr.contains("desk/two.task.yaml:1:5"), "{broken}");
    let unknown = case(&mut project, "desk::three::good+react");
    assert_eq!(unknown.code, Some(2), "{unknown}");
    assert!(
        unknown
            .stderr
            .contains("there is no case `desk::three::good+react`"),
        "{unknown}"
    );
}

#[test]
fn without_a_build_script_one_case_still_finds_what_is_wrong_with_the_pack() {
    let mut project = Project::without_build_script();
    let sound = project.read("agent-tests/desk/two.task.yaml");
    project.replace("agent-tests/desk/two.task.yaml", "id: two", "id: One");
    let twice = case(&mut project, "desk::one::good+react");
    assert_eq!(twice.code, Some(2), "{twice}");
    for place in ["desk/one.task.yaml:1", "desk/two.task.yaml:1"] {
        assert!(twice.stderr.contains(place), "{place}: {twice}");
    }
    assert!(!project.has("runs"), "nothing was begun: {twice}");

    // deep in the file, where only reading it tells
    project.write(
        "agent-tests/desk/two.task.yaml",
        &sound.replace("type: mcp_state", "type: mcp_stat"),
    );
    let broken = case(&mut project, "desk::one::good+react");
    assert_eq!(broken.code, Some(2), "{broken}");
    assert!(
        broken.stderr.contains("desk/two.task.yaml:7:11"),
        "{broken}"
    );
    let listed = list(&project);
    assert_eq!(listed.code, Some(2), "{listed}");
    assert!(
        listed.stderr.contains("desk/two.task.yaml:7:11"),
        "{listed}"
    );
}

#[test]
fn a_large_pack_is_listed_by_the_margins_of_its_files() {
    let project = Project::without_build_script();
    let names: Vec<_> = (0..120).map(|at| format!("t{at:03}")).collect();
    for name in &names {
        project.write(&format!("agent-tests/desk/{name}.task.yaml"), &task(name));
    }
    let deep = task("t007").replace("type: mcp_state", "type: mcp_stat");
    project.write("agent-tests/desk/t007.task.yaml", &deep);
    let listed = tasks(&list(&project));
    assert_eq!(listed.len(), 122);
    assert!(listed.contains(&"desk::t007".to_owned()), "{listed:?}");

    let run = ["test", "-p", "agent-tests", "--test", "agents"];
    let ran = project.cargo(&run);
    assert_eq!(ran.code, Some(2), "{ran}");
    assert!(ran.stderr.contains("desk/t007.task.yaml:7:11"), "{ran}");

    // at the margin it is seen
    project.write(
        "agent-tests/desk/t007.task.yaml",
        &task("t007").replace("prompt: ", "promt: "),
    );
    let seen = list(&project);
    assert_eq!(seen.code, Some(2), "{seen}");
    assert!(seen.stderr.contains("desk/t007.task.yaml:2:1"), "{seen}");
}
