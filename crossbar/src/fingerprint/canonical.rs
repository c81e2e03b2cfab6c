//! The hash of a JSON value that does not depend on the order of its keys.

use serde_json::Value;
use sha2::{Digest, Sha256};

/// The first 16 hexadecimal digits of the SHA-256 of the value with its keys sorted.
#[must_use]
pub fn of_value(value: &Value) -> String {
    let mut text = String::new();
    write_sorted(value, &mut text);
    hex16(text.as_bytes())
}

/// The hexadecimal SHA-256 of some bytes.
#[must_use]
pub fn of_bytes(bytes: &[u8]) -> String {
    digest(bytes)
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

pub(super) fn hex16(bytes: &[u8]) -> String {
    digest(bytes)
        .iter()
        .take(8)
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

pub(super) fn digest(bytes: &[u8]) -> [u8; 32] {
    Sha256::digest(bytes).into()
}

fn write_sorted(value: &Value, out: &mut String) {
    match value {
        Value::Object(map) => {
            let mut entries: Vec<_> = map.iter().collect();
            entries.sort_by_key(|(key, _)| *key);
            out.push('{');
            for (index, (key, inner)) in entries.into_iter().enumerate() {
                if index > 0 {
                    out.push(',');
                }
                out.push_str(&Value::from(key.as_str()).to_string());
                out.push(':');
                write_sorted(inner, out);
            }
            out.push('}');
        }
        Value::Array(items) => {
            out.push('[');
            for (index, inner) in items.iter().enumerate() {
                if index > 0 {
                    out.push(',');
                }
                write_sorted(inner, out);
            }
            out.push(']');
        }
        scalar => out.push_str(&scalar.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_order_of_keys_does_not_matter_and_every_byte_does() {
        let one = json!({"a": 1, "b": {"x": [1, 2], "y": "t"}});
        let two = json!({"b": {"y": "t", "x": [1, 2]}, "a": 1});
        assert_eq!(of_value(&one), of_value(&two));
        assert_ne!(
            of_value(&one),
            of_value(&json!({"a": 1, "b": {"x": [2, 1], "y": "t"}}))
        );
        assert_ne!(of_value(&json!("1")), of_value(&json!(1)));
        assert_eq!(of_value(&one).len(), 16);
    }
}
