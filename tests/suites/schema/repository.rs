//! The files of this repository, and the cases that other tools' users met, by the schemas.

use super::{SchemaOf, read, validator};
use crossbar::source::{File, Problems, parse, to_json};
use crossbar_suites::tree::root;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};

/// A YAML text as the value that an editor sees; `None` where it is no YAML.
fn value(text: &str) -> Option<Value> {
    let file = File::new("t", text);
    let problems = Problems::new("t");
    let tree = parse(&file, &problems)?;
    to_json(&tree, &problems)
}

fn walk(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if path.is_dir() && !name.starts_with('.') && name != "target" && name != "runs" {
            walk(&path, found);
        } else if name.ends_with(".yaml") {
            found.push(path);
        }
    }
}

fn kind(path: &Path) -> Option<SchemaOf> {
    let name = path.file_name()?.to_string_lossy().into_owned();
    match name.as_str() {
        "crossbar.yaml" => Some(SchemaOf::Roster),
        "pack.yaml" => Some(SchemaOf::Pack),
        name if name.ends_with(".task.yaml") => Some(SchemaOf::Task),
        _ => None,
    }
}

#[test]
fn every_roster_pack_and_task_of_the_repository_is_good() {
    let mut files = Vec::new();
    walk(&root(), &mut files);
    let mut seen = 0;
    for path in files {
        let Some(of) = kind(&path) else { continue };
        let value = value(&fs::read_to_string(&path).unwrap()).expect("YAML");
        let errors: Vec<_> = validator(of)
            .iter_errors(&value)
            .map(|error| format!("{}: {error}", error.instance_path()))
            .collect();
        assert!(errors.is_empty(), "{}: {errors:?}", path.display());
        seen += 1;
    }
    assert!(seen >= 30, "{seen} files");
}

#[test]
fn the_cases_that_a_schema_can_see_are_flagged() {
    let flagged = |text: &str| {
        assert!(
            !read(SchemaOf::Task, text).is_empty(),
            "the reader accepts {text}"
        );
        let value = value(text).expect("YAML");
        !validator(SchemaOf::Task).is_valid(&value)
    };
    let case = |name: &str| fs::read_to_string(root().join("tests/cases").join(name)).unwrap();
    for name in ["D01.yaml", "D04.yaml", "D05.yaml"] {
        assert!(flagged(&case(name)), "{name}");
    }
    // a check that stands under its kind's name, an unknown key, a list that is none
    for text in [
        case("D05.yaml").replace("[]", "null"),
        case("D05.yaml").replace("checks: []\n", ""),
        case("D12.yaml").replace("{ final_text: { contains: '$5' } }", ""),
    ] {
        assert!(flagged(&text), "{text}");
    }
    for document in case("D16.yaml")
        .split("---\n")
        .filter(|one| !one.is_empty())
    {
        let ours = document.replace(
            "{ final_text: { contains: x } }",
            "{ type: final_text, value: x }",
        );
        // beyond any number: no value at all, so there is nothing for a schema to look at
        if !ours.contains("1e400") && !ours.contains("99999999999999999999") {
            assert!(flagged(&ours), "{ours}");
        }
    }
}
