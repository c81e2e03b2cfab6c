//! Tokens as the chat completions protocol counts them, in buckets that do not overlap.

use crate::domain::Usage;
use crate::provider::http::MOST_TOKENS;
use serde_json::Value;

/// Tokens in disjoint buckets. Of prompt, completion and total, one may be missing; otherwise they
/// are unknown. Where the total is more than prompt and completion, a server counts reasoning apart,
/// and it is output all the same.
pub(super) fn usage(given: &Value) -> Option<Usage> {
    let number = |key: &str| given[key].as_u64();
    let (prompt, completion, total) = (
        number("prompt_tokens"),
        number("completion_tokens"),
        number("total_tokens"),
    );
    let (prompt, output) = match (prompt, completion, total) {
        (Some(prompt), Some(completion), None) => (prompt, completion),
        (Some(prompt), Some(completion), Some(total)) => {
            (prompt, completion.max(total.saturating_sub(prompt)))
        }
        (Some(prompt), None, Some(total)) => (prompt, total.checked_sub(prompt)?),
        (None, Some(completion), Some(total)) => (total.checked_sub(completion)?, completion),
        _ => return None,
    };
    // No request is without tokens, and none has a million million of them: a server that says so
    // does not count.
    if prompt == 0 || prompt.max(output) > MOST_TOKENS {
        return None;
    }
    let cached = given["prompt_tokens_details"]["cached_tokens"].as_u64();
    let cache_read = cached.unwrap_or(0).min(prompt);
    Some(Usage {
        input_uncached: prompt - cache_read,
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
