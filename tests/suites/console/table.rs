//! tests/console/README.md: every page is named, and every case of the families has its place.

use std::fs;

use crossbar_suites::rows::file_of;
use crossbar_suites::tree::{Tree, root};

use super::page::PAGES;

/// The cases of the families D, E and F.
const CASES: [&str; 27] = [
    "D01", "D02", "D04", "D05", "D07", "D09", "D10", "D12", "D14", "D16", "D18", "E01", "E03",
    "E04", "E06", "E07", "E08", "E11", "E12", "F01", "F03", "F04", "F06", "F08", "F10", "F11",
    "F13",
];

fn index(tree: &Tree) -> &str {
    tree.text(&format!("{PAGES}/README.md")).unwrap()
}

/// What stands between two signs, as often as it does.
fn between<'a>(text: &'a str, open: &'a str, close: &'a str) -> impl Iterator<Item = &'a str> {
    let parts = text.split(open).skip(1);
    parts.filter_map(move |part| part.split(close).next())
}

/// What is wrong with the place that a row names for a case; nothing where it is there.
fn problems(tree: &Tree, case: &str, place: &str) -> Vec<String> {
    let mut found = Vec::new();
    for page in between(place, "](", ")") {
        let text = tree.text(&format!("{PAGES}/{page}")).unwrap_or_default();
        if !text.contains(&format!("\n## {case}: ")) {
            found.push(format!("{page} has no heading for {case}"));
        }
    }
    for test in between(place, "`", "`").step_by(2) {
        let file = file_of(tree, test).unwrap_or_default();
        let name = test.rsplit("::").next().unwrap_or_default();
        let text = tree.text(&file).unwrap_or_default();
        if !text.contains(&format!("fn {name}(")) {
            found.push(format!("{case}: there is no test {test}"));
        }
    }
    if !place.contains("](") && !place.contains('`') {
        found.push(format!("{case} has no place"));
    }
    found
}

#[test]
fn every_case_of_the_families_has_a_page_or_a_test() {
    let tree = Tree::load(&root()).unwrap();
    let rows = index(&tree).lines().filter_map(|line| {
        let cells: Vec<_> = line.split('|').map(str::trim).collect();
        match cells[..] {
            ["", id, _, place, ""] if id.len() == 3 && id != "---" => Some((id, place)),
            _ => None,
        }
    });
    let rows: Vec<_> = rows.collect();
    let ids: Vec<_> = rows.iter().map(|(id, _)| *id).collect();
    assert_eq!(ids, CASES);
    for (id, place) in rows {
        assert_eq!(problems(&tree, id, place), Vec::<String>::new());
    }
}

#[test]
fn a_place_that_is_not_there_is_seen() {
    let tree = Tree::load(&root()).unwrap();
    let seen = |place: &str| problems(&tree, "D02", place).len();
    assert_eq!(seen("[page](mistakes/tasks.md)"), 0);
    assert_eq!(seen("[page](mistakes/flags.md)"), 1);
    assert_eq!(seen("`console::table::no_such_test`"), 1);
    assert_eq!(seen("nowhere"), 1);
}

#[test]
fn every_page_stands_in_the_index_and_is_followed() {
    let tree = Tree::load(&root()).unwrap();
    for folder in ["gate", "mistakes"] {
        let suite = format!("tests/suites/console/{folder}.rs");
        for entry in fs::read_dir(root().join(PAGES).join(folder)).unwrap() {
            let name = entry.unwrap().file_name().to_string_lossy().into_owned();
            let stem = name.strip_suffix(".md").unwrap();
            assert!(
                index(&tree).contains(&format!("({folder}/{name})")),
                "{name}"
            );
            let followed = format!("\"{folder}/{stem}\"");
            assert!(tree.text(&suite).unwrap().contains(&followed), "{name}");
        }
    }
}
