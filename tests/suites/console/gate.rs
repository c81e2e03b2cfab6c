//! Every cell of the gate's table in docs/exit-codes.md: a command, its code, and all that it says.

use std::fs;

use crossbar_suites::project::{SERVER, task};
use crossbar_suites::tree;

use super::page::{Command, PAGES, Page, commands, typed};

/// A page over six tasks in `desk`, one in `shop`, and two in `down` whose server is not there.
fn follow(page: &str, test: &str) {
    if typed() {
        return;
    }
    let mut page = Page::new(page);
    for number in 1..=6 {
        let id = format!("t{number}");
        page.file(&format!("desk/{id}.task.yaml"), &task(&id));
    }
    page.file("shop/s1.task.yaml", &task("s1"));
    for id in ["u1", "u2"] {
        let lost = task(id).replace(SERVER, "{name: tickets, command: no-such-server}");
        page.file(&format!("down/{id}.task.yaml"), &lost);
    }
    page.follow(test);
}

#[test]
fn none() {
    follow("gate/none", "gate::none");
}

#[test]
fn regression() {
    follow("gate/regression", "gate::regression");
}

#[test]
fn side_by_side() {
    follow("gate/side-by-side", "gate::side_by_side");
}

#[test]
fn noninferiority() {
    follow("gate/noninferiority", "gate::noninferiority");
}

#[test]
fn sentinel() {
    follow("gate/sentinel", "gate::sentinel");
}

/// The rows of the table: a gate, and the words below each code from 0 to 4.
fn table() -> Vec<(String, [String; 5])> {
    let page = fs::read_to_string(tree::root().join("docs/exit-codes.md")).unwrap();
    let rows = page
        .lines()
        .skip_while(|line| !line.starts_with("| gate |"));
    let rows = rows.take_while(|line| line.starts_with('|')).skip(2);
    rows.map(|row| {
        let cells: Vec<_> = row.split('|').map(|cell| cell.trim().to_owned()).collect();
        let words = std::array::from_fn(|code| cells[code + 2].clone());
        (cells[1].clone(), words)
    })
    .collect()
}

/// Whether a command shows a word of the table, which the mode `none` never prints.
fn shows(command: &Command, gate: &str, word: &str) -> bool {
    let word = match word {
        "not complete" => "INCOMPLETE",
        word => word,
    };
    let text = command.output.join("\n");
    match gate {
        "none" => text.contains("CROSSBAR VERDICT") && !text.contains("  GATE  "),
        _ => text.contains(&format!("  GATE           {word} (")),
    }
}

#[test]
fn every_cell_of_the_table_is_on_its_page() {
    let rows = table();
    assert_eq!(rows.len(), 3, "{rows:?}");
    for (gate, words) in rows {
        let page = fs::read_to_string(tree::root().join(format!("{PAGES}/gate/{gate}.md")));
        let commands = commands(&page.unwrap());
        for (code, words) in words.iter().enumerate() {
            for word in words.split(", ").filter(|word| !word.is_empty()) {
                let mut ended = commands
                    .iter()
                    .filter(|command| command.code == code.to_string());
                let shown = ended.any(|command| shows(command, &gate, word));
                assert!(
                    shown,
                    "{PAGES}/gate/{gate}.md has no {word} with code {code}"
                );
            }
        }
    }
}
