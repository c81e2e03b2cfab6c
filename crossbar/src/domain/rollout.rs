//! One attempt at one case, as it is stored: the record that every report is made from.

use super::{
    CheckOutcome, Evidence, FailureMode, Limits, Outcome, RolloutKey, Score, Trajectory, Usage, Usd,
};
use serde::{Deserialize, Serialize};

/// The record of one rollout.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Rollout {
    /// Cell, task and repeat.
    pub key: RolloutKey,
    /// The attempt, counted from 1; above 1 only after a crash or an infrastructure failure.
    pub attempt: u32,
    /// How it ended.
    pub outcome: Outcome,
    /// The score's parts; `None` where nothing was measured.
    pub score: Option<Score>,
    /// The failure's kind; `None` for an accepted or unmeasured rollout.
    pub failure_mode: Option<FailureMode>,
    /// What each check said.
    pub checks: Vec<CheckOutcome>,
    /// What the agent did.
    pub trajectory: Trajectory,
    /// What was observed afterwards.
    pub evidence: Evidence,
    /// Tokens; `None` when unknown.
    pub usage: Option<Usage>,
    /// Money.
    pub cost: Cost,
    /// Forbidden calls: proposed, blocked, executed.
    pub forbidden: ForbiddenCalls,
    /// The ceilings that applied.
    pub limits: Limits,
    /// Where it stood in the sweep's order.
    pub schedule: Schedule,
    /// The stages that it went through, with their times.
    pub stages: Vec<StageTime>,
    /// When it began, RFC 3339 UTC with milliseconds.
    pub started_at: String,
    /// Milliseconds of the task's own time: without server starts and waits for limits.
    pub worked_ms: u64,
    /// The version of the rules that judged it.
    pub evaluator: String,
}

/// What a rollout cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Cost {
    /// Known, with its source.
    Known {
        /// The amount.
        amount: Usd,
        /// Who computed it.
        source: CostSource,
    },
    /// Not known: a price or a usage is missing. Never zero.
    Unknown,
}

impl Cost {
    /// The amount, where known.
    #[must_use]
    pub fn amount(&self) -> Option<Usd> {
        match self {
            Self::Known { amount, .. } => Some(*amount),
            Self::Unknown => None,
        }
    }
}

/// Who computed a cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum CostSource {
    /// crossbar: the provider's tokens times the roster's price.
    Modelled,
    /// The roster says that the model is free.
    Free,
    /// Another tool, whose results were imported.
    Reported,
    /// The program that drove the model, at a price that it knows.
    Agent,
}

/// Forbidden calls, by how far they came.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct ForbiddenCalls {
    /// The agent asked for them.
    pub proposed: u32,
    /// Stopped before the tool.
    pub blocked: u32,
    /// Reached the tool.
    pub executed: u32,
}

/// Where a rollout stood in the sweep's order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Schedule {
    /// The planned position in the whole sweep, from 0.
    pub position: u32,
    /// The rollout's own seed.
    pub seed: u64,
}

/// A stage of a rollout.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stage {
    /// What it runs with is put together: provider, harness, limits.
    Validate,
    /// Workspace made, servers started.
    Provision,
    /// The agent at work.
    Execute,
    /// The state observed.
    Collect,
    /// Checks judged, score made.
    Evaluate,
    /// The record made, its secrets masked.
    Report,
}

/// A stage with its time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct StageTime {
    /// Which.
    pub stage: Stage,
    /// Milliseconds; named as a step's own time is, so that readers mask one name.
    #[serde(rename = "took_ms")]
    pub ms: u64,
}
