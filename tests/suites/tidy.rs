//! Holds the source to docs/architecture.md. Each rule is a function of the tree, and each has a
//! test that plants a violation in memory and expects it to be caught.

use crossbar_suites::page::{PAGE, Page};
use crossbar_suites::tree::{self, Tree, Violation};

#[path = "tidy/decisions.rs"]
mod decisions;
#[path = "tidy/edges.rs"]
mod edges;
#[path = "tidy/exports.rs"]
mod exports;
#[path = "tidy/fences.rs"]
mod fences;
#[path = "tidy/floors.rs"]
mod floors;
#[path = "tidy/judging.rs"]
mod judging;
#[path = "tidy/layout.rs"]
mod layout;
#[path = "tidy/links.rs"]
mod links;
#[path = "tidy/names.rs"]
mod names;
#[path = "tidy/opening.rs"]
mod opening;
#[path = "tidy/prints.rs"]
mod prints;
#[path = "tidy/purity.rs"]
mod purity;
#[path = "tidy/sabotage.rs"]
mod sabotage;
#[path = "tidy/sizes.rs"]
mod sizes;
#[path = "tidy/skips.rs"]
mod skips;
#[path = "tidy/versions.rs"]
mod versions;

/// A rule: what breaks it in this tree.
type Rule = fn(&Tree) -> Vec<Violation>;

const RULES: [(&str, Rule); 16] = [
    ("layout", layout::check),
    ("floors", floors::check),
    ("edges", edges::check),
    ("judging", judging::check),
    ("purity", purity::check),
    ("fences", fences::check),
    ("prints", prints::check),
    ("sizes", sizes::check),
    ("opening", opening::check),
    ("names", names::check),
    ("exports", exports::check),
    ("skips", skips::check),
    ("versions", versions::check),
    ("links", links::check),
    ("decisions", decisions::check),
    ("sabotage", sabotage::check),
];

#[test]
fn the_tree_is_tidy() {
    let tree = Tree::load(&tree::root()).expect("the repository can be read");
    let found: Vec<String> = RULES
        .iter()
        .flat_map(|(name, rule)| {
            rule(&tree)
                .into_iter()
                .map(move |at| format!("[{name}] {at}"))
        })
        .collect();
    assert!(
        found.is_empty(),
        "{} violations:\n{}",
        found.len(),
        found.join("\n")
    );
}

#[test]
fn the_sample_breaks_no_rule() {
    for (name, rule) in RULES {
        assert_eq!(rule(&sample()), [], "{name}");
    }
}

const SAMPLE_PAGE: &str = "# Architecture
## Rooms and floors
| floor | room | what it is for | may use |
|---|---|---|---|
| 0 | domain | nouns | - |
| 1 | check | judging | domain |
| 1 | process | spawning | domain |
| 2 | cli | a face | all below but process |
### Pure rooms
domain check
### Fences
| dependency | room |
|---|---|
| clap | cli |
### Print macros
cli
";

/// A small tree that breaks no rule, to plant violations in.
fn sample() -> Tree {
    const TOP: [&str; 8] = [
        ".cargo/config.toml",
        "CONTRIBUTING.md",
        "README.md",
        "SECURITY.md",
        "crossbar.yaml",
        "examples/first-test/Cargo.toml",
        "taskpacks/demo/pack.yaml",
        "crossbar-macros/Cargo.toml",
    ];
    let top = TOP
        .iter()
        .fold(Tree::default(), |tree, path| tree.with(path, ""));
    let places = ["", "crossbar/", "crossbar-macros/"];
    let licensed = places.iter().fold(top, |tree, place| {
        let tree = tree.with(&format!("{place}LICENSE-MIT"), "MIT");
        tree.with(&format!("{place}LICENSE-APACHE"), "Apache")
    });
    licensed
        .with(PAGE, SAMPLE_PAGE)
        .with(
            "Cargo.toml",
            "[workspace.package]\nversion = \"0.1.0\"\n[workspace.dependencies]\n\
             crossbar = { path = \"crossbar\", package = \"crossbar-test\", version = \"0.1.0\" }\n\
             crossbar-test-macros = { path = \"crossbar-macros\", version = \"=0.1.0\" }\n",
        )
        .with("CHANGELOG.md", "# Changelog\n\n## 0.1.0 - unreleased\n")
        .with("docs/decisions/README.md", "# Decisions\n")
        .with("tests/rows.tsv", "row\ttest\tfile\told\tnew\n")
        .with(
            "crossbar/src/lib.rs",
            "//! Front door.\npub mod domain;\npub use domain::Task;\n",
        )
        .with(
            "crossbar/src/domain/mod.rs",
            "//! Nouns.\npub struct Task;\n",
        )
        .with(
            "crossbar/src/check/mod.rs",
            "//! Judging.\nuse crate::domain::Task;\npub fn judge(_: &Task) {}\n",
        )
        .with(
            "crossbar/src/process/mod.rs",
            "//! Spawning.\nuse std::process::Command;\n",
        )
        .with(
            "crossbar/src/cli/mod.rs",
            "//! A face.\nuse super::check::judge;\nfn say() { println!(\"hello\"); }\n",
        )
}

/// Plants a file into the sample and expects exactly one violation there, with this text.
#[track_caller]
fn expect_caught(rule: Rule, path: &str, text: &str, message: &str) {
    let found = rule(&sample().with(path, text));
    let [violation] = found.as_slice() else {
        panic!("expected one violation with {message:?}, found {found:?}");
    };
    assert_eq!(violation.path, path);
    assert!(
        violation.text.contains(message),
        "{violation} does not say {message:?}"
    );
}

/// Plants a file into the sample and expects nothing.
#[track_caller]
fn expect_allowed(rule: Rule, path: &str, text: &str) {
    assert_eq!(rule(&sample().with(path, text)), []);
}

/// The page of a tree, or the one violation that there is none.
fn page(tree: &Tree) -> Result<Page, Vec<Violation>> {
    Page::read(tree).map_err(|problem| vec![Violation::of(PAGE, problem)])
}
