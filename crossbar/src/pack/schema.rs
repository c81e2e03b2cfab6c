//! JSON Schemas (draft 2020-12) of the files, printed from the tables that the readers read by.
//!
//! A schema sees a value and not how it is spelt. So it is a little more lenient than the readers
//! (`1e3` is a whole number to it) and in one place stricter: a plain `~` or `null` is a text to
//! them, and to it a value that is missing.

use super::roster::{RosterContext, command, keys as roster};
use super::task_file::keys as task;
use super::{names, pack_file};
use crate::check::{self, COMMON_FIELDS, CheckKind, FieldKind, FieldSpec};
use crate::domain::ProviderKind;
use crate::source::{Key, Section, Shape};
use serde_json::{Map, Value, json};

/// The schema of `*.task.yaml`.
#[must_use]
pub fn task_schema() -> Value {
    let tables = |name: &str| match name {
        task::CHECK => check_schema(),
        _ => json!({}),
    };
    let mut schema = document("A task of crossbar", &task::TASK, &tables);
    not_empty(&mut schema, &["checks"]);
    let server = "/properties/environment/properties/servers/items";
    if let Some(server) = schema.pointer_mut(server) {
        server["oneOf"] = json!([{"required": ["command"]}, {"required": ["url"]}]);
        server["dependentRequired"] = json!({"headers": ["url"]});
    }
    schema
}

/// The schema of `pack.yaml`.
#[must_use]
pub fn pack_schema() -> Value {
    document("A task pack of crossbar", &pack_file::PACK, &|_| json!({}))
}

/// The schema of `crossbar.yaml`, with the kinds that the context has.
#[must_use]
pub fn roster_schema(context: &RosterContext<'_>) -> Value {
    let kinds = |rows: Vec<(&str, &str)>| {
        let rows = rows
            .iter()
            .map(|(name, doc)| json!({"const": name, "description": doc}));
        json!({"oneOf": rows.collect::<Vec<_>>()})
    };
    let tables = |name: &str| match name {
        roster::PROVIDER => kinds(context.providers.iter().map(|k| (k.name, k.doc)).collect()),
        roster::HARNESS_KIND => kinds(context.harnesses.iter().map(|k| (k.name, k.doc)).collect()),
        _ => json!({}),
    };
    let mut schema = document("A roster of crossbar", &roster::ROSTER, &tables);
    if let Some(model) = schema.pointer_mut("/properties/models/items") {
        model["allOf"] = context
            .providers
            .iter()
            .map(|kind| keys_of(kind, context))
            .collect();
    }
    if let Some(harness) = schema.pointer_mut("/properties/harnesses/items") {
        let kinds = context.harnesses.iter();
        harness["allOf"] = kinds.map(|kind| executable_of(kind.name)).collect();
    }
    not_empty(&mut schema, &["agents", "packs"]);
    // A roster without a model needs no harness.
    let harnesses = json!({"minItems": 1, "description": "one at least, where there is a model"});
    schema["allOf"] = json!([{
        "if": {"properties": {"models": {"minItems": 1}}},
        "then": {"required": ["harnesses"], "properties": {"harnesses": harnesses}},
    }]);
    schema
}

/// Lists of which the readers want one item at least.
fn not_empty(schema: &mut Value, lists: &[&str]) {
    for name in lists {
        if let Some(list) = schema["properties"].get_mut(name) {
            list["minItems"] = json!(1);
        }
    }
}

/// What a model of one provider must have, and what it must not.
fn keys_of(kind: &ProviderKind, context: &RosterContext<'_>) -> Value {
    let own = |kind: &ProviderKind| kind.needs.iter().chain(kind.takes).copied();
    let others = context.providers.iter().flat_map(own);
    let refused: Map<String, Value> = others
        .filter(|key| !own(kind).any(|mine| mine == *key))
        .map(|key| (key.to_owned(), Value::Bool(false)))
        .collect();
    when(
        "provider",
        kind.name,
        &json!({"required": kind.needs, "properties": refused}),
    )
}

/// That one kind of harness has an executable, and no other.
fn executable_of(kind: &str) -> Value {
    let [needed, ..] = command::KEYS;
    let then = match kind == command::KIND {
        true => json!({"required": [needed]}),
        false => {
            let keys = command::KEYS.iter();
            let refused: Map<String, Value> = keys
                .map(|key| ((*key).to_owned(), Value::Bool(false)))
                .collect();
            json!({"properties": refused})
        }
    };
    when("kind", kind, &then)
}

