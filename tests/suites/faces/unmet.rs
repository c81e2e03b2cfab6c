//! Tasks that need what no version has: they are read, recorded and named, and never run; and a
//! run in which nothing else is there is no success.

use crossbar_suites::project::{Output, Project, task};
use std::path::Path;

/// What asks for a container, and who has it.
const CONTAINER: &str =
    "needs a container (`environment.kind: docker`, `image`), which is not built yet";

/// A task like the others, in a container.
fn docked(id: &str) -> String {
    task(id).replace("kind: local", "kind: docker\n  image: debian:13")
}

/// A task on a server that somebody else runs.
fn remote(id: &str) -> String {
    let server =
        "{name: tickets, url: \"https://tickets.example/mcp\", headers: {X-Team: support}}";
    let lines = task(id);
    let lines = lines
        .lines()
        .map(|line| match line.starts_with("  servers:") {
            true => format!("  servers: [{server}]"),
            false => line.to_owned(),
        });
    lines.collect::<Vec<_>>().join("\n")
}

/// What was printed, without line breaks.
fn flat(said: &Output) -> String {
    let text = format!("{} {}", said.stdout, said.stderr);
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The line for a pack with these tasks.
fn has_the_line(said: &Output) {
    let wanted = "not run: 2 tasks need a container (`environment.kind: docker`, `image`), which is \
                  not built yet: desk::box, desk::crate";
    assert!(flat(said).contains(wanted), "{wanted}: {said}");
}

#[test]
fn what_cannot_run_is_named_by_every_command_and_is_in_no_figure() {
    let project = Project::pack();
    let plain = project.crossbar(&["run"]);
    assert_eq!(plain.code, Some(0), "{plain}");
    let before = project.rollouts("runs/latest").lines.len();
    for id in ["box", "crate"] {
        project.write(&format!("desk/{id}.task.yaml"), &docked(id));
    }
    let said = project.crossbar(&["run"]);
    assert_eq!(said.code, Some(0), "{said}");
    has_the_line(&said);
    assert!(said.stderr.contains("note: not run: 2 tasks"), "{said}");
    assert!(said.stdout.contains("NOTES"), "{said}");
    let lines = project.rollouts("runs/latest").lines;
    assert_eq!(lines.len(), before);
    assert!(!said.stdout.contains("INCOMPLETE"), "{said}");
    let sweep = project.sweep("runs/latest");
    assert_eq!(
        sweep["meta"]["unmet"]["desk::box"],
        serde_json::json!(["container"])
    );
    assert_eq!(sweep["analysis"]["tasks"], 2);

    for again in [
        &["verdict"][..],
        &["report"],
        &["plan"],
        &["validate"],
        &["validate", "--controls"],
    ] {
        let said = project.crossbar(again);
        assert_eq!(said.code, Some(0), "{again:?} {said}");
        has_the_line(&said);
        assert!(!said.stdout.contains("desk::box::control"), "{said}");
    }
    // To go on with the run finds the same.
    let resumed = project.crossbar(&["run", "--resume"]);
    assert_eq!(resumed.code, Some(0), "{resumed}");
    assert!(!resumed.stderr.contains("not here now"), "{resumed}");
}

#[test]
fn a_pack_of_which_nothing_can_run_is_no_success() {
    let project = Project::pack();
    for name in project.names("desk") {
        project.remove(&format!("desk/{name}"));
    }
    project.write("desk/box.task.yaml", &docked("box"));
    for command in [
        &["run"][..],
        &["run", "--pack", "desk"],
        &["validate"],
        &["validate", "--controls"],
    ] {
        let said = project.crossbar(command);
        assert_eq!(said.code, Some(2), "{command:?} {said}");
        assert!(
            said.stderr
                .contains("error: no task can run here\nnot run: 1 task needs a container"),
            "{said}"
        );
        assert!(flat(&said).contains(CONTAINER), "{said}");
    }
    assert!(!project.has("runs/latest"), "nothing was run");
}

#[test]
fn a_task_that_ran_and_cannot_any_more_is_missing_from_its_reference() {
    let project = Project::pack();
    project.replace(
        "crossbar.yaml",
        "harnesses:",
        "gate: {mode: regression, forbid_removed: true, allow_mock: true}\nharnesses:",
    );
    assert_eq!(project.crossbar(&["run"]).code, Some(0));
    let accepted = project.crossbar(&["accept", "latest"]);
    assert_eq!(accepted.code, Some(0), "{accepted}");
    assert_eq!(project.crossbar(&["run"]).code, Some(0));
    let name = &project.names("desk")[0];
    let path = format!("desk/{name}");
    let id = name.trim_end_matches(".task.yaml");
    project.write(&path, &docked(id));
    let said = project.crossbar(&["run"]);
    assert_eq!(said.code, Some(1), "{said}");
    assert!(said.stdout.contains("TASKS REMOVED"), "{said}");
    assert!(
        flat(&said).contains(CONTAINER.trim_start_matches("needs ")),
        "{said}"
    );
}

/// The first-test example with a task in a container.
fn with_box() -> Project {
    let project = Project::first_test();
    let text = project.read("tasks/route-billing.task.yaml");
    let text = text.replace("id: route-billing", "id: boxed");
    let text = text.replace("kind: local", "kind: docker");
    project.write("tasks/boxed.task.yaml", &text);
    project
}

fn agents(project: &Project, binary: &Path, args: &[&str]) -> Output {
    project.start(binary, args).end()
}

#[test]
fn the_test_binary_lists_it_as_ignored_and_nothing_makes_it_run() {
    let project = with_box();
    let binary = project.agents();
    let plain = agents(&project, &binary, &[]);
    assert_eq!(plain.code, Some(0), "{plain}");
    assert!(
        plain.stdout.contains(" passed; 0 failed; 3 ignored;"),
        "{plain}"
    );
    let line = plain
        .stdout
        .lines()
        .find(|line| line.contains("tasks::boxed::mock-weak+react "));
    let line = line.unwrap_or_else(|| panic!("{plain}"));
    assert!(line.ends_with(&format!("ignored ({CONTAINER})")), "{line}");
    assert!(
        flat(&plain).contains("NOTES not run: 1 task needs a container"),
        "{plain}"
    );
    assert!(!plain.stdout.contains("boxed::control"), "{plain}");
    let rollouts = project.rollouts("runs/latest").lines.len();

    let forced = agents(&project, &binary, &["--include-ignored"]);
    assert_eq!(forced.code, Some(0), "{forced}");
    assert!(forced.stdout.contains("; 3 ignored;"), "{forced}");
    assert_eq!(project.rollouts("runs/latest").lines.len(), rollouts);

    // Who asks for nothing else is not told that all is well.
    for only in [&["boxed"][..], &["--ignored"]] {
        let said = agents(&project, &binary, only);
        assert_eq!(said.code, Some(2), "{only:?} {said}");
        assert!(said.stderr.contains("error: nothing ran: "), "{said}");
        assert!(said.stderr.contains("tasks::boxed"), "{said}");
    }
}

/// The example's test binary is built without the feature that reaches such a server.
#[test]
fn a_server_at_an_address_is_said_with_the_feature_that_it_needs() {
    let project = Project::first_test();
    project.write("tasks/far.task.yaml", &remote("far"));
    let said = agents(&project, &project.agents(), &["far"]);
    assert_eq!(said.code, Some(2), "{said}");
    let wanted = "needs a server at an address (`url`, `headers`), which is behind the feature \
                  `mcp-http`";
    assert!(flat(&said).contains(wanted), "{said}");
}

#[test]
fn under_nextest_it_is_skipped_the_verdict_is_whole_and_forced_it_is_red() {
    let project = with_box();
    let said = project.nextest(&["run"]);
    assert_eq!(said.code, Some(0), "{said}");
    assert!(said.stderr.contains("3 skipped"), "{said}");
    let verdict = project.crossbar(&["verdict"]);
    assert_eq!(verdict.code, Some(0), "{verdict}");
    assert!(
        flat(&verdict).contains("NOTES not run: 1 task needs a container"),
        "{verdict}"
    );
    let forced = project.nextest(&["run", "--run-ignored", "only", "--no-fail-fast"]);
    assert_eq!(forced.code, Some(100), "{forced}");
    assert!(forced.stderr.contains("3 failed"), "{forced}");
}
