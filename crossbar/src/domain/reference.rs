//! Accepted results of one cell on one task: what a later run is held against.

use super::TaskId;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// The record of one task. Sums, not rollouts: enough for rates, exact tests, noise and cost per
/// success, and two records of one configuration pool by adding.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Reference {
    /// The task.
    pub task: TaskId,
    /// The fingerprint of everything that makes the task: prompt, environment, checks.
    pub task_fp: String,
    /// The fingerprint of the cell's configuration.
    pub cell_fp: String,
    /// Rollouts, at least 1.
    pub n: u32,
    /// Accepted ones.
    pub pass: u32,
    /// The sum of the scores, in millionths.
    pub score_e6: u64,
    /// The sum of the squared scores, in millionths.
    pub score_sq_e6: u64,
    /// The sum of the costs in micro-dollars; `None` when one is not known.
    pub usd_e6: Option<u64>,
    /// The sum of the squared costs in square micro-dollars; `None` when one is not known.
    pub usd_sq_e12: Option<u64>,
    /// Rollouts by how they ended.
    pub ended: BTreeMap<String, u32>,
    /// The model that the provider was asked for.
    pub requested: String,
    /// The models that answered, as the provider named them.
    pub answered: BTreeSet<String>,
    /// The agent that drove it, with its version.
    pub agent: String,
    /// The first day on which it was measured, `YYYY-MM-DD`.
    pub day: String,
    /// Eight hex digits of the newest run in it.
    pub run: String,
    /// Why a drop of this task was accepted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub accepted_drop: Option<String>,
}

impl Reference {
    /// Both records as one: sums and counts add, the older day stays, and so does a reason for a
    /// drop. Meant for records of one task and one configuration.
    #[must_use]
    pub fn pooled(&self, newer: &Self) -> Self {
        let mut ended = self.ended.clone();
        for (word, count) in &newer.ended {
            let sum = ended.entry(word.clone()).or_insert(0);
            *sum = sum.saturating_add(*count);
        }
        // A sum that no longer fits is not known any more.
        let sum = |a: Option<u64>, b: Option<u64>| a?.checked_add(b?);
        Self {
            n: self.n.saturating_add(newer.n),
            pass: self.pass.saturating_add(newer.pass),
            score_e6: self.score_e6.saturating_add(newer.score_e6),
            score_sq_e6: self.score_sq_e6.saturating_add(newer.score_sq_e6),
            usd_e6: sum(self.usd_e6, newer.usd_e6),
            usd_sq_e12: sum(self.usd_sq_e12, newer.usd_sq_e12),
            ended,
            day: self.day.clone().min(newer.day.clone()),
            accepted_drop: self.accepted_drop.clone(),
            ..newer.clone()
        }
    }
}
