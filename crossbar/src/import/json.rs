//! JSON documents of other tools: which keys they have, and errors at their line.

use super::error::ImportError;
use serde::Deserialize;
use serde::de::IgnoredAny;
use std::collections::BTreeMap;

/// Whether it is an object with all these keys.
pub(super) fn has_keys(bytes: &[u8], keys: &[&str]) -> bool {
    let object: Result<BTreeMap<String, IgnoredAny>, _> = serde_json::from_slice(bytes);
    object.is_ok_and(|object| keys.iter().all(|key| object.contains_key(*key)))
}

/// Reads a document that the tool `who` wrote to `path`, or a part of it.
pub(super) fn parse<'b, T: Deserialize<'b>>(
    path: &str,
    who: &'static str,
    bytes: &'b [u8],
) -> Result<T, ImportError> {
    serde_json::from_slice(bytes).map_err(|error| ImportError::Wrong {
        what: format!("this is not what {who} writes: {error}"),
        place: format!("{}:{}:{}", path, error.line(), error.column()),
        help: "give the file as the tool wrote it; if it did, tell us which version",
    })
}
