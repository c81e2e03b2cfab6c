//! The Rust of the page for authors: its blocks are one file, which compiles, and whose tasks hold.

use super::pages::{blocks, first_column, read};
use crossbar_suites::project::Project;

const PAGE: &str = "docs/task-authoring.md";

/// A model that plays each solution exactly.
const ROSTER: &str = "\
models: [{id: played, provider: scripted, price: free}]
harnesses: [{id: react, kind: react}]
run: {repeats: 1}
";

#[test]
fn the_blocks_are_one_file_whose_solutions_solve_its_tasks() {
    let page = read(PAGE);
    let (_, part) = page.split_once("\n## In Rust\n").unwrap();
    let blocks = blocks(part.split("\n## ").next().unwrap());
    let rust = blocks.iter().filter(|block| block.language == "rust");
    let file: Vec<_> = rust.map(|block| block.lines.join("\n")).collect();
    assert!(file.len() > 4, "{} blocks", file.len());
    let project = Project::first_test();
    project
        .remove("tasks")
        .write("crossbar.yaml", ROSTER)
        .write("tests/agents.rs", &format!("{}\n", file.join("\n\n")));
    let said = project.cargo(&["test", "--test", "agents", "--", "--include-ignored"]);
    assert_eq!(said.code, Some(0), "{said}");
    assert!(!said.stderr.contains("warning"), "{said}");
    let rollouts = project.rollouts("runs/latest");
    assert_eq!(rollouts.lines.len(), 6, "{said}");
    for line in &rollouts.lines {
        assert_eq!(line["outcome"], "accepted", "{line:?}");
    }
}

#[test]
fn every_key_of_the_attribute_has_a_row() {
    let source = read("crossbar-macros/src/attributes.rs");
    let (_, table) = source.split_once("const KEYS: &[&str] = &[").unwrap();
    let (table, _) = table.split_once("];").unwrap();
    let keys: Vec<_> = table.split('"').skip(1).step_by(2).collect();
    let mut listed = first_column(&read(PAGE), "### Keys of the attribute");
    listed.sort();
    let mut known: Vec<_> = keys.into_iter().map(ToOwned::to_owned).collect();
    known.sort();
    assert_eq!(listed, known);
}
