//! Every line of tests/rows.tsv still points at a test and at exactly one place to spoil.

use crossbar_suites::rows::{self, ROWS, Row};
use crossbar_suites::tree::{Tree, Violation};

pub fn check(tree: &Tree) -> Vec<Violation> {
    match rows::parse(tree.text(ROWS).unwrap_or_default()) {
        Ok(rows) => rows
            .iter()
            .filter_map(|row| {
                Some(Violation::at(
                    ROWS,
                    row.line,
                    format!("{}: {}", row.row, problem(tree, row)?),
                ))
            })
            .collect(),
        Err((line, problem)) => vec![Violation::at(ROWS, line, problem)],
    }
}

fn problem(tree: &Tree, row: &Row) -> Option<String> {
    if row.test == "tidy::the_tree_is_tidy" {
        // It runs this very rule, so any sabotage turns it red.
        return Some("name the test of the rule that is meant".to_owned());
    }
    let Some(file) = rows::file_of(tree, &row.test) else {
        return Some(format!("no file for the test {}", row.test));
    };
    let name = row.test.rsplit("::").next().unwrap_or_default();
    let source = tree.text(&file).unwrap_or_default();
    if !source.contains(&format!("fn {name}(")) {
        return Some(format!("no fn {name} in {file}"));
    }
    let count = tree
        .text(&row.file)
        .map(|text| text.matches(&row.old).count());
    match count {
        Some(1) => None,
        Some(count) => Some(format!(
            "`{}` stands {count} times in {}, once is needed",
            row.old, row.file
        )),
        None => Some(format!("no file {}", row.file)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn expect(line: &str, message: Option<&str>) {
        let tree = crate::sample()
            .with(
                "crossbar/src/check/mcp.rs",
                "//! M.\nfn f() { one(); two(); two(); }\n#[test]\nfn holds() {}\n",
            )
            .with(ROWS, &format!("row\ttest\tfile\told\tnew\n{line}\n"));
        let found: Vec<String> = check(&tree).into_iter().map(|at| at.text).collect();
        match message {
            Some(message) => assert!(found.len() == 1 && found[0].contains(message), "{found:?}"),
            None => assert_eq!(found, [""; 0]),
        }
    }

    #[test]
    fn catches_rows_that_point_nowhere() {
        expect(
            "A\tcrossbar::check::mcp::holds\tcrossbar/src/check/mcp.rs\tone()\tzero()",
            None,
        );
        expect(
            "A\ttidy::the_tree_is_tidy\tcrossbar/src/check/mcp.rs\tone()\tzero()",
            Some("the rule that is meant"),
        );
        expect(
            "A\tabsent::holds\tcrossbar/src/check/mcp.rs\tone()\tzero()",
            Some("no file for the test"),
        );
        expect(
            "A\tcrossbar::check::mcp::gone\tcrossbar/src/check/mcp.rs\tone()\tzero()",
            Some("no fn gone"),
        );
        expect(
            "A\tcrossbar::check::mcp::holds\tcrossbar/src/check/mcp.rs\ttwo()\tzero()",
            Some("stands 2 times"),
        );
        expect(
            "A\tcrossbar::check::mcp::holds\tcrossbar/src/check/mcp.rs\tsix()\tzero()",
            Some("stands 0 times"),
        );
        expect(
            "A\tcrossbar::check::mcp::holds\tabsent.rs\tone()\tzero()",
            Some("no file absent.rs"),
        );
        expect("A\tcrossbar::check::mcp::holds", Some("2 cells"));
    }
}
