//! tests/rows.tsv: which test holds which promised feature, and the change that turns it red.

use crate::tree::Tree;

/// Where the table lies.
pub const ROWS: &str = "tests/rows.tsv";

const HEAD: [&str; 5] = ["row", "test", "file", "old", "new"];

/// One line of the table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// Line in the table, counted from 1.
    pub line: usize,
    /// Id of the checklist row.
    pub row: String,
    /// `suite::path::name`; the suite is `crossbar` or `macros` (unit tests) or a file of tests/suites.
    pub test: String,
    /// The file to spoil, from the root of the repository.
    pub file: String,
    /// A text that stands in the file exactly once.
    pub old: String,
    /// What it becomes.
    pub new: String,
}

/// Reads the table: `#` lines are comments, the first other line is the head.
///
/// # Errors
/// The first line that is not of this shape, with its number.
pub fn parse(text: &str) -> Result<Vec<Row>, (usize, String)> {
    let mut rows = Vec::new();
    let mut head_seen = false;
    for (at, content) in text.lines().enumerate() {
        let line = at + 1;
        if content.is_empty() || content.starts_with('#') {
            continue;
        }
        let cells: Vec<&str> = content.split('\t').collect();
        if !head_seen {
            if cells != HEAD {
                return Err((line, format!("the head is {}", HEAD.join(" "))));
            }
            head_seen = true;
            continue;
        }
        let [row, test, file, old, new] = cells[..] else {
            return Err((line, format!("{} cells where five are needed", cells.len())));
        };
        if [row, test, file, old]
            .iter()
            .any(|cell| cell.trim().is_empty())
            || old == new
        {
            return Err((
                line,
                "an empty cell, or a sabotage that changes nothing".to_owned(),
            ));
        }
        let [row, test, file, old, new] = [row, test, file, old, new].map(str::to_owned);
        rows.push(Row {
            line,
            row,
            test,
            file,
            old,
            new,
        });
    }
    Ok(rows)
}

/// The file that should hold a test, from the longest module path that has a file.
pub fn file_of(tree: &Tree, test: &str) -> Option<String> {
    let mut parts = test.split("::");
    let suite = parts.next()?;
    let modules: Vec<&str> = parts.collect();
    let modules = &modules[..modules.len().checked_sub(1)?];
    let (folder, root) = match suite {
        "crossbar" => ("crossbar/src".to_owned(), "crossbar/src/lib.rs".to_owned()),
        "macros" => (
            "crossbar-macros/src".to_owned(),
            "crossbar-macros/src/lib.rs".to_owned(),
        ),
        "shared" => ("tests/src".to_owned(), "tests/src/lib.rs".to_owned()),
        name => (
            format!("tests/suites/{name}"),
            format!("tests/suites/{name}.rs"),
        ),
    };
    let below = (1..=modules.len()).rev().flat_map(|count| {
        let stem = format!("{folder}/{}", modules[..count].join("/"));
        [format!("{stem}.rs"), format!("{stem}/mod.rs")]
    });
    below.chain([root]).find(|path| tree.text(path).is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "# words\nrow\ttest\tfile\told\tnew\nU-01\tgolden::wilson\ta.rs\tx + 1\tx\n";

    #[test]
    fn reads_rows_and_keeps_their_lines() {
        let rows = parse(TEXT).unwrap();
        assert_eq!(
            (rows.len(), rows[0].line, rows[0].old.as_str()),
            (1, 3, "x + 1")
        );
    }

    #[test]
    fn refuses_a_short_row_and_an_idle_sabotage() {
        assert_eq!(parse(&format!("{TEXT}U-02\tx\n")).unwrap_err().0, 4);
        assert_eq!(parse(&TEXT.replace("x + 1", "x")).unwrap_err().0, 3);
        assert_eq!(parse("row\ttest\n").unwrap_err().0, 1);
    }

    #[test]
    fn finds_the_file_of_a_test() {
        let tree = Tree::default()
            .with("crossbar/src/stats/wilson.rs", "")
            .with("crossbar/src/check/mod.rs", "")
            .with("tests/suites/golden.rs", "");
        let find = |test| file_of(&tree, test);
        assert_eq!(
            find("crossbar::stats::wilson::tests::a").as_deref(),
            Some("crossbar/src/stats/wilson.rs")
        );
        assert_eq!(
            find("crossbar::check::tests::a").as_deref(),
            Some("crossbar/src/check/mod.rs")
        );
        assert_eq!(find("golden::a").as_deref(), Some("tests/suites/golden.rs"));
        assert_eq!(find("absent::a"), None);
    }
}
