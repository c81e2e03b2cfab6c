//! Markdown as far as the suite reads it: headings and the rows of tables; fenced blocks are shared.

pub use crossbar_suites::blocks::{Block, blocks};
use crossbar_suites::tree;
use std::fs;

/// A page of the repository.
pub fn read(path: &str) -> String {
    let file = tree::root().join(path);
    fs::read_to_string(&file).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// README.md and every page directly in docs/.
pub fn all() -> Vec<String> {
    let mut found = vec!["README.md".to_owned()];
    for entry in fs::read_dir(tree::root().join("docs")).unwrap() {
        let name = entry.unwrap().file_name().to_string_lossy().into_owned();
        if name.ends_with(".md") {
            found.push(format!("docs/{name}"));
        }
    }
    found.sort();
    found
}

/// The first cells of the table below a heading, backticks taken off.
pub fn first_column(text: &str, heading: &str) -> Vec<String> {
    let below = text.lines().skip_while(|line| *line != heading).skip(1);
    let rows = below
        .take_while(|line| !line.starts_with('#'))
        .filter(|line| line.starts_with('|'));
    rows.skip(2)
        .filter_map(|row| row.split('|').nth(1))
        .map(|cell| cell.trim().trim_matches('`').to_owned())
        .collect()
}

/// The headings of a page, their signs taken off.
pub fn headings(text: &str) -> Vec<&str> {
    text.lines()
        .filter(|line| line.starts_with('#'))
        .map(|line| line.trim_start_matches('#').trim())
        .collect()
}

/// The lines from a heading to the next one.
pub fn section<'t>(text: &'t str, heading: &str) -> Vec<&'t str> {
    let below = text
        .lines()
        .skip_while(|line| line.trim_start_matches('#').trim() != heading || !line.starts_with('#'))
        .skip(1);
    below.take_while(|line| !line.starts_with('#')).collect()
}

#[test]
fn reads_tables_and_sections() {
    let page = "# A\n## B\n| k | v |\n|---|---|\n| `c` | d |\n## E\nlast\n";
    assert_eq!(first_column(page, "## B"), ["c"]);
    assert_eq!(headings(page), ["A", "B", "E"]);
    assert_eq!(section(page, "E"), ["last"]);
}
