//! The schema of the document that `analyze --json` prints.

use super::imported_json::SCHEMA_VERSION;
use crate::analysis::NAMED_INTERVALS;
use serde_json::{Map, Value, json};

/// JSON Schema, draft 2020-12.
#[must_use]
pub fn imported_schema() -> Value {
    let mut schema = object(&[
        ("schema_version", json!({"const": SCHEMA_VERSION})),
        (
            "crossbar",
            text("the version of crossbar that computed the figures"),
        ),
        (
            "dataset_hash",
            text("the hash of the rollouts; one hash, one set of figures"),
        ),
        ("files", list(file())),
        (
            "notes",
            list(text("what a reader should know about what was read")),
        ),
        ("settings", settings()),
        (
            "complete",
            json!({"type": "boolean", "description": "whether every cell has every repeat of every task; if not, nothing is claimed"}),
        ),
        (
            "missing",
            list(
                json!({"type": "object", "required": ["key", "why"], "description": "a rollout without a result: cell, task and repeat, and why"}),
            ),
        ),
        (
            "window",
            maybe(
                json!({"type": "object", "required": ["first_started_at", "last_started_at"], "description": "when the rollouts began; null where one is not known"}),
            ),
        ),
        ("verdicts", list(verdict())),
        ("cells", list(cell())),
        ("comparisons", list(comparison())),
        ("named_intervals", maybe(named())),
        (
            "watch",
            list(json!({"type": "object", "required": ["kind"], "description": "a warning"})),
        ),
    ]);
    schema["$schema"] = json!("https://json-schema.org/draft/2020-12/schema");
    schema["title"] = json!("what `crossbar analyze --json` prints");
    schema["$defs"] = json!({"figure": figure(), "scope": scope(), "share": share()});
    schema
}

/// An object with these keys, all of them, and no other.
fn object(keys: &[(&str, Value)]) -> Value {
    let properties: Map<String, Value> = keys
        .iter()
        .map(|(name, value)| ((*name).to_owned(), value.clone()))
        .collect();
    let required: Vec<_> = keys.iter().map(|(name, _)| *name).collect();
    json!({
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": false,
    })
}

fn text(doc: &str) -> Value {
    json!({"type": "string", "description": doc})
}

fn count(doc: &str) -> Value {
    json!({"type": "integer", "minimum": 0, "description": doc})
}

fn list(of: Value) -> Value {
    json!({"type": "array", "items": of})
}

/// The same, or null where it is not known.
fn maybe(of: Value) -> Value {
    json!({"anyOf": [of, {"type": "null"}]})
}

fn figure_or_null() -> Value {
    maybe(json!({"$ref": "#/$defs/figure"}))
}

fn p_or_null(doc: &str) -> Value {
    json!({"type": ["number", "null"], "minimum": 0, "maximum": 1, "description": doc})
}

/// A value with its interval and the number of units behind it.
fn figure() -> Value {
    let mut figure = object(&[
        ("value", json!({"type": "number"})),
        (
            "interval",
            json!({
                "type": "array",
                "prefixItems": [{"type": "number"}, {"type": ["number", "null"]}],
                "minItems": 2,
                "maxItems": 2,
                "description": "lower and upper limit; a null upper limit is unbounded",
            }),
        ),
        ("n", count("units behind it: tasks or families")),
    ]);
    figure["description"] = json!("rates and differences are fractions: 0.05 is five points");
    figure
}

fn scope() -> Value {
    json!({
        "enum": ["these_tasks", "tasks_like_these"],
        "description": "exactly these tasks, or tasks like these",
    })
}

fn share() -> Value {
    json!({"type": "number", "minimum": 0, "maximum": 1})
}

fn file() -> Value {
    object(&[
        ("path", text("as it was given")),
        ("format", text("the format that was read")),
        ("rollouts", count("rollouts in it")),
        ("hash", text("SHA-256 of its bytes")),
    ])
}

fn settings() -> Value {
    object(&[
        ("baseline", maybe(text("the cell used today"))),
        ("margin", json!({"$ref": "#/$defs/share"})),
        (
            "margin_declared",
            json!({"type": "boolean", "description": "whether somebody said the margin"}),
        ),
        ("alpha", json!({"$ref": "#/$defs/share"})),
        ("quality_bar", maybe(json!({"$ref": "#/$defs/share"}))),
        ("tasks", count("tasks in the files")),
        ("repeats", count("repeats of each")),
        ("unit", json!({"enum": ["task", "family"]})),
    ])
}

fn verdict() -> Value {
    let lacks = json!({"enum": ["rollouts", "unmeasured", "within_margin", "above_bar", "cost", "cheaper"]});
    object(&[
        ("scope", json!({"$ref": "#/$defs/scope"})),
        (
            "headline",
            json!({"type": "boolean", "description": "whether it leads the card"}),
        ),
        (
            "word",
            json!({"enum": ["SWITCH", "STAY", "CAN'T TELL", "PICK", "NOTHING TO COMPARE"]}),
        ),
        ("winner", maybe(text("the cell of SWITCH or PICK"))),
        (
            "open",
            list(object(&[
                ("cell", text("a cell that may still be the answer")),
                ("lacks", list(lacks)),
            ])),
        ),
    ])
}

fn cell() -> Value {
    object(&[
        ("cell", text("its name in the files")),
        ("planned", count("rollouts that a whole file would have")),
        ("finished", count("rollouts that ended")),
        ("accepted", count("rollouts that passed")),
        ("pass_rate", figure_or_null()),
        ("pass_rate_these_tasks", figure_or_null()),
        ("mean_score", figure_or_null()),
        (
            "cost_usd",
            json!({"type": ["number", "null"], "minimum": 0, "description": "the sum; null where one is not known"}),
        ),
        ("cost_per_success", figure_or_null()),
        ("note", text("the word beside it in the matrix")),
    ])
}

fn comparison() -> Value {
    object(&[
        ("cell", text("the challenger")),
        ("scope", json!({"$ref": "#/$defs/scope"})),
        ("difference", json!({"$ref": "#/$defs/figure"})),
        (
            "p_sign_flip",
            p_or_null("exact sign-flip test: do the patterns differ? of tasks_like_these"),
        ),
        (
            "p_stratified",
            p_or_null("exact stratified test, of these_tasks"),
        ),
        (
            "adjusted_p",
            p_or_null("of the difference, by Holm over all challengers"),
        ),
        (
            "direction",
            json!({"enum": ["better", "worse", null], "description": "only where it is shown"}),
        ),
        (
            "non_inferior",
            json!({"type": "boolean", "description": "shown to be within the margin, by Holm"}),
        ),
        ("cost_ratio", figure_or_null()),
        (
            "cheaper",
            json!({"enum": ["shown", "shown_not", "open", "unknown_cost"]}),
        ),
    ])
}

fn named() -> Value {
    let words: Vec<_> = NAMED_INTERVALS.iter().map(|method| method.word).collect();
    object(&[
        ("method", json!({"enum": words})),
        (
            "coverage",
            text("what it was measured to hold; no verdict rests on it"),
        ),
        (
            "cells",
            list(object(&[
                ("cell", text("its name in the files")),
                ("pass_rate", figure_or_null()),
                ("difference", figure_or_null()),
            ])),
        ),
    ])
}
