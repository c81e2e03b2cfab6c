//! The one data set that every output of a run is made from, and what its hash covers.

use super::ReportError;
use crate::analysis::{Analysis, ControlLine, GateAnswer, Question, SelfTest, UnknownAttempt};
use crate::domain::{
    BudgetStatus, CachePolicy, CellId, Cost, GateRules, Machine, Price, ResultRow, Rollout,
    RolloutKey, RunId, Score, ServerPlace, TaskId, UnmetTasks,
};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// Where the whole records of a run come from. They are handed out one at a time: together they
/// are far larger than all that is made of them.
pub trait Records {
    /// The record of a rollout that has a row.
    ///
    /// # Errors
    /// `ReportError::Record` when there is none, or it can't be read.
    fn record(&self, key: &RolloutKey) -> Result<Rollout, ReportError>;
}

/// The frozen data set of one run. All outputs are functions of it, so their figures agree.
#[derive(Clone)]
pub struct Frozen<'a> {
    /// The run.
    pub run_id: RunId,
    /// The hash of every [`narrow_row`], in order; every output prints it.
    pub dataset_hash: String,
    /// What was asked.
    pub question: &'a Question,
    /// The answer.
    pub analysis: &'a Analysis,
    /// What the gate says; `None` without a gate.
    pub gate: Option<&'a GateAnswer>,
    /// What its one cell shows against itself; `None` for any other run.
    pub aa: Option<&'a SelfTest>,
    /// The results of every terminal record, sorted by key.
    pub rows: &'a [ResultRow],
    /// The whole records behind the rows.
    pub records: &'a dyn Records,
    /// Attempts that may have been paid for and whose end nobody knows.
    pub unknown: &'a [UnknownAttempt],
    /// The controls, which are in no figure.
    pub controls: &'a [ControlLine],
    /// What surrounds the figures.
    pub meta: Meta,
}

/// What surrounds the figures: versions, configuration, money. Nothing here changes a figure.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Meta {
    /// crossbar's version.
    pub crossbar: String,
    /// When and where the run was made.
    pub made: Made,
    /// The hash of every task that was measured.
    pub suite_fingerprint: String,
    /// The sweep's seed.
    pub seed: u64,
    /// The budget's state at the end; `None` when no budget was set.
    pub budget: Option<BudgetStatus>,
    /// One per cell, in plan order.
    pub cells: Vec<CellMeta>,
    /// Where the servers of tasks ran, by name, as far as tasks declare them.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub servers: BTreeMap<String, BTreeSet<ServerPlace>>,
    /// What the roster declared of prompt caches; `None` = nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cache: Option<CachePolicy>,
    /// The tasks that can't run yet, which no figure knows of.
    #[serde(default, skip_serializing_if = "UnmetTasks::is_empty")]
    pub unmet: UnmetTasks,
    /// Where tasks are written, as far as that is known.
    #[serde(default)]
    pub places: BTreeMap<TaskId, TaskPlace>,
    /// The rules of the gate that the run was begun with; `None` without a gate.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gate: Option<GateRules>,
}

/// Where a task is written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TaskPlace {
    /// The file, as the run was given it.
    pub path: String,
    /// The line, from 1.
    pub line: u32,
}

/// When and where a run was made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Made {
    /// When it was begun, RFC 3339 UTC.
    pub created_at: String,
    /// Every machine that had a part in it, with its rollouts at a time; in a stable order.
    pub machines: BTreeSet<Machine>,
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

/// The fields of a rollout that a second run with the same seed repeats: key, outcome, score
/// parts, failure mode, tokens, cost, forbidden calls. No time, no text. The hash of the list of
/// them, in key order, is the data-set hash.
#[must_use]
pub fn narrow_row(row: &ResultRow) -> Value {
    json!({
        "cell": row.key.cell,
        "task": row.key.task,
        "repeat": row.key.repeat,
        "outcome": row.outcome.word(),
        "passed": row.outcome.is_accepted(),
        "score": row.score.map(score_parts),
        "failure_mode": row.failure_mode,
        "usage": row.usage,
        "cost_micros": cost_micros(&row.cost),
        "forbidden": row.forbidden,
    })
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
