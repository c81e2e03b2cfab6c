//! The one data set that every output of a run is made from, and the rows that its hash covers.

use crate::analysis::{Analysis, GateAnswer, Question, SelfTest, UnknownAttempt};
use crate::domain::{BudgetStatus, CellId, Cost, Price, Rollout, RunId, Score, TaskId};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// The frozen data set of one run. All outputs are functions of it, so their figures agree.
#[derive(Debug, Clone)]
pub struct Frozen<'a> {
    /// The run.
    pub run_id: RunId,
    /// The hash of [`narrow_rows`]; every output prints it.
    pub dataset_hash: String,
    /// What was asked.
    pub question: &'a Question,
    /// The answer.
    pub analysis: &'a Analysis,
    /// What the gate says; `None` without a gate.
    pub gate: Option<&'a GateAnswer>,
    /// What its one cell shows against itself; `None` for any other run.
    pub aa: Option<&'a SelfTest>,
    /// Every terminal record, sorted by key.
    pub rollouts: &'a [Rollout],
    /// Attempts that may have been paid for and whose end nobody knows.
    pub unknown: &'a [UnknownAttempt],
    /// What surrounds the figures.
    pub meta: Meta,
}

/// What surrounds the figures: versions, configuration, money. Nothing here changes a figure.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Meta {
    /// crossbar's version.
    pub crossbar: String,
    /// When the run was made, RFC 3339 UTC.
    pub created_at: String,
    /// The operating system and the processor, for example `linux x86_64`.
    pub system: String,
    /// The hash of every task that was measured.
    pub suite_fingerprint: String,
    /// The sweep's seed.
    pub seed: u64,
    /// The budget's state at the end; `None` when no budget was set.
    pub budget: Option<BudgetStatus>,
    /// One per cell, in plan order.
    pub cells: Vec<CellMeta>,
    /// Where tasks are written, as far as that is known.
    #[serde(default)]
    pub places: BTreeMap<TaskId, TaskPlace>,
}

/// Where a task is written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TaskPlace {
    /// The file, as the run was given it.
    pub path: String,
    /// The line, from 1.
    pub line: u32,
}

/// What surrounds one cell.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CellMeta {
    /// The cell.
    pub cell: CellId,
    /// The agent that drove it, with its version, for example `react (crossbar 0.1.0)`.
    pub agent: String,
    /// The frozen configuration that the cell's fingerprint hashes.
    pub configuration: Value,
}

impl Frozen<'_> {
    /// How a cell's model is paid for; `None` for a cell outside the question.
    pub(super) fn price(&self, cell: &CellId) -> Option<&Price> {
        let info = self.question.cells.iter().find(|info| &info.id == cell)?;
        Some(&info.price)
    }
}

/// The fields of each rollout that a second run with the same seed repeats: key, outcome, score
/// parts, failure mode, tokens, cost, forbidden calls. No time, no text. Rows keep the order of
/// `rollouts`; hash them with `fingerprint::of_value` over an array to get the data-set hash.
#[must_use]
pub fn narrow_rows(rollouts: &[Rollout]) -> Vec<Value> {
    let row = |rollout: &Rollout| {
        json!({
            "cell": rollout.key.cell,
            "task": rollout.key.task,
            "repeat": rollout.key.repeat,
            "outcome": rollout.outcome.word(),
            "passed": rollout.outcome.is_accepted(),
            "score": rollout.score.map(score_parts),
            "failure_mode": rollout.failure_mode,
            "usage": rollout.usage,
            "cost_micros": cost_micros(&rollout.cost),
            "forbidden": rollout.forbidden,
        })
    };
    rollouts.iter().map(row).collect()
}

/// Nine decimals as text: a float that went through JSON may differ in its last bit, and the hash
/// must not.
fn score_parts(score: Score) -> [String; 3] {
    [score.security, score.completion, score.process].map(|part| format!("{part:.9}"))
}

/// Micro-dollars; `None` when the cost is not known.
pub(super) fn cost_micros(cost: &Cost) -> Option<i64> {
    cost.amount().map(crate::domain::Usd::micros)
}
