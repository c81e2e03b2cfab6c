//! Holds the statistics to reference values from scipy, statsmodels and R: the files in `golden/`,
//! each with its source and tolerance. Every case of every file is compared. `hostile` holds them to
//! the inputs on which other tools went wrong, `invariants` to what must not change a figure.

use std::path::Path;

use crossbar::stats::{Difference, Padding};
use serde_json::Value;

#[path = "golden/cells.rs"]
mod cells;
#[path = "golden/costs.rs"]
mod costs;
#[path = "golden/differences.rs"]
mod differences;
#[path = "golden/exact_tests.rs"]
mod exact_tests;
#[path = "golden/hostile.rs"]
mod hostile;
#[path = "golden/invariants.rs"]
mod invariants;
#[path = "golden/missing.rs"]
mod missing;
#[path = "golden/patterns.rs"]
mod patterns;
#[path = "golden/sequential.rs"]
mod sequential;
#[path = "golden/times.rs"]
mod times;

/// Input and expectation of every case of one file, whose number of cases must be this.
fn load(name: &str, expected_cases: usize) -> Vec<(Value, Value)> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("golden")
        .join(format!("{name}.json"));
    let file: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let cases = file["cases"].as_array().unwrap();
    assert_eq!(cases.len(), expected_cases, "{name}: cases in the file");
    cases
        .iter()
        .map(|case| (case["input"].clone(), case["expected"].clone()))
        .collect()
}

fn num(value: &Value) -> f64 {
    match value {
        Value::String(text) => text.parse().unwrap(),
        other => other
            .as_f64()
            .unwrap_or_else(|| panic!("no number: {other}")),
    }
}

/// Infinite and absent upper limits are both `None` on our side.
fn bounded(value: &Value) -> Option<f64> {
    if value.is_null() {
        None
    } else {
        Some(num(value)).filter(|v| v.is_finite())
    }
}

fn nums(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(num).collect()
}

fn ints(value: &Value) -> Vec<u32> {
    nums(value).into_iter().map(|v| v as u32).collect()
}

fn uint(value: &Value) -> u64 {
    value.as_u64().unwrap()
}

/// Repeats are one number for all tasks or a list.
fn runs_of(value: &Value, tasks: usize) -> Vec<u32> {
    if value.is_array() {
        ints(value)
    } else {
        vec![uint(value) as u32; tasks]
    }
}

fn padding_of(input: &Value) -> Padding {
    match input["padding"].as_str().unwrap() {
        "default" => Padding::Normal,
        "strict" => Padding::Strict,
        other => panic!("unknown padding {other}"),
    }
}

#[track_caller]
fn close(what: &str, got: f64, want: f64, abs: f64, rel: f64) {
    let slack = abs + rel * want.abs();
    assert!(
        got == want || (got - want).abs() <= slack,
        "{what}: got {got}, want {want}, allowed {slack}"
    );
}

#[track_caller]
fn close_option(what: &str, got: Option<f64>, want: Option<f64>, abs: f64, rel: f64) {
    match (got, want) {
        (Some(got), Some(want)) => close(what, got, want, abs, rel),
        (None, None) => {}
        other => panic!("{what}: {other:?}"),
    }
}

fn compare_difference(what: &str, got: Difference, want: &Value) {
    for (name, got) in [
        ("diff", got.diff),
        ("phi", got.phi),
        ("pad_weight", got.pad_weight),
        ("lower", got.lower),
        ("upper", got.upper),
    ] {
        close(&format!("{name} {what}"), got, num(&want[name]), 1e-9, 0.0);
    }
}
