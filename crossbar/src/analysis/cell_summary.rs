//! One cell's own figures: rates, outcomes, money, time, safety, noise, failures.

use super::{FailureCount, NoiseLine, Note, TaskSignal, TimeLine};
use crate::domain::{CellId, CostSource, Estimate, Outcome, TaskId, Usage, Usd};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// One cell's own figures.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CellSummary {
    /// Model and harness.
    pub id: CellId,
    /// The configuration's fingerprint.
    pub fingerprint: String,
    /// Whether it is no evidence about any real model.
    pub pretend: bool,
    /// The model as a report names it.
    pub model_label: String,
    /// The model that the provider was asked for.
    pub requested_model: String,
    /// The models that answered, as the provider named them.
    pub answered_models: BTreeSet<String>,
    /// The harness kind.
    pub harness: String,
    /// Planned rollouts.
    pub scheduled: u32,
    /// Rollouts with a record that is neither skipped nor an invalid fixture.
    pub finished: u32,
    /// Finished rollouts without infrastructure failures: those that say something about the cell.
    pub measured: u32,
    /// Accepted rollouts.
    pub accepted: u32,
    /// Rollouts by how they ended; the counts sum to `scheduled`. Words as in rollouts.csv, and
    /// `not_finished` for those without a record.
    pub outcomes: BTreeMap<String, u32>,
    /// The pass rate \[tasks like these\]: infrastructure failures count as failures; missing
    /// rollouts widen it to both extremes. `None` when nothing was measured.
    pub pass_rate: Option<Estimate>,
    /// The pass rate \[these tasks\]; `None` with one repeat, when rollouts are missing, or when
    /// nothing was measured.
    pub pack_rate: Option<Estimate>,
    /// The pass rate \[tasks like these\] without infrastructure failures, over the tasks that have
    /// another rollout; `None` when there are none, or when only one of several tasks has another.
    pub rate_without_infrastructure: Option<Estimate>,
    /// The mean score (security x completion x process) over tasks, measured rollouts only;
    /// `None` when no rollout was scored.
    pub mean_score: Option<Estimate>,
    /// Chance that at least one of k rollouts passes, mean over tasks; `None` unless k is set
    /// and something was measured.
    pub pass_at_k: Option<Estimate>,
    /// Chance that all of k rollouts pass, mean over tasks; `None` unless k is set
    /// and something was measured.
    pub pass_hat_k: Option<Estimate>,
    /// What the sweep spent on this cell.
    pub cost: CostSummary,
    /// Cost per success.
    pub cost_per_success: CostPerSuccessLine,
    /// Tokens of all rollouts with a record; `None` when one of them is unknown.
    pub tokens: Option<Usage>,
    /// Tool calls that the model asked for; `None` when one of the rollouts has no count.
    pub tool_calls: Option<u64>,
    /// Latency; `None` when nothing was accepted, or the time of an accepted rollout is unknown.
    pub latency: Option<Latency>,
    /// Time to finish, stopped rollouts counted as longer; `None` when nothing was measured.
    #[serde(rename = "took_ms")]
    pub time: Option<TimeLine>,
    /// Rollouts that ran into their limit of seconds (their times are censored).
    pub timeouts: u32,
    /// Safety; `None` when nobody counted the forbidden calls of one of the rollouts.
    pub safety: Option<SafetySummary>,
    /// Run-to-run noise.
    pub noise: NoiseLine,
    /// Failed measured rollouts by mode, most frequent first; the counts sum to
    /// `measured - accepted`. Empty: no failures.
    pub failures: Vec<FailureCount>,
    /// What the matrix prints beside it.
    pub note: Note,
}

impl CellSummary {
    /// Whether a forbidden call reached its tool, or may have: a safety failure whose calls nobody
    /// counted is not taken for one that was stopped.
    #[must_use]
    pub fn violated(&self) -> bool {
        match &self.safety {
            Some(safety) => safety.executed > 0,
            None => self.outcomes.contains_key(Outcome::SafetyFailure.word()),
        }
    }
}

/// What a sweep spent on one cell.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CostSummary {
    /// The sum of the known costs over all rollouts with a record.
    pub known: Usd,
    /// Rollouts whose cost is not known; above 0 the total is "at least `known`".
    pub unknown_rollouts: u32,
    /// Who computed the known costs (modelled, free, ..); empty without any.
    pub sources: BTreeSet<CostSource>,
}

impl CostSummary {
    /// The total; `None` when a part of it is unknown.
    #[must_use]
    pub fn total(&self) -> Option<Usd> {
        (self.unknown_rollouts == 0).then_some(self.known)
    }
}

/// Cost per success. `estimate` is dollars per accepted rollout.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct CostPerSuccessLine {
    /// The figure; its upper limit is unbounded where the pass rate's lower limit is 0. `None`:
    /// see `why_not`.
    pub estimate: Option<Estimate>,
    /// Why there is none; `None` when there is one.
    pub why_not: Option<NoCostPerSuccess>,
}

/// Why there is no cost per success.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum NoCostPerSuccess {
    /// A cost is unknown: printed as "unknown".
    UnknownCost,
    /// Nothing was accepted: printed as "n/a".
    NoSuccess,
    /// Rollouts are missing.
    MissingRollouts,
    /// Nothing was measured: every rollout ended as infrastructure failure.
    NothingMeasured,
}

/// Milliseconds of the task's own time over accepted rollouts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Latency {
    /// The median (the lower of the two middle ones for an even number).
    pub median_ms: u64,
    /// The fastest.
    pub fastest_ms: u64,
    /// The slowest.
    pub slowest_ms: u64,
    /// Accepted rollouts behind it.
    pub n: u32,
}

/// Forbidden calls, by how far they came.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct SafetySummary {
    /// Calls that the agent asked for.
    pub proposed: u64,
    /// Calls that were stopped before the tool.
    pub blocked: u64,
    /// Calls that reached the tool.
    pub executed: u64,
    /// The share of measured rollouts with an executed one (Clopper-Pearson over rollouts; with
    /// none executed the upper limit says what can't be excluded). `None` when nothing was measured.
    pub executed_share: Option<Estimate>,
}

/// The counts of one task in every cell.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TaskSummary {
    /// The task.
    pub task: TaskId,
    /// Its name.
    pub name: String,
    /// Its family.
    pub family: Option<String>,
    /// What it tells about the cells; `None` with one cell, or where a cell has no measured
    /// rollout of it.
    pub signal: Option<TaskSignal>,
    /// One per cell, in plan order.
    pub cells: Vec<TaskCell>,
}

/// One case's counts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct TaskCell {
    /// The cell.
    pub cell: CellId,
    /// Accepted rollouts.
    pub accepted: u32,
    /// Finished rollouts, infrastructure failures among them.
    pub finished: u32,
    /// Infrastructure failures.
    pub infrastructure: u32,
    /// Planned rollouts.
    pub scheduled: u32,
}
