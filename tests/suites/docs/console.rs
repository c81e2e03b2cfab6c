//! Console blocks: every command of a page is run, and its output is what the page shows.
//!
//! `UPDATE_DOCS=1` writes the real output into the pages instead; read the difference before you
//! commit it.

use std::fs;

use crossbar_suites::tree;

use super::followed;
use super::masks::masked;
use super::pages::{self, Block};
use super::session::{Seen, Session};

/// The line that stands for whatever follows.
const REST: &str = "...";

/// A command of a block with what the page shows below it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Command {
    /// The command.
    pub text: String,
    /// Its line in the page, counted from 1.
    pub line: usize,
    /// The lines below it.
    pub output: Vec<String>,
}

/// The commands of a block: lines that begin with `$ `.
fn commands(block: &Block) -> Vec<Command> {
    let mut found: Vec<Command> = Vec::new();
    for (at, line) in block.lines.iter().enumerate() {
        match (line.strip_prefix("$ "), found.last_mut()) {
            (Some(text), _) => found.push(Command {
                text: text.to_owned(),
                line: block.line + 1 + at,
                output: Vec::new(),
            }),
            (None, Some(command)) => command.output.push(line.clone()),
            (None, None) => panic!("line {}: output without a command", block.line + 1 + at),
        }
    }
    for command in &mut found {
        let nothing = command.output.first().is_some_and(|line| line == REST);
        assert!(!nothing, "line {}: `...` alone shows nothing", command.line);
        while command
            .output
            .last()
            .is_some_and(|line| line.trim().is_empty())
        {
            command.output.pop();
        }
    }
    found
}

/// What differs, or nothing.
fn difference(shown: &[String], real: &[String]) -> Option<String> {
    let (shown, open) = match shown.split_last() {
        Some((last, before)) if last == REST => (before, true),
        _ => (shown, false),
    };
    let (shown, real) = (comparable(shown), comparable(real));
    let wrong = (0..shown.len().max(real.len())).find(|at| shown.get(*at) != real.get(*at))?;
    if open && wrong >= shown.len() {
        return None;
    }
    let side = |lines: &[String]| {
        lines
            .get(wrong)
            .cloned()
            .unwrap_or_else(|| "(end)".to_owned())
    };
    Some(format!("shown  {}\n  real   {}", side(&shown), side(&real)))
}

/// Masked, and the cases of a test run sorted: they end in any order.
fn comparable(lines: &[String]) -> Vec<String> {
    let mut lines: Vec<_> = lines.iter().map(|line| masked(line)).collect();
    for run in lines.chunk_by_mut(|a, b| is_case(a) && is_case(b)) {
        run.sort();
    }
    lines
}

fn is_case(line: &str) -> bool {
    line.starts_with("test ") && line.ends_with(" ok")
}

/// The real lines as far as the page shows them.
fn as_far(shown: &[String], real: Vec<String>) -> Vec<String> {
    let [before @ .., last] = shown else {
        return real;
    };
    if last != REST || before.is_empty() {
        return real;
    }
    let end = masked(&before[before.len() - 1]);
    let found = real.iter().position(|line| masked(line) == end);
    let mut kept = real;
    kept.truncate(found.map_or(before.len(), |at| at + 1));
    kept.push(REST.to_owned());
    kept
}

/// Follows a page: the differences, and the page with the real output in it.
fn follow(path: &str) -> (Vec<String>, String) {
    let text = pages::read(path);
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let mut found = Vec::new();
    let page = followed::find(path).expect("a page of the table");
    let mut session = Session::new(page);
    let mut edits = Vec::new();
    for block in pages::blocks(&text) {
        if let Some(file) = &block.file {
            session.save(file, &block.lines);
        }
        if block.language != "console" {
            continue;
        }
        for command in commands(&block) {
            match session.run(&command) {
                Err(error) => found.push(format!("{path}:{}: {error}", command.line)),
                Ok(Seen::NotRun) => {}
                Ok(Seen::Lines(real)) => {
                    if let Some(wrong) = difference(&command.output, &real) {
                        found.push(format!(
                            "{path}:{}: {}\n  {wrong}",
                            command.line, command.text
                        ));
                    }
                    edits.push((command, real));
                }
            }
        }
    }
    for stale in session.still_to_be_named() {
        found.push(format!(
            "{path}: `{stale}` stands in the table, and not on the page"
        ));
    }
    for (command, real) in edits.into_iter().rev() {
        let shown = command.line..command.line + command.output.len();
        if difference(&command.output, &real).is_some() {
            lines.splice(shown, as_far(&command.output, real));
        }
    }
    (found, lines.join("\n") + "\n")
}

fn holds(path: &str) {
    let (found, text) = follow(path);
    if std::env::var_os("UPDATE_DOCS").is_some() {
        fs::write(tree::root().join(path), text).unwrap();
        return;
    }
    assert!(
        found.is_empty(),
        "{}\n(UPDATE_DOCS=1 writes the real output into the page)",
        found.join("\n")
    );
}

#[test]
fn the_readme_is_what_one_sees() {
    holds("README.md");
}

#[test]
fn the_walkthrough_is_what_one_sees() {
    holds("docs/walkthrough.md");
}

#[test]
fn the_page_for_authors_is_what_one_sees() {
    holds("docs/task-authoring.md");
}

#[test]
fn the_page_about_imports_is_what_one_sees() {
    holds("docs/import.md");
}

#[test]
fn the_page_about_replays_is_what_one_sees() {
    holds("docs/replay.md");
}

#[test]
fn a_wrong_line_a_missing_one_and_one_too_many_are_seen() {
    let lines = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
    let real = lines("a\ntook 3 ms\nc");
    assert_eq!(difference(&lines("a\ntook 9 ms\nc"), &real), None);
    assert_eq!(difference(&lines("a\n..."), &real), None);
    assert!(difference(&lines("a\nb\nc"), &real).is_some());
    assert!(difference(&lines("a"), &real).is_some());
    assert!(difference(&lines("a\ntook 3 ms\nc\nd"), &real).is_some());
    assert!(difference(&lines("b\n..."), &real).is_some());
    let cases = lines("test b ... ok\ntest a ... ok");
    assert_eq!(
        difference(&lines("test a ... ok\ntest b ... ok"), &cases),
        None
    );
}

#[test]
fn an_update_keeps_what_the_page_leaves_out() {
    let lines = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
    let kept = as_far(&lines("a\nend\n..."), lines("x\ny\nend\nz"));
    assert_eq!(kept, lines("x\ny\nend\n..."));
    assert_eq!(as_far(&lines("a"), lines("x\ny")), lines("x\ny"));
}
