//! The document fits its published schema, whatever the answer, by an independent validator.

use super::{document, holding};
use crossbar::session::{SchemaOf, schema};
use crossbar_suites::tree;
use serde_json::{Value, json};

fn validator() -> jsonschema::Validator {
    let schema: Value = serde_json::from_str(&schema(SchemaOf::Analyze)).unwrap();
    jsonschema::meta::validate(&schema).expect("a schema of draft 2020-12");
    jsonschema::draft202012::new(&schema).unwrap()
}

fn problems(document: &Value) -> Vec<String> {
    let validator = validator();
    let errors = validator.iter_errors(document);
    errors
        .map(|error| format!("{} {error}", error.instance_path()))
        .collect()
}

fn demo() -> String {
    let path = tree::root().join("tests/fixtures/import/demo.csv");
    std::fs::read_to_string(path).unwrap()
}

#[test]
fn every_kind_of_answer_fits_the_schema() {
    let base = ["results.csv", "--baseline", "mock-strong+react"];
    let half: Vec<_> = demo().lines().take(50).map(str::to_owned).collect();
    let times = "cell,task,repeat,passed,started\na,t,1,1,2026-11-30T10:00:00Z\n";
    for (text, args, code) in [
        (demo(), &base[..], 0),
        (demo(), &["results.csv", "--quality-bar", "10"], 0),
        (demo(), &["results.csv", "--ci", "bootstrap-percentile"], 0),
        (half.join("\n"), &base, 4),
        (times.to_owned(), &["results.csv"], 0),
    ] {
        let document = document(&holding(&text), args, code);
        assert_eq!(problems(&document), [""; 0], "{args:?} {document:#}");
    }
}

#[test]
fn a_key_more_or_less_and_a_wrong_value_do_not_fit() {
    let document = document(&holding(&demo()), &["results.csv"], 0);
    let changed = |path: &str, value: Option<Value>| {
        let mut document = document.clone();
        let (parent, key) = path.rsplit_once('/').unwrap();
        let parent = document
            .pointer_mut(parent)
            .unwrap()
            .as_object_mut()
            .unwrap();
        match value {
            Some(value) => parent.insert(key.to_owned(), value),
            None => parent.remove(key),
        };
        !problems(&document).is_empty()
    };
    assert!(changed("/cells/0/pass_rate", None));
    assert!(changed("/cells/0/pass_rate/interval", Some(json!([0.1]))));
    assert!(changed("/cells/0/more", Some(json!(1))));
    assert!(changed("/verdicts/0/word", Some(json!("MAYBE"))));
    assert!(changed("/settings/margin", Some(json!(5))));
}
