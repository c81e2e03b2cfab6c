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
    let rows = page.lines().filter(|line| line.starts_with("| "));
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
