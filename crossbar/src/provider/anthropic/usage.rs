//! Tokens as the Messages API counts them: its `input_tokens` are those that were neither read from
//! a cache nor written to one, so its buckets do not overlap.

use crate::domain::Usage;
use crate::provider::http::MOST_TOKENS;
use serde_json::{Map, Value};

/// Tokens in disjoint buckets. `None` when input or output is missing, and when tools of the
/// provider's own were used: those are billed by the use, which no token tells.
#[must_use]
pub fn usage(given: &Value) -> Option<Usage> {
    let number = |key: &str| given[key].as_u64();
    let written = number("cache_creation_input_tokens").unwrap_or(0);
    let for_an_hour = &given["cache_creation"]["ephemeral_1h_input_tokens"];
    let hour = for_an_hour.as_u64().unwrap_or(0).min(written);
    let usage = Usage {
        input_uncached: number("input_tokens")?,
        cache_read: number("cache_read_input_tokens").unwrap_or(0),
        cache_write_5m: written - hour,
        cache_write_1h: hour,
        output: number("output_tokens")?,
    };
    let uses = given["server_tool_use"].as_object();
    let is_billed_apart = uses.is_some_and(|uses| uses.values().any(|n| n.as_u64() != Some(0)));
    // No request is without tokens: a server that says so does not count.
    let is_sound = (1..=MOST_TOKENS).contains(&usage.input()) && usage.output <= MOST_TOKENS;
    (is_sound && !is_billed_apart).then_some(usage)
}

/// Writes what a later event of a stream says over what was said before, key by key; silence changes
/// nothing. Each figure is a sum from the beginning of the answer on.
pub fn write_over(old: &mut Value, new: &Value) {
    let Value::Object(new) = new else { return };
    if !old.is_object() {
        *old = Value::Object(Map::new());
    }
    for (key, value) in new.iter().filter(|(_, value)| !value.is_null()) {
        old[key] = value.clone();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn writes_for_five_minutes_and_for_an_hour_are_told_apart() {
        let given = |split: Value| {
            json!({
                "input_tokens": 19,
                "cache_read_input_tokens": 39_000,
                "cache_creation_input_tokens": 8000,
                "cache_creation": split,
                "output_tokens": 700,
            })
        };
        let of = |split: Value| {
            let usage = usage(&given(split)).unwrap();
            assert_eq!(
                (usage.input_uncached, usage.cache_read, usage.output),
                (19, 39_000, 700)
            );
            (usage.cache_write_5m, usage.cache_write_1h)
        };
        let split = json!({"ephemeral_5m_input_tokens": 3000, "ephemeral_1h_input_tokens": 5000});
        assert_eq!(of(split), (3000, 5000));
        assert_eq!(of(Value::Null), (8000, 0));
        assert_eq!(of(json!({"ephemeral_1h_input_tokens": 9000})), (0, 8000));
    }

    #[test]
    fn what_is_missing_or_cannot_be_is_unknown() {
        for unknown in [
            json!(null),
            json!({"input_tokens": 9}),
            json!({"output_tokens": 9}),
            json!({"input_tokens": 0, "output_tokens": 0}),
            json!({"input_tokens": 1_u64 << 60, "output_tokens": 1}),
            json!({"input_tokens": 9, "output_tokens": 1, "server_tool_use": {"web_search_requests": 2}}),
        ] {
            assert_eq!(usage(&unknown), None, "{unknown}");
        }
        let unused = json!({"web_search_requests": 0});
        let known = json!({"input_tokens": 9, "output_tokens": 0, "server_tool_use": unused});
        assert!(usage(&known).is_some());
        assert!(
            usage(&json!({"input_tokens": 0, "cache_read_input_tokens": 4, "output_tokens": 1}))
                .is_some()
        );
    }
}
