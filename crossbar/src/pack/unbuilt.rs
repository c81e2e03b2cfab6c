//! Keys that the format has and this version does not carry out.

use crate::source::{Fields, Node, Value};

/// Refuses those of `keys` that are present in the mapping `node`, whose reader is `fields`: to
/// accept a setting that then does nothing would be a lie. Absent ones are not made known, so no
/// message offers them.
pub(super) fn refuse(node: Option<&Node>, fields: &mut Fields<'_>, keys: &[&'static str]) {
    for key in keys.iter().filter(|key| has(node, key)) {
        fields.optional(key).error("is not built yet", "remove it");
    }
}

/// Whether a mapping has the key.
pub(super) fn has(node: Option<&Node>, key: &str) -> bool {
    match node.map(|node| &node.value) {
        Some(Value::Mapping(mapping)) => mapping.get(key).is_some(),
        _ => false,
    }
}
