//! The fingerprint of a suite: all its tasks together, apart from the cells.

use super::canonical::of_value;
use crate::domain::TaskId;
use serde_json::json;

/// The fingerprint of a suite from its tasks' ids and fingerprints, in any order.
#[must_use]
pub fn suite_fingerprint<'a, I>(tasks: I) -> String
where
    I: IntoIterator<Item = (&'a TaskId, &'a str)>,
{
    let mut parts: Vec<_> = tasks
        .into_iter()
        .map(|(id, print)| json!([id, print]))
        .collect();
    parts.sort_by_key(ToString::to_string);
    of_value(&json!(parts))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn order_is_nothing_and_a_changed_task_is_something() {
        let a = TaskId::parse("p::a").unwrap();
        let b = TaskId::parse("p::b").unwrap();
        let both = suite_fingerprint([(&a, "1"), (&b, "2")]);
        assert_eq!(both, suite_fingerprint([(&b, "2"), (&a, "1")]));
        assert_ne!(both, suite_fingerprint([(&a, "1"), (&b, "3")]));
    }
}
