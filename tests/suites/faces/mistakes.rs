//! Mistakes in rosters, packs and Rust: each is told at its place, with a cure, all at once, and
//! nothing runs.

use crossbar_suites::counting_server::{CountingServer, Reply};
use crossbar_suites::project::{Output, Project, binaries, task};
use std::process::Command;

/// Runs the pack and expects it to be refused before anything happens.
fn refused(project: &Project) -> Output {
    let said = project.crossbar(&["run"]);
    assert_eq!(said.code, Some(2), "{said}");
    assert!(said.stdout.is_empty(), "{said}");
    assert!(!project.has("runs"), "nothing was opened");
    said
}

#[test]
fn every_problem_of_every_task_comes_at_once_with_its_place() {
    let project = Project::pack();
    project
        .replace("desk/one.task.yaml", "type: mcp_state", "type: mcp_stat")
        .replace("desk/two.task.yaml", "prompt: ", "promt: ")
        .replace(
            "desk/two.task.yaml",
            "kind: local",
            "kind: local\n  colour: red",
        );
    let said = refused(&project).stderr;
    for place in [
        "--> desk/one.task.yaml:7:",
        "--> desk/two.task.yaml:2:1",
        "--> desk/two.task.yaml:5:3",
    ] {
        assert!(said.contains(place), "{place}: {said}");
    }
    assert!(said.matches("error: ").count() >= 3, "{said}");
    assert!(said.contains("help: did you mean `mcp_state`?"), "{said}");
    assert!(said.contains("help: did you mean `prompt`?"), "{said}");
}

#[test]
fn what_is_only_recorded_is_said_once_for_a_pack() {
    let project = Project::pack();
    project
        .replace("desk/one.task.yaml", "id: one\n", "id: one\nrisk: low\n")
        .replace(
            "desk/two.task.yaml",
            "id: two\n",
            "id: two\nrisk: high\nsplit: pilot\n",
        );
    let said = project.crossbar(&["run"]);
    assert_eq!(said.code, Some(0), "{said}");
    let notes: Vec<_> = said
        .stderr
        .lines()
        .filter(|line| line.contains("nothing acts on it yet"))
        .collect();
    let want = "note: pack desk: risk, split recorded, and nothing acts on it yet (desk/one.task.yaml:1, the first of 2 tasks)";
    assert_eq!(notes, [want]);
}

#[test]
fn a_warning_that_many_files_have_is_one_line_with_their_count() {
    let project = Project::pack();
    let claim =
        |id: &str| format!("id: {id}\nprompt: p\nchecks: [{{type: final_text, value: x}}]\n");
    project.write("desk/claim0.task.yaml", &claim("claim0"));
    let said = project.crossbar(&["validate"]).stderr;
    let words = "`final_text` is the only kind of check that can be gained";
    assert!(said.contains(&format!("warning: {words}")), "{said}");
    assert!(said.contains("--> desk/claim0.task.yaml:3:"), "{said}");
    for number in 1..5 {
        let id = format!("claim{number}");
        project.write(&format!("desk/{id}.task.yaml"), &claim(&id));
    }
    let said = project.crossbar(&["validate"]).stderr;
    assert_eq!(said.matches(words).count(), 1, "{said}");
    assert!(
        said.contains(&format!("warning: in 5 files: {words}")),
        "{said}"
    );
    assert!(
        said.contains("(the first is desk/claim0.task.yaml:3:"),
        "{said}"
    );
}

#[test]
fn the_first_run_of_a_pack_says_what_it_starts() {
    let project = Project::pack();
    project.write("shop/three.task.yaml", &task("three"));
    let notes = |args: &[&str]| {
        let said = project.crossbar(args);
        assert_eq!(said.code, Some(0), "{said}");
        let notes = said
            .stderr
            .lines()
            .filter(|line| line.contains("first run"));
        notes.map(str::to_owned).collect::<Vec<_>>()
    };
    let note = |pack: &str| {
        format!(
            "note: first run of pack {pack} here. It starts programs as you: crossbar (tickets). \
             Read a pack of somebody else's before you run it"
        )
    };
    assert_eq!(notes(&["run", "--pack", "desk"]), [note("desk")]);
    assert_eq!(notes(&["run"]), [note("shop")]);
    assert_eq!(notes(&["run"]), [""; 0]);
}

#[test]
fn the_rosters_problems_have_their_places_too() {
    let project = Project::pack();
    project
        .replace("crossbar.yaml", "  repeats: 3", "  repeat: 3")
        .replace(
            "crossbar.yaml",
            "  baseline: good+react",
            "  baseline: best+react",
        );
    let said = refused(&project).stderr;
    assert!(said.contains("--> crossbar.yaml:17:3"), "{said}");
    assert!(said.contains("--> crossbar.yaml:19:13"), "{said}");
    assert!(
        said.contains("did you mean `repeats`?") && said.contains("best+react"),
        "{said}"
    );
}

