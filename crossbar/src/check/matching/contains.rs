//! The mode `contains`: a text, or another single value, somewhere within a value.

use super::at_key;
use super::mismatch::{Miss, Side};
use super::same::same;
use serde_json::Value;

/// Whether the expected is contained in the actual value.
pub(super) fn contains<'v>(expected: &'v Value, actual: &'v Value) -> Result<(), Miss<'v>> {
    match (expected, actual) {
        (Value::Object(expected), Value::Object(actual)) => {
            for (key, wanted) in expected {
                let found = at_key(actual, key, within(wanted))?;
                contains(wanted, found).map_err(|miss| miss.under_key(key))?;
            }
            Ok(())
        }
        (Value::Object(_), Value::Array(items)) => {
            if items.iter().any(|item| contains(expected, item).is_ok()) {
                Ok(())
            } else {
                Err(Miss::new(within(expected), Side::Value(actual)))
            }
        }
        (Value::Object(_), _) => Err(Miss::new(within(expected), Side::Value(actual))),
        (Value::Array(wanted), _) => wanted.iter().try_for_each(|item| contains(item, actual)),
        _ if occurs(expected, actual) => Ok(()),
        _ => Err(Miss::new(within(expected), Side::Value(actual))),
    }
}

fn within(expected: &Value) -> Side<'_> {
    Side::Words(format!(
        "something that contains {}",
        super::mismatch::text_of(expected)
    ))
}

/// Whether a single value occurs in the actual value, or in a part of it. Keys are not searched.
fn occurs(needle: &Value, actual: &Value) -> bool {
    match (needle, actual) {
        (_, Value::Array(items)) => items.iter().any(|item| occurs(needle, item)),
        (_, Value::Object(map)) => map.values().any(|item| occurs(needle, item)),
        (Value::String(needle), Value::String(text)) => folded(text).contains(&folded(needle)),
        (needle, Value::String(text)) => folded(text).contains(&folded(&needle.to_string())),
        // "5" is not in 25: a number is met as a whole, or not at all.
        (Value::String(needle), scalar) => folded(needle) == folded(&scalar.to_string()),
        _ => same(needle, actual),
    }
}

fn folded(text: &str) -> String {
    text.to_lowercase()
}
