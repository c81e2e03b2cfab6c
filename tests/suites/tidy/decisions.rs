//! Every page of docs/decisions has a line in its index.

use crossbar_suites::tree::{Tree, Violation};

const INDEX: &str = "docs/decisions/README.md";

pub fn check(tree: &Tree) -> Vec<Violation> {
    let index = tree.text(INDEX).unwrap_or_default();
    let pages = tree
        .files()
        .filter_map(|(path, _)| Some((path, path.strip_prefix("docs/decisions/")?)));
    let missing =
        pages.filter(|(_, name)| *name != "README.md" && !index.contains(&format!("]({name})")));
    missing
        .map(|(path, _)| Violation::of(path, format!("not listed in {INDEX}")))
        .collect()
}

#[test]
fn catches_a_page_that_is_not_listed() {
    crate::expect_caught(check, "docs/decisions/rmcp.md", "# Why?", "not listed");
    let listed = crate::sample()
        .with("docs/decisions/rmcp.md", "# Why?")
        .with(INDEX, "| [rmcp](rmcp.md) | kept |");
    assert_eq!(check(&listed), []);
}