#[test]
fn a_file_that_is_no_yaml_does_not_hide_the_next_one() {
    let project = Project::pack();
    project
        .write("desk/one.task.yaml", "id: one\nprompt: [\n")
        .replace("desk/two.task.yaml", "prompt: ", "promt: ");
    let said = refused(&project).stderr;
    assert!(said.contains("--> desk/one.task.yaml:"), "{said}");
    assert!(said.contains("--> desk/two.task.yaml:2:1"), "{said}");
}

#[test]
fn a_task_needs_a_check_that_is_no_guard() {
    let project = Project::pack();
    let text = project.read("desk/one.task.yaml");
    let (before, rest) = text.split_once("checks:\n").unwrap();
    let (_, demo) = rest.split_once("demo:\n").unwrap();
    project.write("desk/one.task.yaml", &format!("{before}demo:\n{demo}"));
    let said = refused(&project).stderr;
    assert!(
        said.contains("desk/one.task.yaml") && said.contains("check"),
        "{said}"
    );
    project.write(
        "desk/one.task.yaml",
        &text.replace(
            "  - type: mcp_state\n",
            "  - type: mcp_state\n    guard: true\n",
        ),
    );
    let said = refused(&project).stderr;
    assert!(
        said.contains("--> desk/one.task.yaml:7:3") && said.contains("holds guards alone"),
        "{said}"
    );
}

#[test]
fn two_tasks_of_one_id_are_named_with_both_places() {
    let project = Project::pack();
    project.write("desk/again.task.yaml", &task("One"));
    let said = refused(&project).stderr;
    assert!(
        said.contains("desk/again.task.yaml") && said.contains("desk/one.task.yaml"),
        "{said}"
    );

    let project = Project::first_test();
    let text = project.read("tasks/route-billing.task.yaml");
    project.write(
        "first-test/clash.task.yaml",
        &text.replace("id: route-billing", "id: outage_is_escalated"),
    );
    let said = project.cargo(&["test", "--test", "agents"]);
    assert_ne!(said.code, Some(0), "{said}");
    assert!(said.stderr.contains("first-test/clash.task.yaml"), "{said}");
    assert!(said.stderr.contains("tests/agents.rs:6"), "{said}");
    assert!(!project.has("runs"));
}

#[test]
fn no_roster_is_said_with_where_it_was_looked_for() {
    let project = Project::pack();
    project.remove("crossbar.yaml");
    let said = refused(&project).stderr;
    assert!(
        said.starts_with("error: ") && said.contains("crossbar.yaml"),
        "{said}"
    );
    assert!(said.contains("help: "), "{said}");
    let named = project.crossbar(&["run", "--config", "elsewhere.yaml"]);
    assert_eq!(named.code, Some(2), "{named}");
    assert!(named.stderr.contains("elsewhere.yaml"), "{named}");
}

#[test]
fn a_variable_that_is_not_set_is_an_error_at_its_line() {
    let mut project = Project::pack();
    project.serve("{name: tickets, command: \"${DESK_BIN}\", args: [__serve, tickets]}");
    let said = refused(&project).stderr;
    assert!(
        said.contains("DESK_BIN") && said.contains("--> desk/one.task.yaml:5:"),
        "{said}"
    );
    let crossbar = binaries().join("crossbar");
    project.env("DESK_BIN", &crossbar.to_string_lossy());
    let said = project.crossbar(&["run"]);
    assert_eq!(said.code, Some(0), "{said}");
}

#[test]
fn a_value_of_the_environment_that_means_nothing_names_its_variable() {
    for (name, value) in [
        ("CROSSBAR_REPEATS", "many"),
        ("CROSSBAR_LIVE", "yes"),
        ("CROSSBAR_BUDGET_USD", "-1"),
        ("CROSSBAR_SEED", "x"),
    ] {
        let mut project = Project::pack();
        project.env(name, value);
        let said = refused(&project).stderr;
        assert!(
            said.contains(value) && said.contains("help: "),
            "{name} {said}"
        );
    }
}

#[test]
fn a_variable_that_nobody_reads_is_said_with_the_one_that_was_meant() {
    let mut project = Project::pack();
    project
        .env("CROSSBAR_BUDGET", "1")
        .env("CROSSBAR_SEED", "1");
    let said = project.crossbar(&["validate"]);
    assert_eq!(said.code, Some(0), "{said}");
    let line = "warning: nothing reads the variable CROSSBAR_BUDGET\nhelp: did you mean CROSSBAR_BUDGET_USD?\n";
    assert!(said.stderr.contains(line), "{said}");
    assert_eq!(said.stderr.matches("nothing reads").count(), 1, "{said}");
}

