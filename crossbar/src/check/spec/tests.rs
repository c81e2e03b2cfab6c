//! Tests of the fields that all checks share, and what the tests of single kinds are made with.

use super::super::{KINDS, kind};
use super::*;
use crate::domain::{Arguments, CallOutcome, Step, StepKind, ToolCall};

/// A call of `tickets.get` with an outcome.
pub(in crate::check) fn call(outcome: CallOutcome) -> ToolCall {
    ToolCall {
        id: "c1".into(),
        server: if outcome == CallOutcome::Unknown {
            String::new()
        } else {
            "tickets".into()
        },
        tool: "get".into(),
        arguments: Arguments::Json(json!({})),
        outcome,
        at_ms: 0,
        took_ms: 0,
    }
}

/// A trajectory of one step with these calls.
pub(in crate::check) fn trajectory(calls: Vec<ToolCall>) -> Trajectory {
    Trajectory {
        steps: vec![Step {
            index: 1,
            kind: StepKind::Work,
            text: String::new(),
            calls,
            usage: None,
            cost: None,
            answered_model: None,
            cut_short: None,
            retries: 0,
            at_ms: 0,
            took_ms: 0,
        }],
        ..Trajectory::default()
    }
}

/// Fields with which a check of any kind is built.
pub(in crate::check) fn complete(kind: &CheckKind) -> Fields {
    let mut fields = Fields::default();
    for field in kind.fields.iter().filter(|field| field.required) {
        fields.set(field.name, json!("x"));
    }
    fields
}

fn build(name: &str, more: &[(&str, Value)]) -> Result<CheckSpec, FieldError> {
    let kind = kind(name).unwrap();
    let mut fields = complete(kind);
    for (name, value) in more {
        fields.set(name, value.clone());
    }
    CheckSpec::new(kind, &fields, 3)
}

#[test]
fn the_defaults_of_every_kind() {
    for row in KINDS {
        let spec = build(row.name, &[]).unwrap();
        assert_eq!((spec.weight, spec.required), (1.0, true));
        assert_eq!(spec.name, format!("{} #3", row.name));
        assert_eq!(spec.guard, row.name == "no_tool_errors");
        let outcome = spec.judge(&Trajectory::default(), &Evidence::default());
        assert_eq!(
            (outcome.kind, outcome.passed),
            (row.name.to_owned(), spec.guard)
        );
    }
}

#[test]
fn common_fields_are_checked() {
    for (name, value) in [
        ("weight", json!(0)),
        ("weight", json!(-1)),
        ("weight", json!(1e7)),
        ("weight", json!("1")),
        ("required", json!("no")),
        ("guard", json!(1)),
        ("description", json!(" ")),
    ] {
        let error = build("final_text", &[(name, value.clone())]).unwrap_err();
        assert_eq!(error.field, name, "{value}");
    }
    let optional_guard = [("guard", json!(true)), ("required", json!(false))];
    assert_eq!(
        build("final_text", &optional_guard).unwrap_err().field,
        "required"
    );
    assert_eq!(
        build("no_tool_errors", &[("guard", json!(false))])
            .unwrap_err()
            .field,
        "guard"
    );
}

#[test]
fn a_fingerprint_sees_what_counts_and_not_the_order_of_keys_or_the_description() {
    let of = |more: &[(&str, Value)]| build("mcp_state", more).unwrap().canonical.to_string();
    let plain = of(&[("expect", json!({"a": 1, "b": [{"c": 2, "d": 3}]}))]);
    assert_eq!(
        plain,
        of(&[("expect", json!({"b": [{"d": 3, "c": 2}], "a": 1}))])
    );
    assert_eq!(
        of(&[]),
        of(&[("description", json!("words"))]),
        "a description changes nothing"
    );
    for (name, value) in [
        ("expect", json!("y")),
        ("match", json!("contains")),
        ("args", json!({"a": 1})),
        ("weight", json!(2)),
        ("required", json!(false)),
        ("guard", json!(true)),
    ] {
        assert_ne!(of(&[]), of(&[(name, value)]), "{name}");
    }
}
