//! docs/harnesses.md says of each case what tests/agents/outcomes.tsv says, which the suite `agents`
//! holds the programs to, and names the programs that the code knows.

use super::pages;
use crossbar::harness::PROGRAMS;
use crossbar_suites::tree;

const PAGE: &str = "docs/harnesses.md";
const HEAD: &str = "| harness | what happens | the record says |\n|---|---|---|\n";

/// The table of the page, as the outcomes give it.
fn table() -> String {
    let outcomes = pages::read("tests/agents/outcomes.tsv");
    let lines = outcomes.lines().filter(|line| !line.starts_with('#'));
    let row = |line: &str| {
        let fields: Vec<&str> = line.split('\t').collect();
        let [harness, _, happens, outcome, detail, ..] = fields[..] else {
            panic!("{line}");
        };
        let detail = match detail {
            "" => String::new(),
            detail => format!(" ({detail})"),
        };
        format!("| `{harness}` | {happens} | {outcome}{detail} |\n")
    };
    lines.skip(1).map(row).collect()
}

#[test]
fn the_page_is_written_from_the_outcomes_that_a_suite_holds() {
    let page = pages::read(PAGE);
    let (before, _) = page.split_once(HEAD).expect("the table's head");
    let whole = format!("{before}{HEAD}{}", table());
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::write(tree::root().join(PAGE), &whole).unwrap();
    } else {
        assert_eq!(page, whole, "UPDATE_DOCS=1 writes it again");
    }
}

#[test]
fn the_page_names_each_program_with_its_tested_version() {
    let page = pages::read(PAGE);
    let kinds: Vec<String> = PROGRAMS.iter().map(|one| one.kind.to_owned()).collect();
    assert_eq!(
        pages::first_column(&page, "# Agent programs as harnesses"),
        kinds
    );
    for one in PROGRAMS {
        let row = format!(
            "`{}`, npm `{}` | {} |",
            one.program, one.package, one.version
        );
        assert!(page.contains(&row), "{row}");
    }
}
