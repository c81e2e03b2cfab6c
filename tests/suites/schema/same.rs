//! The property: reader and schema accept and refuse the same, for unknown keys, absent keys and
//! wrong kinds of values, at every place of a file.

use super::samples::sample;
use super::{SchemaOf, read, validator};
use proptest::prelude::*;
use serde_json::{Value, json};

/// What a sound file is spoilt with at one place.
#[derive(Debug, Clone)]
enum Spoil {
    /// Another value.
    Put(Value),
    /// A key that no format has, or one of another mapping.
    Add(&'static str),
    /// Nothing there.
    Drop,
}

/// Every kind of value but `null`, which is a text where a text is wanted.
fn spoils() -> Vec<Spoil> {
    let values = json!(["word", "3", "", 3, -1, 1.5, true, [], ["x"], {}, {"x": "y"}]);
    let put = values.as_array().unwrap().iter().cloned().map(Spoil::Put);
    put.chain(["colour", "id", "timout_s", "type"].map(Spoil::Add))
        .chain([Spoil::Drop])
        .collect()
}

/// The pointer of everything in a value, itself included.
fn places(value: &Value, at: &str, found: &mut Vec<String>) {
    found.push(at.to_owned());
    match value {
        Value::Object(map) => map.iter().for_each(|(name, inner)| {
            places(inner, &format!("{at}/{name}"), found);
        }),
        Value::Array(items) => items.iter().enumerate().for_each(|(number, inner)| {
            places(inner, &format!("{at}/{number}"), found);
        }),
        _ => {}
    }
}

fn spoil(value: &mut Value, place: &str, spoil: &Spoil) {
    match spoil {
        Spoil::Put(other) => {
            if let Some(found) = value.pointer_mut(place) {
                *found = other.clone();
            }
        }
        Spoil::Add(key) => {
            if let Some(Value::Object(map)) = value.pointer_mut(place) {
                map.entry(*key).or_insert(json!("x"));
            }
        }
        Spoil::Drop => {
            let (parent, key) = place.rsplit_once('/').unwrap_or_default();
            if let Some(Value::Object(map)) = value.pointer_mut(parent) {
                map.remove(key);
            }
        }
    }
}

/// Whether the reader's problem is about keys and kinds of values: a schema has to see it. What
/// one part of a file says about another it can't.
fn is_structural(problem: &str) -> bool {
    const STRUCTURE: [&str; 6] = [
        "unknown key",
        ", expected ",
        "is missing in",
        " cannot be `",
        "is not a key of provider",
        "needs the key",
    ];
    const MEANING: [&str; 6] = [
        "expected a day",
        "`model` cannot be",
        "`harness` cannot be",
        "`verify` cannot be",
        "`temperature`",
        "`max_output_tokens`",
    ];
    STRUCTURE.iter().any(|one| problem.contains(one))
        && !MEANING.iter().any(|one| problem.contains(one))
}

/// What is wrong with the agreement about this value, if anything is.
fn disagreement(of: SchemaOf, by: &jsonschema::Validator, value: &Value) -> Option<String> {
    let problems = read(of, &value.to_string());
    let schema: Vec<String> = by
        .iter_errors(value)
        .map(|error| format!("{}: {error}", error.instance_path()))
        .collect();
    let seen = problems.iter().any(|problem| is_structural(problem));
    let agree = match (problems.is_empty(), schema.is_empty()) {
        (true, accepts) => accepts,
        (false, true) => !seen,
        (false, false) => true,
    };
    (!agree).then(|| format!("reader: {problems:?}\nschema: {schema:?}\n{value:#}"))
}

fn all() -> Vec<(SchemaOf, jsonschema::Validator)> {
    [SchemaOf::Task, SchemaOf::Roster, SchemaOf::Pack]
        .map(|of| (of, validator(of)))
        .into()
}

#[test]
fn each_place_spoilt_in_each_way_is_judged_alike() {
    for (of, by) in all() {
        let sound = sample(of);
        let mut found = Vec::new();
        places(&sound, "", &mut found);
        for place in &found {
            for how in spoils() {
                let mut value = sound.clone();
                spoil(&mut value, place, &how);
                if let Some(why) = disagreement(of, &by, &value) {
                    panic!("{place} {how:?}\n{why}");
                }
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn several_places_spoilt_at_once_are_judged_alike(
        draws in proptest::collection::vec((any::<prop::sample::Index>(), any::<prop::sample::Index>()), 2..5)
    ) {
        for (of, by) in all() {
            let mut value = sample(of);
            for (place, how) in &draws {
                let mut found = Vec::new();
                places(&value, "", &mut found);
                let how = how.get(&spoils()).clone();
                spoil(&mut value, place.get::<String>(&found), &how);
            }
            prop_assert_eq!(disagreement(of, &by, &value), None);
        }
    }
}
