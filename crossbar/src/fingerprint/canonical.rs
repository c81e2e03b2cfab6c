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

/// The hash that [`of_value`] gives of the array of these values, which are never held together.
pub fn of_list(values: impl IntoIterator<Item = Value>) -> String {
    let mut hash = Sha256::new();
    let mut text = String::from("[");
    for (index, value) in values.into_iter().enumerate() {
        if index > 0 {
            text.push(',');
        }
        write_sorted(&value, &mut text);
        hash.update(text.as_bytes());
        text.clear();
    }
    text.push(']');
    hash.update(text.as_bytes());
    first16(&hash.finalize())
}

/// The hexadecimal SHA-256 of some bytes.
#[must_use]
pub fn of_bytes(bytes: &[u8]) -> String {
    hex(&digest(bytes))
}

pub(super) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

pub(super) fn hex16(bytes: &[u8]) -> String {
    first16(&digest(bytes))
}

fn first16(digest: &[u8]) -> String {
    digest
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

    #[test]
    fn a_list_hashes_as_its_array() {
        let values = [json!({"b": 1, "a": [null]}), json!("x"), json!(2.5)];
        for length in 0..=values.len() {
            let some = values[..length].to_vec();
            assert_eq!(of_list(some.clone()), of_value(&Value::from(some)));
        }
    }
}
