//! The four criteria of the page for authors: its bad and its mended examples are the packs of
//! tests/fixtures/admission, which the suite `controls` tries.

use super::pages::{blocks, headings, read};
use crossbar_suites::tree::{self, Tree};
use std::collections::BTreeMap;

const PAGE: &str = "docs/task-authoring.md";
const CRITERIA: [&str; 4] = ["Realism", "Solvability", "Checkability", "Integrity"];

#[test]
fn each_criterion_shows_its_bad_pack_and_its_mended_one_as_they_are() {
    let page = read(PAGE);
    let known = headings(&page);
    let mut shown: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for block in blocks(&page) {
        if let Some(file) = block.file {
            let text = block.lines.join("\n") + "\n";
            shown.entry(file).or_default().push(text);
        }
    }
    let tree = Tree::load(&tree::root()).unwrap();
    let mut kept: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for kind in ["bad", "mended"] {
        let folder = format!("tests/fixtures/admission/{kind}/");
        for (path, text) in tree.files() {
            if let Some(file) = path.strip_prefix(&folder) {
                kept.entry(file.to_owned())
                    .or_default()
                    .push(text.to_owned());
            }
        }
    }
    assert_eq!(shown, kept, "left what the page shows, right the packs");
    for criterion in CRITERIA {
        let folder = criterion.to_lowercase() + "/";
        assert!(known.contains(&criterion), "{criterion}");
        let pair = kept.iter().find(|(file, _)| file.starts_with(&folder));
        assert_eq!(pair.map(|(_, texts)| texts.len()), Some(2), "{criterion}");
    }
}
