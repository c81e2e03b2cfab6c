//! A model of the roster, and what a provider kind promises.

use super::Price;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;

/// A model of the roster.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Model {
    /// Its id in the roster; the left part of a cell.
    pub id: String,
    /// The provider kind, one of the provider table's names.
    pub provider: String,
    /// The name that the provider is asked for; the id where the roster names none.
    pub model: String,
    /// Where the provider listens.
    pub base_url: Option<String>,
    /// The NAME of the environment variable that holds the key; never the key.
    pub api_key_env: Option<String>,
    /// How it is paid for.
    pub price: Price,
    /// Generation settings, passed on as they are (`temperature`, `max_output_tokens`, ..).
    pub params: BTreeMap<String, Value>,
    /// What its requests are bounded by.
    #[serde(default, skip_serializing_if = "ModelLimits::is_unbounded")]
    pub limits: ModelLimits,
    /// Mock only: the chance, 0..=1, that a scripted step is carried out.
    pub skill: f64,
    /// Mock only: the chance, 0..=1, that a missed step is made good on a verify turn.
    pub recover: f64,
}

/// What the roster bounds the requests of a model by; `None` = by nothing. They change when a request
/// is sent, never what it says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct ModelLimits {
    /// Requests under way at a time, 1..=1024.
    pub concurrency: Option<u32>,
    /// Requests that begin in a minute, 1..=100000.
    pub requests_per_minute: Option<u32>,
}

impl ModelLimits {
    /// Whether there is none.
    #[must_use]
    pub fn is_unbounded(&self) -> bool {
        *self == Self::default()
    }
}

impl Model {
    /// `params.max_output_tokens`, where the roster sets it.
    #[must_use]
    pub fn max_output_tokens(&self) -> Option<u64> {
        self.params.get("max_output_tokens").and_then(Value::as_u64)
    }
}

/// A row of the provider table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ProviderKind {
    /// The word in the roster.
    pub name: &'static str,
    /// One line for help and error messages.
    pub doc: &'static str,
    /// Whether it can reach a model that somebody pays for.
    pub live: bool,
    /// Whether it exists only to exercise crossbar: its cells are no evidence about a model.
    pub pretend: bool,
    /// Keys of a model that it needs.
    pub needs: &'static [&'static str],
    /// Keys of a model that it takes besides those that all take.
    pub takes: &'static [&'static str],
    /// Harness kinds that can drive it.
    pub harnesses: &'static [&'static str],
}
