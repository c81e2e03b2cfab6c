//! Adding, editing, deleting and breaking a file.

use super::listed;
use crossbar_suites::project::{Project, task};

/// The test executables that cargo built anew, by the names of their targets.
fn built(project: &Project) -> Vec<String> {
    let said = project.cargo(&["test", "--no-run", "--message-format=json"]);
    assert_eq!(said.code, Some(0), "{said}");
    let messages = said
        .stdout
        .lines()
        .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
    let mut names: Vec<String> = messages
        .filter(|message| message["executable"].is_string() && message["fresh"] == false)
        .map(|message| message["target"]["name"].as_str().unwrap().to_owned())
        .collect();
    names.sort();
    names
}

#[test]
fn adding_editing_and_deleting_show_in_the_next_cargo_test_and_nothing_else_is_built() {
    let project = Project::collector();
    assert_eq!(listed(&project), ["desk::one", "desk::two"]);
    built(&project);
    assert_eq!(built(&project), Vec::<String>::new(), "nothing changed");

    project.write("agent-tests/desk/three.task.yaml", &task("three"));
    assert_eq!(
        built(&project),
        ["agent_tests", "agents"],
        "the shop is left alone"
    );
    assert_eq!(listed(&project), ["desk::one", "desk::three", "desk::two"]);

    project.replace("agent-tests/desk/two.task.yaml", "id: two", "id: second");
    assert_eq!(
        listed(&project),
        ["desk::one", "desk::second", "desk::three"]
    );

    project.remove("agent-tests/desk/three.task.yaml");
    assert_eq!(listed(&project), ["desk::one", "desk::second"]);

    project.write("agent-tests/desk/pack.yaml", "name: The desk\n");
    let said = project.cargo(&["test", "-p", "agent-tests"]);
    assert_eq!(said.code, Some(0), "{said}");
    assert!(said.stdout.contains("The desk"), "{said}");
    assert_eq!(project.rollouts("runs/latest").lines.len(), 2 * 2 * 3);
}

#[test]
fn a_broken_file_fails_the_build_at_its_line_with_every_other_problem() {
    let project = Project::collector();
    project
        .replace(
            "agent-tests/desk/one.task.yaml",
            "type: mcp_state",
            "type: mcp_stat",
        )
        .replace("agent-tests/desk/two.task.yaml", "prompt: ", "promt: ");
    let said = project.cargo(&["test", "-p", "agent-tests"]);
    assert_eq!(said.code, Some(101), "{said}");
    for line in [
        "desk/one.task.yaml:7:11: `type` cannot be `mcp_stat` (did you mean `mcp_state`?)",
        "desk/two.task.yaml:2:1: unknown key `promt` in a task (did you mean `prompt`?)",
    ] {
        let error = said.stderr.lines().find(|one| one.contains(line));
        assert!(
            error.is_some_and(|one| one.starts_with("error: ")),
            "{line}: {said}"
        );
    }
    project
        .replace(
            "agent-tests/desk/one.task.yaml",
            "type: mcp_stat\n",
            "type: mcp_state\n",
        )
        .replace("agent-tests/desk/two.task.yaml", "promt: ", "prompt: ");
    assert_eq!(
        listed(&project),
        ["desk::one", "desk::two"],
        "and mended it builds"
    );
}

#[test]
fn a_build_script_collects_several_packs_and_no_two_of_a_name() {
    let project = Project::collector();
    let script = |second: &str| {
        format!(
            "fn main() {{\n    crossbar::build::taskpack(\"desk\");\n    crossbar::build::taskpack(\"{second}\");\n}}\n"
        )
    };
    project
        .write("agent-tests/more/till/pay.task.yaml", &task("pay"))
        .write("agent-tests/build.rs", &script("more/till"));
    assert_eq!(listed(&project), ["desk::one", "desk::two", "till::pay"]);
    project
        .write("agent-tests/more/desk/pay.task.yaml", &task("pay"))
        .write("agent-tests/build.rs", &script("more/desk"));
    let said = project.cargo(&["test", "-p", "agent-tests"]);
    assert_eq!(said.code, Some(101), "{said}");
    assert!(
        said.stderr
            .contains("more/desk: a pack of this name is collected already: desk"),
        "{said}"
    );
}

/// User and system seconds of a command and everything that it started.
fn cpu_seconds(project: &Project, command: &str) -> f64 {
    let script = format!("{command} >&2 || exit 1; times");
    let said = project
        .start(std::path::Path::new("/bin/sh"), &["-c", &script])
        .end();
    assert_eq!(said.code, Some(0), "{said}");
    let children = said.stdout.lines().nth(1).unwrap();
    let seconds = |word: &str| {
        let (minutes, seconds) = word.trim_end_matches('s').split_once('m').unwrap();
        minutes.parse::<f64>().unwrap() * 60.0 + seconds.parse::<f64>().unwrap()
    };
    children.split_whitespace().map(seconds).sum()
}

/// The bar is 1.5 CPU-seconds; a crowded machine makes system time dearer.
#[test]
fn editing_one_file_costs_little() {
    const BOUND: f64 = 3.0;
    let project = Project::collector();
    let build = "cargo test -p agent-tests --no-run";
    cpu_seconds(&project, build);
    let (mut from, mut least) = ("urgent. Say so", f64::INFINITY);
    for to in ["urgent! Say so", "urgent; say so", "urgent, so say so"] {
        project.replace(
            "agent-tests/desk/two.task.yaml",
            &format!("is {from}"),
            &format!("is {to}"),
        );
        from = to;
        least = least.min(cpu_seconds(&project, build));
    }
    println!("editing one task file: {least:.2} CPU-s");
    assert!(least <= BOUND, "{least} CPU-s");
}
