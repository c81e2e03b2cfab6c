//! Under which conditions a run was made, beside its machines.

use serde::{Deserialize, Serialize};

/// What the roster declares of the providers' prompt caches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CachePolicy {
    /// Nothing is read from a cache.
    Cold,
    /// What earlier requests left in the cache may be read.
    Warm,
}

impl CachePolicy {
    /// The words of the roster.
    pub const WORDS: [(&'static str, Self); 2] = [("cold", Self::Cold), ("warm", Self::Warm)];

    /// The word of the roster.
    #[must_use]
    pub fn word(self) -> &'static str {
        let [(cold, _), (warm, _)] = Self::WORDS;
        match self {
            Self::Cold => cold,
            Self::Warm => warm,
        }
    }
}

/// Where a server of a task ran.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ServerPlace {
    /// A process of its rollout, on the machine of the run, in no sandbox.
    Process,
    /// Somebody else's, at an address.
    Address,
}
