//! The floor table itself: strictly downwards, so without circles; and a row for each folder, a
//! folder for each row.

use std::collections::BTreeSet;

use crossbar_suites::page::PAGE;
use crossbar_suites::tree::{Tree, Violation};

pub fn check(tree: &Tree) -> Vec<Violation> {
    let page = match crate::page(tree) {
        Ok(page) => page,
        Err(found) => return found,
    };
    let mut problems = Vec::new();
    for (name, room) in &page.rooms {
        for used in &room.uses {
            match page.rooms.get(used) {
                None => problems.push(format!("{name} may use {used}, which has no row")),
                Some(below) if below.floor >= room.floor => {
                    problems.push(format!(
                        "{name} (floor {}) may use {used} (floor {})",
                        room.floor, below.floor
                    ));
                }
                Some(_) => {}
            }
        }
    }
    let rows: BTreeSet<&str> = page.rooms.keys().map(String::as_str).collect();
    let folders = tree.rooms();
    problems.extend(
        rows.difference(&folders)
            .map(|room| format!("{room} has a row but no folder")),
    );
    problems.extend(
        folders
            .difference(&rows)
            .map(|room| format!("{room} is a folder without a row")),
    );
    let fenced = page.fences.values();
    let fenced = fenced.flat_map(|rooms| rooms.split_whitespace());
    let others = page.pure.iter().chain(&page.printers).map(String::as_str);
    let listed = fenced.chain(others);
    problems.extend(
        listed
            .filter(|room| !rows.contains(*room))
            .map(|room| format!("no such room: {room}")),
    );
    let mut found: Vec<Violation> = problems
        .into_iter()
        .map(|problem| Violation::of(PAGE, problem))
        .collect();
    found.extend(
        tree.files()
            .filter(|(path, _)| is_stray(path))
            .map(|(path, _)| {
                Violation::of(
                    path,
                    "source outside a room: only the front door lies in crossbar/src itself",
                )
            }),
    );
    found
}

fn is_stray(path: &str) -> bool {
    let inside = path.strip_prefix("crossbar/src/").unwrap_or_default();
    inside.ends_with(".rs")
        && !inside.contains('/')
        && !matches!(inside, "lib.rs" | "main.rs" | "__private.rs")
}

#[test]
fn catches_an_edge_that_does_not_go_down() {
    let page = crate::SAMPLE_PAGE.replace(
        "| 1 | check | judging | domain |",
        "| 1 | check | judging | process |",
    );
    crate::expect_caught(
        check,
        PAGE,
        &page,
        "check (floor 1) may use process (floor 1)",
    );
}

#[test]
fn catches_a_row_without_a_folder_and_a_folder_without_a_row() {
    let page = crate::SAMPLE_PAGE.replace(
        "| 1 | check |",
        "| 0 | stats | numbers | - |\n| 1 | check |",
    );
    crate::expect_caught(check, PAGE, &page, "stats has a row but no folder");
    let found = check(&crate::sample().with("crossbar/src/attic/mod.rs", "//! Old."));
    assert_eq!(
        found,
        [Violation::of(PAGE, "attic is a folder without a row")]
    );
}

#[test]
fn catches_a_list_that_names_no_room() {
    let page = crate::SAMPLE_PAGE.replace("domain check\n", "domain check cellar\n");
    crate::expect_caught(check, PAGE, &page, "no such room: cellar");
}

#[test]
fn catches_a_file_outside_the_rooms() {
    crate::expect_caught(
        check,
        "crossbar/src/extra.rs",
        "//! Extra.",
        "outside a room",
    );
}

#[test]
fn catches_a_broken_table() {
    let page = crate::SAMPLE_PAGE.replace("| nouns | - |", "| nouns |");
    crate::expect_caught(check, PAGE, &page, "four columns");
}
