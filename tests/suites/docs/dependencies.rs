//! Every dependency has its line with a reason, and no line is about one that is gone.

use super::pages::{self, first_column};
use std::collections::BTreeSet;

/// The lines of one table of a manifest.
fn table<'m>(manifest: &'m str, heading: &'m str) -> impl Iterator<Item = &'m str> {
    let below = manifest.lines().skip_while(move |line| *line != heading);
    below.skip(1).take_while(|line| !line.starts_with('['))
}

/// The names below `[workspace.dependencies]`, ours left out.
fn declared() -> BTreeSet<String> {
    let manifest = pages::read("Cargo.toml");
    let names = table(&manifest, "[workspace.dependencies]")
        .filter_map(|line| line.split_once(" = "))
        .map(|(name, _)| name.to_owned());
    names.filter(|name| name != "crossbar").collect()
}

#[test]
fn every_dependency_has_its_reason() {
    let page = pages::read("docs/dependencies.md");
    let headings = ["## In the library", "## In the macros", "## In tests alone"];
    let listed: Vec<String> = headings
        .iter()
        .flat_map(|heading| first_column(&page, heading))
        .collect();
    let once: BTreeSet<String> = listed.iter().cloned().collect();
    assert_eq!(once.len(), listed.len(), "a crate has two lines");
    assert_eq!(once, declared());
    for line in page.lines().filter(|line| line.starts_with("| `")) {
        let reason = line.split('|').nth_back(1).unwrap_or_default();
        assert!(!reason.trim().is_empty(), "no reason: {line}");
    }
}

/// What the page says of features is what the library's manifest says.
#[test]
fn a_dependency_of_the_library_names_its_feature() {
    let manifest = pages::read("crossbar/Cargo.toml");
    let page = pages::read("docs/dependencies.md");
    for name in first_column(&page, "## In the library") {
        let line = page
            .lines()
            .find(|line| line.starts_with(&format!("| `{name}` |")));
        let feature = line.unwrap().split('|').nth(2).unwrap().trim();
        let mut all = table(&manifest, "[dependencies]");
        let always = all.any(|line| line == format!("{name}.workspace = true"));
        let brings = |feature: &str| {
            let from = manifest.find(&format!("\n{feature} = [")).unwrap();
            let list = &manifest[from..];
            let list = &list[..list.find(']').unwrap()];
            list.contains(&format!("\"dep:{name}\""))
        };
        if feature == "all" {
            assert!(always, "{name} is optional");
            continue;
        }
        for feature in feature.split(", ") {
            assert!(
                !always && brings(feature),
                "{name} is not brought by {feature}"
            );
        }
    }
}
