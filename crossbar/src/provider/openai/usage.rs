//! Tokens as the chat completions and the responses protocol count them, in buckets that do not
//! overlap.

use crate::domain::Usage;
use crate::provider::http::MOST_TOKENS;
use serde_json::Value;

/// Tokens of a chat completion in disjoint buckets, from its object `usage`: `prompt_tokens` holds the
/// cached ones, and reasoning is inside `completion_tokens`
/// (<https://platform.openai.com/docs/api-reference/chat/object>). Of prompt, completion and total, one
/// may be missing; otherwise they are unknown.
#[must_use]
pub fn usage(given: &Value) -> Option<Usage> {
    let number = |key: &str| given[key].as_u64();
    buckets(Counted {
        input: number("prompt_tokens"),
        output: number("completion_tokens"),
        total: number("total_tokens"),
        cached: given["prompt_tokens_details"]["cached_tokens"].as_u64(),
    })
}

/// Tokens of a response in disjoint buckets, from its object `usage`: `input_tokens` holds the cached
/// ones, and reasoning is inside `output_tokens`
/// (<https://platform.openai.com/docs/api-reference/responses/object>). `None` when they are unknown.
#[must_use]
pub fn responses(given: &Value) -> Option<Usage> {
    let number = |key: &str| given[key].as_u64();
    buckets(Counted {
        input: number("input_tokens"),
        output: number("output_tokens"),
        total: number("total_tokens"),
        cached: given["input_tokens_details"]["cached_tokens"].as_u64(),
    })
}

/// Tokens as a server counts them; the cached ones are part of the input.
pub(in crate::provider) struct Counted {
    pub(in crate::provider) input: Option<u64>,
    pub(in crate::provider) output: Option<u64>,
    pub(in crate::provider) total: Option<u64>,
    pub(in crate::provider) cached: Option<u64>,
}

/// Counted tokens in disjoint buckets; `None` when they are unknown. Where the total is more than
/// input and output, a server counts reasoning apart, and it is output
/// all the same.
pub(in crate::provider) fn buckets(counted: Counted) -> Option<Usage> {
    let (input, output) = match (counted.input, counted.output, counted.total) {
        (Some(input), Some(output), None) => (input, output),
        (Some(input), Some(output), Some(total)) => {
            (input, output.max(total.saturating_sub(input)))
        }
        (Some(input), None, Some(total)) => (input, total.checked_sub(input)?),
        (None, Some(output), Some(total)) => (total.checked_sub(output)?, output),
        _ => return None,
    };
    // No request is without tokens, and none has a million million of them: a server that says so
    // does not count.
    if input == 0 || input.max(output) > MOST_TOKENS {
        return None;
    }
    let cache_read = counted.cached.unwrap_or(0).min(input);
    Some(Usage {
        input_uncached: input - cache_read,
        cache_read,
        output,
        ..Usage::default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn buckets_do_not_overlap_and_what_is_missing_is_derived_or_unknown() {
        let of = |value: Value| usage(&value).map(|u| (u.input_uncached, u.cache_read, u.output));
        let details = json!({"cached_tokens": 60});
        assert_eq!(
            of(
                json!({"prompt_tokens": 100, "completion_tokens": 7, "prompt_tokens_details": details})
            ),
            Some((40, 60, 7))
        );
        assert_eq!(
            of(json!({"prompt_tokens": 90, "total_tokens": 120})),
            Some((90, 0, 30))
        );
        assert_eq!(
            of(json!({"completion_tokens": 30, "total_tokens": 120})),
            Some((90, 0, 30))
        );
        let reasoned = json!({"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 40});
        assert_eq!(of(reasoned), Some((10, 0, 30)));
        for unknown in [
            json!(null),
            json!({}),
            json!({"prompt_tokens": 9}),
            json!({"total_tokens": 9}),
        ] {
            assert_eq!(of(unknown.clone()), None, "{unknown}");
        }
    }

    #[test]
    fn a_response_counts_cached_tokens_as_input_and_reasoning_as_output() {
        let given = json!({
            "input_tokens": 1500, "input_tokens_details": {"cached_tokens": 300},
            "output_tokens": 40, "output_tokens_details": {"reasoning_tokens": 30},
            "total_tokens": 1540,
        });
        let counted = responses(&given).map(|u| (u.input_uncached, u.cache_read, u.output));
        assert_eq!(counted, Some((1200, 300, 40)));
        assert_eq!(responses(&json!({"input_tokens": 4})), None);
        assert_eq!(responses(&json!(null)), None);
    }

    #[test]
    fn no_request_is_without_tokens_and_none_has_a_million_million() {
        let of = |prompt: u64, completion: u64| {
            usage(&json!({"prompt_tokens": prompt, "completion_tokens": completion}))
        };
        let most = MOST_TOKENS;
        for (prompt, completion) in [(0, 0), (0, 7), (1 << 41, 7), (7, 1 << 41), (most + 1, 0)] {
            assert_eq!(of(prompt, completion), None, "{prompt} and {completion}");
        }
        assert_eq!(
            usage(&json!({"prompt_tokens": 0, "completion_tokens": 0, "total_tokens": 0})),
            None
        );
        assert!(of(1, 0).is_some() && of(most, most).is_some());
    }
}
