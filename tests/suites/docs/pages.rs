//! Markdown as far as the suite reads it: fenced blocks, headings, and the rows of tables.

use crossbar_suites::tree;
use std::fs;

/// A fenced block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Block {
    /// The word after the fence.
    pub language: String,
    /// The line of the fence, counted from 1.
    pub line: usize,
    /// The file that the line before the block names: "File `path`:".
    pub file: Option<String>,
    /// The lines between the fences.
    pub lines: Vec<String>,
}

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

/// The fenced blocks of a page.
pub fn blocks(text: &str) -> Vec<Block> {
    let mut found: Vec<Block> = Vec::new();
    let mut open = false;
    let mut before = "";
    for (at, line) in text.lines().enumerate() {
        match (line.strip_prefix("```"), open) {
            (Some(language), false) => {
                open = true;
                found.push(Block {
                    language: language.to_owned(),
                    line: at + 1,
                    file: named_file(before),
                    lines: Vec::new(),
                });
            }
            (Some(_), true) => open = false,
            (None, true) => {
                let block = found.last_mut().expect("a block is open");
                block.lines.push(line.to_owned());
            }
            (None, false) => {}
        }
        if !line.trim().is_empty() {
            before = line;
        }
    }
    found
}

fn named_file(line: &str) -> Option<String> {
    let path = line.strip_prefix("File `")?.strip_suffix("`:")?;
    Some(path.to_owned())
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
fn reads_blocks_tables_and_sections() {
    let page = "# A\nFile `x/y.yaml`:\n\n```yaml\na: 1\n```\n## B\n| k | v |\n|---|---|\n| `c` | d |\n## E\nlast\n";
    let [block] = &blocks(page)[..] else { panic!() };
    assert_eq!((block.line, block.language.as_str()), (4, "yaml"));
    assert_eq!(block.file.as_deref(), Some("x/y.yaml"));
    assert_eq!(block.lines, ["a: 1"]);
    assert_eq!(first_column(page, "## B"), ["c"]);
    assert_eq!(headings(page), ["A", "B", "E"]);
    assert_eq!(section(page, "E"), ["last"]);
}
