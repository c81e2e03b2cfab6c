//! Tokens of a request or a rollout, in buckets that do not overlap.

use serde::{Deserialize, Serialize};

/// Tokens in disjoint buckets. An unknown usage is `None` of this type, never zeroes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Usage {
    /// Input tokens that were neither read from nor written to a cache.
    pub input_uncached: u64,
    /// Input tokens read from a cache.
    pub cache_read: u64,
    /// Input tokens written to a cache that lives five minutes.
    pub cache_write_5m: u64,
    /// Input tokens written to a cache that lives one hour.
    pub cache_write_1h: u64,
    /// Output tokens, reasoning included.
    pub output: u64,
}

impl Usage {
    /// What `budget_tokens` counts: uncached input, cache writes and output.
    #[must_use]
    pub fn budgeted(&self) -> u64 {
        self.input_uncached
            .saturating_add(self.cache_write_5m)
            .saturating_add(self.cache_write_1h)
            .saturating_add(self.output)
    }

    /// All input, cached or not.
    #[must_use]
    pub fn input(&self) -> u64 {
        self.input_uncached
            .saturating_add(self.cache_read)
            .saturating_add(self.cache_write_5m)
            .saturating_add(self.cache_write_1h)
    }

    /// The bucket-wise sum.
    #[must_use]
    pub fn plus(&self, other: &Self) -> Self {
        Self {
            input_uncached: self.input_uncached.saturating_add(other.input_uncached),
            cache_read: self.cache_read.saturating_add(other.cache_read),
            cache_write_5m: self.cache_write_5m.saturating_add(other.cache_write_5m),
            cache_write_1h: self.cache_write_1h.saturating_add(other.cache_write_1h),
            output: self.output.saturating_add(other.output),
        }
    }

    /// The sum of many; unknown as soon as one of them is unknown.
    pub fn total<I: IntoIterator<Item = Option<Self>>>(parts: I) -> Option<Self> {
        parts
            .into_iter()
            .try_fold(Self::default(), |sum, part| part.map(|p| sum.plus(&p)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_unknown_part_makes_the_whole_unknown() {
        let known = Usage {
            input_uncached: 3,
            output: 2,
            ..Usage::default()
        };
        assert_eq!(
            Usage::total([Some(known), Some(known)]).map(|u| u.budgeted()),
            Some(10)
        );
        assert_eq!(Usage::total([Some(known), None]), None);
    }

    #[test]
    fn cache_reads_are_input_but_not_budgeted() {
        let usage = Usage {
            cache_read: 100,
            cache_write_5m: 5,
            ..Usage::default()
        };
        assert_eq!((usage.input(), usage.budgeted()), (105, 5));
    }
}
