//! What the pages list is what the code's tables hold: no kind, variable, file, column or exit code
//! more or less.

use crossbar::calibrate::PROMISES;
use crossbar::check::COMMON_FIELDS;
use crossbar::import::{COLUMNS, PROPERTIES};
use crossbar::report::{EXPORTS, ExportPlace, FORMATS};
use crossbar::session::{ENVIRONMENT, Exit, SchemaOf, schema};
use crossbar::{check, harness, provider};
use serde_json::Value;
use std::collections::BTreeSet;

use super::pages::{self, first_column, headings, section};

const AUTHORING: &str = "docs/task-authoring.md";
const RECORD: &str = "docs/record-format.md";

/// Every name has a heading of its own, and the section below it says what the table says.
fn expect_sections(page: &str, group: &str, rows: &[(&str, &str)]) {
    let known = headings(page);
    for (name, doc) in rows {
        let heading = format!("{group} `{name}`");
        assert!(
            known.contains(&heading.as_str()),
            "no section \"{heading}\""
        );
        let text = section(page, &heading).join("\n");
        assert!(text.contains(doc), "\"{heading}\" does not say: {doc}");
    }
    let start = format!("{group} `");
    for heading in known.iter().filter(|heading| heading.starts_with(&start)) {
        let named = rows
            .iter()
            .any(|(name, _)| *heading == format!("{group} `{name}`"));
        assert!(named, "\"{heading}\" is about nothing");
    }
}

#[test]
fn every_check_has_a_section_with_its_fields() {
    let page = pages::read(AUTHORING);
    let rows: Vec<_> = check::KINDS
        .iter()
        .map(|kind| (kind.name, kind.doc))
        .collect();
    expect_sections(&page, "Check", &rows);
    for kind in check::KINDS {
        let heading = format!("### Check `{}`", kind.name);
        let fields: Vec<_> = kind.fields.iter().map(|field| field.name).collect();
        assert_eq!(first_column(&page, &heading), fields, "{heading}");
        let text = section(&page, &format!("Check `{}`", kind.name)).join("\n");
        for field in kind.fields {
            assert!(text.contains(field.doc), "{heading}: {}", field.doc);
        }
    }
    let common: Vec<_> = COMMON_FIELDS.iter().map(|field| field.name).collect();
    let mut listed = first_column(&page, "### Fields of every check");
    // `type` chooses the kind, and `severity` is only recorded; neither is a field of the table.
    listed.retain(|name| name != "type" && name != "severity");
    assert_eq!(listed, common);
}

/// Every key of a schema, however deep, but those of the checks, which have tables of their own.
fn keys_of(schema: &Value, found: &mut BTreeSet<String>) {
    for (name, inner) in schema["properties"].as_object().into_iter().flatten() {
        found.insert(name.clone());
        keys_of(inner, found);
    }
    keys_of_items(schema, found);
}

fn keys_of_items(schema: &Value, found: &mut BTreeSet<String>) {
    if schema["items"].is_object() {
        keys_of(&schema["items"], found);
    }
    for inner in schema["anyOf"].as_array().into_iter().flatten() {
        keys_of(inner, found);
    }
}

#[test]
fn every_key_of_every_file_is_on_the_page() {
    let page = pages::read(AUTHORING);
    for of in [SchemaOf::Task, SchemaOf::Roster, SchemaOf::Pack] {
        let mut keys = BTreeSet::new();
        keys_of(&serde_json::from_str(&schema(of)).unwrap(), &mut keys);
        assert!(!keys.is_empty());
        for key in keys {
            // as a word of its own within backquotes: `key`, `key: value`, `{key, other}`
            let said = page.split('`').skip(1).step_by(2).any(|code| {
                code.split(|c: char| !c.is_ascii_alphanumeric() && c != '_')
                    .any(|word| word == key)
            });
            assert!(said, "{of:?}: `{key}` is nowhere in {AUTHORING}");
        }
    }
}

#[test]
fn every_match_mode_is_explained() {
    let page = pages::read(AUTHORING);
    let words: Vec<_> = check::MatchMode::ALL
        .iter()
        .map(|mode| mode.word())
        .collect();
    assert_eq!(first_column(&page, "### Match modes"), words);
}

#[test]
fn every_provider_has_a_section_with_its_keys() {
    let page = pages::read(AUTHORING);
    let rows: Vec<_> = provider::KINDS
        .iter()
        .map(|kind| (kind.name, kind.doc))
        .collect();
    expect_sections(&page, "Provider", &rows);
    for kind in provider::KINDS {
        let text = section(&page, &format!("Provider `{}`", kind.name)).join("\n");
        for key in kind.needs.iter().chain(kind.takes) {
            assert!(text.contains(&format!("`{key}`")), "{}: {key}", kind.name);
        }
    }
}

#[test]
fn every_harness_has_a_section() {
    let page = pages::read(AUTHORING);
    let rows: Vec<_> = harness::KINDS
        .iter()
        .map(|kind| (kind.name, kind.doc))
        .collect();
    expect_sections(&page, "Harness", &rows);
    for kind in harness::KINDS {
        let text = section(&page, &format!("Harness `{}`", kind.name)).join("\n");
        assert_eq!(kind.can_verify, text.contains("`verify"), "{}", kind.name);
    }
}

