//! A check of a task: its judgement with its name, weight and standing.

use super::{Check, CheckKind, FieldError, FieldKind, FieldSpec, Fields};
use crate::domain::{CheckOutcome, Evidence, Probe, Trajectory};
use serde_json::{Map, Value, json};
use std::sync::Arc;

/// The fields that every check takes besides its own.
pub const COMMON_FIELDS: &[FieldSpec] = &[
    FieldSpec {
        name: "description",
        kind: FieldKind::Text,
        required: false,
        doc: "what it asserts, in the author's words (default: its kind and place)",
    },
    FieldSpec {
        name: "weight",
        kind: FieldKind::Number,
        required: false,
        doc: "its share of the completion, above 0 and at most 1000000 (default 1)",
    },
    FieldSpec {
        name: "required",
        kind: FieldKind::Flag,
        required: false,
        doc: "whether acceptance needs it (default true)",
    },
    FieldSpec {
        name: "guard",
        kind: FieldKind::Flag,
        required: false,
        doc: "whether it can only zero the score, never add to it (default false)",
    },
];

/// The largest weight: the sum of any real number of checks stays exact enough and finite.
const MAX_WEIGHT: f64 = 1_000_000.0;

/// A check of a declared task.
#[derive(Debug, Clone)]
pub struct CheckSpec {
    /// Its kind's name.
    pub kind: &'static str,
    /// Its description, or one made from its kind and place.
    pub name: String,
    /// Its share of the completion, above 0.
    pub weight: f64,
    /// Whether acceptance needs it.
    pub required: bool,
    /// Whether it can only zero the score: declared so, or by its kind.
    pub guard: bool,
    /// Whether it looks at the state that the agent left.
    pub about_state: bool,
    /// The judgement itself.
    pub check: Arc<dyn Check>,
    /// What it is, for fingerprints: everything that can change a judgement or a score, with keys
    /// sorted. The description is left out: a better sentence is no other check.
    pub canonical: Value,
}

impl CheckSpec {
    /// Makes a check of a kind from the fields that were written; `number` is its place in the
    /// task's list, counted from 1.
    ///
    /// # Errors
    /// `FieldError` with the field that is wrong.
    pub fn new(kind: &CheckKind, fields: &Fields, number: usize) -> Result<Self, FieldError> {
        let weight = weight(fields)?;
        let guard = guard(kind, fields)?;
        let required = required(fields, guard)?;
        let name = match fields.optional_text("description")?.map(str::trim) {
            None => format!("{} #{number}", kind.name),
            Some("") => return Err(FieldError::new("description", "is empty: leave it out")),
            Some(text) => text.to_owned(),
        };
        let check = (kind.build)(fields)?;
        let own: Map<String, Value> = fields
            .iter()
            .filter(|(name, _)| !COMMON_FIELDS.iter().any(|common| common.name == *name))
            .map(|(name, value)| (name.clone(), value.clone()))
            .collect();
        let canonical = sorted(&json!({
            "type": kind.name,
            "fields": own,
            "weight": weight,
            "required": required,
            "guard": guard,
        }));
        Ok(Self {
            kind: kind.name,
            name,
            weight,
            required,
            guard,
            about_state: kind.about_state,
            check: Arc::from(check),
            canonical,
        })
    }

    /// What must be observed for it.
    #[must_use]
    pub fn probes(&self) -> Vec<Probe> {
        self.check.probes()
    }

    /// Judges a rollout: the row that is stored.
    #[must_use]
    pub fn judge(&self, trajectory: &Trajectory, evidence: &Evidence) -> CheckOutcome {
        let judgement = self.check.judge(trajectory, evidence);
        CheckOutcome {
            name: self.name.clone(),
            kind: self.kind.to_owned(),
            passed: judgement.passed,
            message: judgement.message,
            guard: self.guard,
            weight: self.weight,
            required: self.required,
            about_state: self.about_state,
        }
    }
}

fn weight(fields: &Fields) -> Result<f64, FieldError> {
    let weight = fields.number("weight")?.unwrap_or(1.0);
    if weight > 0.0 && weight <= MAX_WEIGHT {
        Ok(weight)
    } else {
        Err(FieldError::new(
            "weight",
            "must be above 0 and at most 1000000; a check that should add nothing is a guard",
        ))
    }
}

fn guard(kind: &CheckKind, fields: &Fields) -> Result<bool, FieldError> {
    let by_kind = kind.guard_by_kind.applies(fields);
    match fields.flag("guard")? {
        Some(false) if by_kind => Err(FieldError::new(
            "guard",
            "this check holds for an agent that does nothing, so it is a guard: leave the key out",
        )),
        declared => Ok(by_kind || declared == Some(true)),
    }
}

fn required(fields: &Fields, guard: bool) -> Result<bool, FieldError> {
    match fields.flag("required")? {
        // Else a rollout could be accepted with a score of 0.
        Some(false) if guard => Err(FieldError::new(
            "required",
            "a guard is always required: leave the key out",
        )),
        declared => Ok(declared.unwrap_or(true)),
    }
}

/// The same value with the keys of every object in order.
fn sorted(value: &Value) -> Value {
    match value {
        Value::Object(map) => {
            let mut entries: Vec<(&String, &Value)> = map.iter().collect();
            entries.sort_by_key(|(key, _)| *key);
            entries
                .into_iter()
                .map(|(key, value)| (key.clone(), sorted(value)))
                .collect()
        }
        Value::Array(items) => items.iter().map(sorted).collect(),
        scalar => scalar.clone(),
    }
}

#[cfg(test)]
pub(super) mod tests;
