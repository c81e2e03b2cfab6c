//! The first minutes: what `init` writes and that it runs, and what `doctor` and `completions` say.

use crossbar_suites::project::Project;
use crossbar_suites::tree;
use std::fs;

/// What `init` writes into every folder, and into a package besides.
const FILES: [&str; 3] = [
    "crossbar.yaml",
    "tasks/route-billing.task.yaml",
    "tests/agents.rs",
];

#[test]
fn an_empty_folder_becomes_a_project_that_runs() {
    let project = Project::empty();
    let begun = project.crossbar(&["init"]);
    assert_eq!(begun.code, Some(0), "{begun}");
    assert_eq!(project.names("."), ["crossbar.yaml", "tasks"], "no Rust");
    let ran = project.crossbar(&["run"]);
    assert_eq!(ran.code, Some(0), "{ran}");
    assert!(ran.stdout.contains("CROSSBAR VERDICT"), "{ran}");

    let before = project.read("crossbar.yaml");
    project.write("crossbar.yaml", &format!("{before}# mine\n"));
    project.remove("tasks");
    let again = project.crossbar(&["init"]);
    assert_eq!(again.code, Some(2), "{again}");
    assert!(
        again
            .stderr
            .contains("error: crossbar.yaml is there already, and nothing was written"),
        "{again}"
    );
    assert!(project.read("crossbar.yaml").ends_with("# mine\n"));
    assert!(!project.has("tasks"));
    let other = project.crossbar(&["init", "other"]);
    assert_eq!(
        (other.code, project.has("other/tasks")),
        (Some(0), true),
        "{other}"
    );
}

#[test]
fn a_package_gets_a_test_in_rust_and_is_green() {
    let project = Project::first_test();
    for path in FILES {
        project.remove(path);
    }
    let begun = project.crossbar(&["init"]);
    assert_eq!(begun.code, Some(0), "{begun}");
    for path in FILES {
        assert!(begun.stdout.contains(&format!("wrote {path}\n")), "{begun}");
    }
    let tested = project.cargo(&["test", "--test", "agents"]);
    assert_eq!(tested.code, Some(0), "{tested}");
    assert!(tested.stdout.contains("CROSSBAR VERDICT"), "{tested}");
    let readme = fs::read_to_string(tree::root().join("README.md")).unwrap();
    let (_, lines) = begun.stdout.split_once("these lines:\n\n").unwrap();
    let lines = lines.split("\n\nthen:").next().unwrap().trim_end();
    assert!(
        readme.contains(&format!("```toml\n{lines}\n```")),
        "README: {lines}"
    );
}

#[test]
fn the_starter_is_the_example() {
    for path in FILES {
        let read = |folder: &str| fs::read_to_string(tree::root().join(folder).join(path)).unwrap();
        assert_eq!(
            read("crossbar/starter"),
            read("examples/first-test"),
            "{path}"
        );
    }
}

#[test]
fn the_doctor_tells_what_is_broken_and_what_is_not_there() {
    let project = Project::pack();
    let said = project.crossbar(&["doctor"]);
    assert_eq!(said.code, Some(0), "{said}");
    for part in [
        "cargo                  cargo 1.",
        "no run yet",
        "2 tasks in 1 pack",
    ] {
        assert!(said.stdout.contains(part), "{part}: {said}");
    }
    assert!(!project.has("runs"), "{said}");
    project.replace("crossbar.yaml", "  repeats: 3", "  repeat: 3");
    let said = project.crossbar(&["doctor"]);
    assert_eq!(said.code, Some(2), "{said}");
    assert!(said.stderr.contains("did you mean `repeats`?"), "{said}");
    assert!(said.stdout.contains("MACHINE"), "{said}");

    let nothing = Project::empty();
    let said = nothing.crossbar(&["doctor"]);
    assert_eq!(said.code, Some(0), "{said}");
    for part in [
        "none here or above",
        "help: crossbar init writes one to begin with",
    ] {
        assert!(said.stdout.contains(part), "{part}: {said}");
    }
    let named = nothing.crossbar(&["doctor", "--config", "crossbar.yml"]);
    assert_eq!(named.code, Some(2), "{named}");
    assert!(named.stderr.contains("there is no roster at "), "{named}");
}

#[test]
fn shells_are_told_every_command() {
    let project = Project::empty();
    let help = project.crossbar(&["--help"]).stdout;
    let (_, verbs) = help.split_once("Commands:\n").unwrap();
    let verbs = verbs.lines().map_while(|line| line.strip_prefix("  "));
    let verbs: Vec<_> = verbs.filter_map(|line| line.split(' ').next()).collect();
    assert!(
        verbs.contains(&"run") && verbs.contains(&"doctor"),
        "{verbs:?}"
    );
    for shell in ["bash", "zsh", "fish"] {
        let script = project.crossbar(&["completions", shell]);
        assert_eq!(script.code, Some(0), "{script}");
        for verb in &verbs {
            assert!(script.stdout.contains(verb), "{shell} does not know {verb}");
        }
    }
    let wrong = project.crossbar(&["completions", "tcsh"]);
    assert_eq!(wrong.code, Some(2), "{wrong}");
}