#[test]
fn every_environment_variable_is_listed() {
    let page = pages::read("docs/environment.md");
    let names: Vec<_> = ENVIRONMENT.iter().map(|(name, _)| *name).collect();
    assert_eq!(first_column(&page, "## Read by crossbar"), names);
    for (name, doc) in ENVIRONMENT {
        assert!(page.contains(doc), "{name} does not say: {doc}");
    }
}

#[test]
fn every_file_of_a_run_is_listed() {
    let listed = first_column(&pages::read(RECORD), "## Files of a run");
    let mut files: Vec<_> = FORMATS.iter().filter_map(|format| format.file).collect();
    files.push("traces/<cell>/<task>-r<n>.json");
    let (listed, files): (BTreeSet<_>, BTreeSet<_>) = (
        listed.into_iter().collect(),
        files.into_iter().map(str::to_owned).collect(),
    );
    assert_eq!(listed, files);
}

#[test]
fn every_format_for_other_tools_is_listed() {
    let page = pages::read(RECORD);
    let rows: Vec<String> = EXPORTS
        .iter()
        .map(|one| {
            let files = match one.place {
                ExportPlace::Each(folder) => format!("{folder}/<cell>/<task>-r<n>.json"),
                ExportPlace::Lines(file) => file.to_owned(),
            };
            format!("| `{}` | `{files}` | {} |", one.name, one.doc)
        })
        .collect();
    let listed: Vec<&str> = section(&page, "For other tools")
        .into_iter()
        .filter(|line| line.starts_with("| `"))
        .collect();
    assert_eq!(listed, rows);
}

#[test]
fn every_column_of_an_imported_table_is_listed() {
    let page = pages::read("docs/import.md");
    let names: Vec<_> = COLUMNS.iter().map(|column| column.name).collect();
    assert_eq!(first_column(&page, "## Tables"), names);
    for column in &COLUMNS {
        let line = format!("| `{}` | {}", column.name, column.doc);
        assert!(page.contains(&line), "no line {line}");
    }
}

#[test]
fn every_property_of_an_imported_junit_file_is_listed() {
    let page = pages::read("docs/import.md");
    for property in &PROPERTIES {
        let line = format!("| `{}` | {} |", property.name, property.doc);
        assert!(page.contains(&line), "no line {line}");
    }
}

#[test]
fn every_key_of_the_document_about_imports_is_listed() {
    let schema: Value = serde_json::from_str(&schema(SchemaOf::Analyze)).unwrap();
    let keys = schema["properties"].as_object().unwrap().keys();
    let keys: Vec<_> = keys.cloned().collect();
    assert_eq!(
        first_column(&pages::read("docs/import.md"), "## The document"),
        keys
    );
}

#[test]
fn every_exit_code_is_listed() {
    let page = pages::read("docs/exit-codes.md");
    let exits = [
        Exit::Done,
        Exit::Failed,
        Exit::CannotRun,
        Exit::GateOpen,
        Exit::Incomplete,
        Exit::Interrupted,
    ];
    let codes: Vec<_> = exits.iter().map(|exit| exit.code().to_string()).collect();
    assert_eq!(first_column(&page, "# Exit codes"), codes);
}

/// The page promises what `calibrate` holds the code to, word for word.
#[test]
fn every_promise_of_the_statistics_is_listed() {
    let page = pages::read("docs/statistics.md");
    let rows: Vec<String> = PROMISES
        .iter()
        .map(|one| format!("| `{}` | {} | {} |", one.id, one.says, one.bound))
        .collect();
    let listed: Vec<&str> = section(&page, "What calibrate holds it to")
        .into_iter()
        .filter(|line| line.starts_with("| `"))
        .collect();
    assert_eq!(listed, rows);
}

/// What the README shows to copy is what the repository runs.
#[test]
fn the_readme_shows_the_first_task_as_it_is() {
    let page = pages::read("README.md");
    let shown = |language: &str| {
        let block = pages::blocks(&page)
            .into_iter()
            .find(|block| block.language == language);
        block.expect(language).lines.join("\n") + "\n"
    };
    let agents = pages::read("examples/first-test/tests/agents.rs");
    assert!(agents.ends_with(&shown("rust")), "{}", shown("rust"));
    let task = pages::read("taskpacks/support-triage/route-refund.task.yaml");
    assert_eq!(shown("yaml"), task);
    let manifest = pages::read("Cargo.toml");
    let profile = "[profile.dev.package.crossbar-test]\nopt-level = 3\n";
    assert!(shown("toml").ends_with(profile) && manifest.contains(profile));
}

/// The packages that the design names; each is a dependency, or a page says what stands in its
/// place.
#[test]
fn every_package_of_the_design_is_a_dependency_or_has_a_page() {
    let manifest = pages::read("crossbar/Cargo.toml");
    let replaced = [
        ("junit-report", "docs/decisions/junit.md"),
        ("linkme", "docs/decisions/no-linkme.md"),
        ("serde_yaml", "docs/decisions/yaml.md"),
    ];
    for name in [
        "libtest-mimic",
        "serde",
        "serde_yaml",
        "tokio",
        "reqwest",
        "inventory",
        "linkme",
        "rand_chacha",
        "junit-report",
        "owo-colors",
    ] {
        let is_there = manifest.lines().any(|line| {
            line.starts_with(&format!("{name}.workspace"))
                || line.starts_with(&format!("{name} = "))
        });
        let page = replaced.iter().find(|(replaced, _)| *replaced == name);
        let explained = page.is_some_and(|(name, page)| pages::read(page).contains(name));
        assert!(is_there || explained, "{name}");
    }
}