/// A check: its kind decides which fields it has.
fn check_schema() -> Value {
    let kinds = check::KINDS
        .iter()
        .map(|kind| json!({"const": kind.name, "description": kind.doc}));
    let named = json!({"oneOf": kinds.collect::<Vec<_>>(), "description": "the kind of check"});
    let each: Vec<Value> = check::KINDS
        .iter()
        .map(|kind| when("type", kind.name, &fields_of(kind)))
        .collect();
    json!({"type": "object", "required": ["type"], "properties": {"type": named}, "allOf": each})
}

fn fields_of(kind: &CheckKind) -> Value {
    let rows = || kind.fields.iter().chain(COMMON_FIELDS);
    let mut properties: Map<String, Value> = rows()
        .map(|row| (row.name.to_owned(), field_schema(row)))
        .collect();
    properties.insert("type".to_owned(), json!({}));
    let severity = task::SEVERITY;
    properties.insert(
        severity.name.to_owned(),
        key_schema(&severity, &|_| json!({})),
    );
    let required: Vec<&str> = rows()
        .filter(|row| row.required)
        .map(|row| row.name)
        .collect();
    json!({"properties": properties, "required": required, "additionalProperties": false})
}

fn field_schema(row: &FieldSpec) -> Value {
    const WHOLE: Shape = Shape::Integer(0, u32::MAX as u64);
    let shape = match row.kind {
        FieldKind::Text => Shape::Text,
        FieldKind::Json => Shape::Json,
        FieldKind::Map => Shape::Map(&Shape::Json),
        FieldKind::Count => WHOLE,
        FieldKind::Number => Shape::Number(f64::NEG_INFINITY, f64::INFINITY),
        FieldKind::Flag => Shape::Flag,
        FieldKind::Mode(modes) => {
            let words: Vec<&str> = modes.iter().map(|mode| mode.word()).collect();
            return json!({"enum": words, "description": row.doc});
        }
    };
    key_schema(&Key::optional(row.name, shape, row.doc), &|_| json!({}))
}

/// `then` where the key has the value.
fn when(key: &str, value: &str, then: &Value) -> Value {
    json!({
        "if": {"properties": {key: {"const": value}}, "required": [key]},
        "then": then,
    })
}

type Tables<'t> = &'t dyn Fn(&str) -> Value;

fn document(title: &str, section: &Section, tables: Tables<'_>) -> Value {
    let head = json!({"$schema": "https://json-schema.org/draft/2020-12/schema", "title": title});
    merged(head, section_schema(section, tables))
}

fn section_schema(section: &Section, tables: Tables<'_>) -> Value {
    let rows = section.keys.iter();
    let properties: Map<String, Value> = rows
        .clone()
        .map(|key| (key.name.to_owned(), key_schema(key, tables)))
        .collect();
    let required: Vec<&str> = rows
        .filter(|key| key.required)
        .map(|key| key.name)
        .collect();
    json!({
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": false,
    })
}

fn key_schema(key: &Key, tables: Tables<'_>) -> Value {
    merged(
        shape_schema(key.shape, tables),
        json!({"description": key.doc}),
    )
}

fn shape_schema(shape: Shape, tables: Tables<'_>) -> Value {
    // a plain scalar is a text as it is written, and an editor takes `1.10` for a number
    let text = json!({"type": ["string", "number", "boolean"]});
    match shape {
        Shape::Text => text,
        Shape::Filled => merged(text, json!({"pattern": "\\S"})),
        Shape::Id => merged(text, json!({"pattern": names::ID_PATTERN})),
        Shape::Flag => json!({"type": "boolean"}),
        Shape::Integer(from, to) => json!({"type": "integer", "minimum": from, "maximum": to}),
        Shape::Number(from, to) => number(from, to),
        Shape::Counted(word) => {
            json!({"type": "string", "pattern": format!("^{word}[1-9][0-9]*$")})
        }
        Shape::Word(words) => json!({"enum": words}),
        Shape::Json => json!({}),
        Shape::List(item) => json!({"type": "array", "items": shape_schema(*item, tables)}),
        Shape::Map(value) => {
            json!({"type": "object", "additionalProperties": shape_schema(*value, tables)})
        }
        Shape::Section(section) => section_schema(section, tables),
        Shape::Either(both) => {
            json!({"anyOf": both.map(|one| shape_schema(one, tables))})
        }
        Shape::Table(name) => tables(name),
    }
}

fn number(from: f64, to: f64) -> Value {
    let mut schema = Map::new();
    schema.insert("type".to_owned(), json!("number"));
    for (name, end) in [("minimum", from), ("maximum", to)] {
        if end.is_finite() {
            schema.insert(name.to_owned(), json!(end));
        }
    }
    Value::Object(schema)
}

/// Both objects as one.
fn merged(mut one: Value, other: Value) -> Value {
    if let (Value::Object(one), Value::Object(other)) = (&mut one, other) {
        one.extend(other);
    }
    one
}
