//! Where two configurations differ, as paths that a person can find.

use serde_json::Value;
use std::collections::BTreeSet;

/// The paths at which two values differ, each as `path: old -> new`, sorted; empty when equal.
#[must_use]
pub fn differences(old: &Value, new: &Value) -> Vec<String> {
    let mut found = Vec::new();
    walk("", old, new, &mut found);
    found
}

fn walk(path: &str, old: &Value, new: &Value, found: &mut Vec<String>) {
    if let (Value::Object(a), Value::Object(b)) = (old, new) {
        let keys: BTreeSet<_> = a.keys().chain(b.keys()).collect();
        for key in keys {
            let inner = if path.is_empty() {
                key.clone()
            } else {
                format!("{path}.{key}")
            };
            let none = Value::Null;
            walk(
                &inner,
                a.get(key).unwrap_or(&none),
                b.get(key).unwrap_or(&none),
                found,
            );
        }
    } else if old != new {
        found.push(format!("{path}: {old} -> {new}"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn each_difference_has_its_path() {
        let old = json!({"model": {"skill": 0.9, "name": "m"}, "repeats": 3});
        let new = json!({"model": {"skill": 0.8, "name": "m"}, "repeats": 3, "seed": 1});
        assert_eq!(
            differences(&old, &new),
            ["model.skill: 0.9 -> 0.8", "seed: null -> 1"]
        );
        assert!(differences(&old, &old).is_empty());
    }
}
