//! Tokens as the Gemini API counts them, in buckets that do not overlap.

use super::openai::{Counted, buckets};
use crate::domain::Usage;
use serde_json::Value;

/// Tokens of an answer in disjoint buckets, from its object `usageMetadata`: the prompt holds the
/// cached ones, prompts for the model's own tools are counted beside it, and thoughts beside the
/// candidates (<https://ai.google.dev/api/generate-content#UsageMetadata>). A count of nothing is
/// left out there. `None` when they are unknown.
#[must_use]
pub fn usage(given: &Value) -> Option<Usage> {
    let number = |key: &str| given[key].as_u64();
    let sum = |one: Option<u64>, other: Option<u64>| match (one, other) {
        (None, None) => None,
        _ => Some(one.unwrap_or(0).saturating_add(other.unwrap_or(0))),
    };
    let prompt = number("promptTokenCount")?;
    buckets(Counted {
        input: sum(Some(prompt), number("toolUsePromptTokenCount")),
        output: sum(number("candidatesTokenCount"), number("thoughtsTokenCount")),
        total: number("totalTokenCount"),
        cached: number("cachedContentTokenCount"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn cached_tokens_are_input_and_thoughts_are_output() {
        let of = |given: Value| usage(&given).map(|u| (u.input_uncached, u.cache_read, u.output));
        let whole = json!({
            "promptTokenCount": 1500, "cachedContentTokenCount": 300, "candidatesTokenCount": 30,
            "thoughtsTokenCount": 10, "totalTokenCount": 1540,
        });
        assert_eq!(of(whole), Some((1200, 300, 40)));
        let tools = json!({
            "promptTokenCount": 100, "toolUsePromptTokenCount": 20, "candidatesTokenCount": 5,
            "totalTokenCount": 125,
        });
        assert_eq!(of(tools), Some((120, 0, 5)));
        let untotalled = json!({
            "promptTokenCount": 10, "candidatesTokenCount": 5, "thoughtsTokenCount": 2,
        });
        assert_eq!(of(untotalled), Some((10, 0, 7)));
        // Nothing was generated, which is known.
        let blocked = json!({"promptTokenCount": 7, "totalTokenCount": 7});
        assert_eq!(of(blocked), Some((7, 0, 0)));
        for unknown in [
            json!(null),
            json!({"promptTokenCount": 7}),
            json!({"totalTokenCount": 7}),
        ] {
            assert_eq!(of(unknown.clone()), None, "{unknown}");
        }
    }
}