#[test]
fn a_test_binary_tells_the_same_as_the_command() {
    let project = Project::first_test();
    project.replace(
        "tasks/route-billing.task.yaml",
        "- type: mcp_state\n    description: the invoice",
        "- type: mcp_stat\n    description: the invoice",
    );
    let by_cargo = project.cargo(&["test", "--test", "agents"]);
    assert_ne!(by_cargo.code, Some(0), "{by_cargo}");
    let by_command = project.crossbar(&["run"]);
    assert_eq!(by_command.code, Some(2), "{by_command}");
    for said in [by_cargo, by_command] {
        assert!(
            said.stderr
                .contains("--> tasks/route-billing.task.yaml:16:"),
            "{said}"
        );
        assert!(
            said.stderr.contains("help: did you mean `mcp_state`?"),
            "{said}"
        );
    }
    assert!(!project.has("runs"));
}

#[test]
fn a_check_of_a_tool_that_no_server_has_is_an_invalid_fixture_before_anything_is_asked() {
    let server = CountingServer::start(|_| Reply::text("done").usage(9, 1));
    let project = Project::pack();
    project.write(
        "crossbar.yaml",
        &format!(
            "models: [{{id: far, provider: openai, base_url: \"{}\", price: free}}]\n\
             harnesses: [{{id: react, kind: react}}]\nrun: {{repeats: 2}}\n",
            server.base_url()
        ),
    );
    project
        .replace("desk/one.task.yaml", "tool: get_ticket", "tool: get_tickt")
        .remove("desk/two.task.yaml");
    let said = project.crossbar(&["run", "--live", "--budget", "unlimited"]);
    assert_eq!(said.code, Some(4), "{said}");
    assert!(server.requests().is_empty(), "{said}");
    let sweep = project.sweep("runs/latest");
    let rollouts = sweep["rollouts"].as_array().unwrap();
    assert_eq!(rollouts.len(), 2);
    for rollout in rollouts {
        let outcome = &rollout["outcome"];
        assert_eq!(outcome["kind"], "invalid_fixture", "{rollout}");
        let message = outcome["message"].as_str().unwrap();
        assert!(
            message.contains("tickets.get_tickt") && message.contains("get_ticket,"),
            "{message}"
        );
        assert!(rollout["score"].is_null(), "{rollout}");
    }
}

#[test]
fn a_task_file_with_another_ending_is_refused_and_not_passed_over() {
    for name in [".task.yml", "three.task.yml"] {
        // Beside tasks that are read, and in a folder of its own.
        for folder in ["desk", "desk/deep"] {
            let project = Project::pack();
            project.write(&format!("{folder}/{name}"), &task("three"));
            let said = refused(&project).stderr;
            assert!(
                said.contains(&format!("{folder}/{name}")) && said.contains("`.task.yaml`"),
                "{said}"
            );
        }
    }
}

#[test]
fn a_task_file_without_a_name_is_a_task_all_the_same() {
    let project = Project::pack();
    project.write("desk/.task.yaml", &task("three"));
    let said = project.crossbar(&["run"]);
    assert_eq!(said.code, Some(0), "{said}");
    let lines = project.rollouts("runs/latest").lines;
    assert!(lines.iter().any(|line| line["task"] == "desk::three"));
}

#[test]
fn a_pipe_that_is_called_a_task_is_refused_and_not_waited_for() {
    let project = Project::pack();
    for name in ["three.task.yaml", "pack.yaml"] {
        let pipe = project.path().join("desk").join(name);
        let made = Command::new("mkfifo").arg(&pipe).status().unwrap();
        assert!(made.success());
        let said = refused(&project).stderr;
        assert!(
            said.contains(&format!("desk/{name} is not a regular file")),
            "{said}"
        );
        project.remove(&format!("desk/{name}"));
    }
}

#[test]
fn a_broken_roster_does_not_hide_what_is_wrong_with_its_packs() {
    let project = Project::pack();
    project
        .replace("crossbar.yaml", "  repeats: 3", "  repeat: 3")
        .write(
            "crossbar.yaml",
            &(project.read("crossbar.yaml") + "packs: [desk]\n"),
        )
        .replace("desk/one.task.yaml", "type: mcp_state", "type: mcp_stat")
        .write("elsewhere/bad.task.yaml", "id: [\n")
        .write("desk/three.task.yaml", "id: three\nprompt: [\n");
    let said = refused(&project).stderr;
    for place in [
        "crossbar.yaml:17:3",
        "desk/one.task.yaml:7:",
        "desk/three.task.yaml:",
    ] {
        assert!(said.contains(&format!("--> {place}")), "{place}: {said}");
    }
    assert!(
        !said.contains("elsewhere"),
        "the roster names its packs: {said}"
    );
    // A file that can't be read is told beside the others too.
    project.write("desk/two.task.yml", "");
    let said = refused(&project).stderr;
    assert!(
        said.contains("--> crossbar.yaml:17:3") && said.contains("desk/two.task.yml"),
        "{said}"
    );
}
