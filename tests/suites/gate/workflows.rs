//! examples/ci: the workflows parse, name only commands and flags that exist, and keep the rules
//! that make a gate one.

use crossbar::source::{File, Node, Problems, Value, parse};
use crossbar_suites::project::Project;
use crossbar_suites::tree;
use std::collections::BTreeMap;
use std::fs;

fn text(name: &str) -> String {
    fs::read_to_string(tree::root().join("examples/ci").join(name)).unwrap()
}

/// Every scalar of a file by the path of keys that leads to it; items of lists are numbered.
fn scalars(name: &str) -> BTreeMap<String, String> {
    let file = File::new(name, text(name));
    let problems = Problems::new(name);
    let root = parse(&file, &problems);
    let said = problems.into_vec();
    assert!(said.is_empty(), "{said:?}");
    let mut found = BTreeMap::new();
    walk(&root.unwrap(), String::new(), &mut found);
    found
}

fn walk(node: &Node, path: String, found: &mut BTreeMap<String, String>) {
    match &node.value {
        Value::Scalar(scalar) => drop(found.insert(path, scalar.text.clone())),
        Value::Sequence(items) => {
            for (at, item) in items.iter().enumerate() {
                walk(item, format!("{path}[{at}]"), found);
            }
        }
        Value::Mapping(mapping) => {
            for entry in &mapping.entries {
                walk(&entry.node, format!("{path}.{}", entry.key), found);
            }
        }
        Value::Refused => panic!("{path} is an alias"),
    }
}

/// The commands `crossbar VERB FLAGS` in the steps of a file.
fn commands(found: &BTreeMap<String, String>) -> Vec<Vec<String>> {
    let steps = found
        .iter()
        .filter(|(path, _)| path.ends_with(".run") || path.contains("script["));
    let lines = steps.flat_map(|(_, text)| text.lines());
    let ours = lines.filter_map(|line| line.trim().strip_prefix("crossbar "));
    ours.map(|line| line.split_whitespace().map(str::to_owned).collect())
        .collect()
}

#[test]
fn the_workflows_name_commands_and_flags_that_exist() {
    let project = Project::empty();
    for name in ["github.yml", "gitlab.yml"] {
        let found = commands(&scalars(name));
        assert!(!found.is_empty(), "{name}");
        for command in found {
            let help = project.crossbar(&["help", &command[0]]);
            assert_eq!(help.code, Some(0), "{command:?}");
            for flag in command.iter().filter(|word| word.starts_with("--")) {
                assert!(help.stdout.contains(flag.as_str()), "{name}: {command:?}");
            }
        }
    }
}

#[test]
fn a_workflow_has_the_base_branch_a_ceiling_and_no_text_of_strangers_in_a_shell() {
    let github = scalars("github.yml");
    let known = ["name", "on", "permissions", "concurrency", "jobs"];
    for path in github.keys() {
        let top = path
            .trim_start_matches('.')
            .split(['.', '['])
            .next()
            .unwrap();
        assert!(known.contains(&top), "{path}");
    }
    let has = |ending: &str, value: &str| {
        let found = github.iter().find(|(path, _)| path.ends_with(ending));
        assert_eq!(
            found.map(|(_, text)| text.as_str()),
            Some(value),
            "{ending}"
        );
    };
    has(".with.fetch-depth", "0");
    has(".env.CROSSBAR_BUDGET_USD", "5");
    has(".permissions.contents", "read");
    assert!(
        github
            .keys()
            .any(|path| path.starts_with(".on.pull_request.paths["))
    );
    for (path, script) in github.iter().filter(|(path, _)| path.ends_with(".run")) {
        assert!(
            !script.contains("${{"),
            "{path}: an expression is pasted into a shell"
        );
    }
    for (path, action) in github.iter().filter(|(path, _)| path.ends_with(".uses")) {
        assert!(action.contains('@'), "{path}: {action} has no version");
    }
    let gitlab = scalars("gitlab.yml");
    assert_eq!(gitlab[".agents.variables.GIT_DEPTH"], "0");
    assert_eq!(gitlab[".agents.artifacts.when"], "always");
    assert_eq!(
        gitlab[".agents.artifacts.reports.junit"],
        "runs/latest/junit.xml"
    );
}
