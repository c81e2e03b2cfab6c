//! The parts of an output file that are read; whatever else is in it is passed over.

use serde::Deserialize;
use serde_json::Value;

/// What `failureReason` says of an error, against 1 for an assertion that does not hold.
const BY_ERROR: u64 = 2;

#[derive(Deserialize)]
pub(super) struct Output {
    pub(super) results: Outcomes,
}

#[derive(Deserialize)]
pub(super) struct Outcomes {
    pub(super) results: Vec<ResultItem>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ResultItem {
    pub(super) test_idx: u64,
    pub(super) prompt_idx: u64,
    pub(super) success: bool,
    #[serde(default)]
    pub(super) score: Option<f64>,
    #[serde(default)]
    failure_reason: Option<u64>,
    pub(super) provider: ProviderName,
    #[serde(default)]
    pub(super) prompt: Prompt,
    #[serde(default)]
    pub(super) test_case: Value,
    #[serde(default)]
    pub(super) vars: Value,
    #[serde(default)]
    pub(super) cost: Option<f64>,
    #[serde(default)]
    pub(super) latency_ms: Option<u64>,
    #[serde(default)]
    response: Option<Response>,
}

impl ResultItem {
    /// Whether an error kept it from passing, where it says so.
    pub(super) fn failed_by_error(&self) -> Option<bool> {
        self.failure_reason.map(|reason| reason == BY_ERROR)
    }

    pub(super) fn is_cached(&self) -> bool {
        self.response
            .as_ref()
            .is_some_and(|response| response.cached)
    }

    /// The tokens of the answer; those that a grader took stand elsewhere.
    pub(super) fn tokens(&self) -> Option<&Tokens> {
        self.response.as_ref()?.token_usage.as_ref()
    }

    pub(super) fn family(&self) -> Option<&str> {
        self.test_case.pointer("/metadata/family")?.as_str()
    }
}

#[derive(Deserialize)]
pub(super) struct ProviderName {
    pub(super) id: String,
    #[serde(default)]
    pub(super) label: Option<String>,
}

#[derive(Default, Deserialize)]
pub(super) struct Prompt {
    #[serde(default)]
    pub(super) label: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Response {
    #[serde(default)]
    cached: bool,
    #[serde(default)]
    token_usage: Option<Tokens>,
}

#[derive(Deserialize)]
pub(super) struct Tokens {
    #[serde(default)]
    pub(super) prompt: Option<u64>,
    #[serde(default)]
    pub(super) completion: Option<u64>,
}
