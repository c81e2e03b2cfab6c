//! The parts of a log that are read; whatever else is in it is passed over.

use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;

#[derive(Deserialize)]
pub(super) struct Log {
    pub(super) status: String,
    pub(super) eval: Eval,
    #[serde(default)]
    pub(super) invalidated: bool,
    #[serde(default)]
    pub(super) samples: Option<Vec<Sample>>,
}

#[derive(Deserialize)]
pub(super) struct Eval {
    pub(super) task: String,
    pub(super) model: String,
    #[serde(default)]
    pub(super) dataset: Dataset,
    #[serde(default)]
    pub(super) config: Config,
}

#[derive(Default, Deserialize)]
pub(super) struct Dataset {
    #[serde(default)]
    pub(super) sample_ids: Option<Vec<Value>>,
}

#[derive(Default, Deserialize)]
pub(super) struct Config {
    #[serde(default)]
    pub(super) epochs: Option<u32>,
}

/// A sample, or its summary in an archive: the two have the same names for what is read.
#[derive(Deserialize)]
pub(super) struct Sample {
    pub(super) id: Value,
    pub(super) epoch: u32,
    #[serde(default)]
    pub(super) metadata: Value,
    #[serde(default)]
    pub(super) scores: Option<BTreeMap<String, Score>>,
    #[serde(default)]
    pub(super) model_usage: BTreeMap<String, ModelUsage>,
    #[serde(default)]
    pub(super) started_at: Option<String>,
    #[serde(default)]
    pub(super) working_time: Option<f64>,
    /// A text in a summary, an object in a sample.
    #[serde(default)]
    pub(super) error: Value,
    #[serde(default)]
    limit: Value,
}

impl Sample {
    /// The word of the limit that ended it.
    pub(super) fn limit(&self) -> Option<&str> {
        match &self.limit {
            Value::String(word) => Some(word),
            other => other.get("type").and_then(Value::as_str),
        }
    }
}

#[derive(Deserialize)]
pub(super) struct Score {
    #[serde(default)]
    pub(super) value: Value,
}

/// Tokens of one model; `input_tokens` is without those of the cache.
#[derive(Deserialize)]
pub(super) struct ModelUsage {
    #[serde(default)]
    pub(super) input_tokens: Option<u64>,
    #[serde(default)]
    pub(super) output_tokens: Option<u64>,
    /// The sum of all the others.
    #[serde(default)]
    pub(super) total_tokens: Option<u64>,
    #[serde(default)]
    pub(super) input_tokens_cache_write: Option<u64>,
    #[serde(default)]
    pub(super) input_tokens_cache_read: Option<u64>,
    #[serde(default)]
    pub(super) total_cost: Option<f64>,
}
