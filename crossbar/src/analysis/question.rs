//! What is asked: the cells, the tasks, the baseline, the margin; and the record it is asked of.

use super::{NamedInterval, TaskLook};
use crate::domain::{CellId, LookPlan, Price, ResultRow, RolloutKey, RunId, TaskId, Usd};
use serde::{Deserialize, Serialize};

/// Everything that the figures depend on besides the rollouts.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Question {
    /// The pack's name as the card prints it.
    pub pack_title: String,
    /// The cells in plan order; ids are unique.
    pub cells: Vec<CellInfo>,
    /// The tasks in plan order; ids are unique.
    pub tasks: Vec<TaskInfo>,
    /// Planned repeats of every case, at least 1.
    pub repeats: u32,
    /// The cell used today; `None` asks for a PICK by the quality bar.
    pub baseline: Option<CellId>,
    /// The loss of pass rate that is still acceptable.
    pub margin: Margin,
    /// The two-sided error of every interval and of every family of claims, within 0..=0.5.
    pub alpha: f64,
    /// The pass rate, 0..=1, that the winner's lower limit must clear; `None` = none was set.
    pub quality_bar: Option<f64>,
    /// How cautiously correlations are used (`stats.padding`).
    pub padding: CorrelationPadding,
    /// The k of pass@k and pass^k; `None` = not asked for.
    pub k: Option<u32>,
    /// The named interval to print beside ours (`stats.ci`); `None` = not asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ci: Option<NamedInterval>,
    /// The looks of an adaptive run; `None` = every cell has all repeats.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub looks: Option<LookPlan>,
    /// Which of several looks at a growing pack this is; `None` = the only one. See
    /// [`at_task_looks`](Self::at_task_looks).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub task_look: Option<TaskLook>,
    /// The run whose recorded answers were played; `None` = models were asked. What is played says
    /// nothing about them, so nothing is concluded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub replay_of: Option<RunId>,
}

impl Question {
    /// A question of no cell and no task yet: no baseline, a declared margin of 0.05, alpha 0.05, and
    /// nothing asked for besides.
    #[must_use]
    pub fn new(pack_title: &str, repeats: u32) -> Self {
        Self {
            pack_title: pack_title.to_owned(),
            cells: Vec::new(),
            tasks: Vec::new(),
            repeats,
            baseline: None,
            margin: Margin {
                value: 0.05,
                declared: true,
            },
            alpha: 0.05,
            quality_bar: None,
            padding: CorrelationPadding::Normal,
            k: None,
            ci: None,
            looks: None,
            task_look: None,
            replay_of: None,
        }
    }
}

/// The non-inferiority margin.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Margin {
    /// A fraction within 0..1 (0.05 = five points).
    pub value: f64,
    /// Whether a person wrote it; if not, the card says "default" and EXPLORATORY.
    pub declared: bool,
}

/// `stats.padding` of the roster.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CorrelationPadding {
    /// Weight z^2/16.
    Normal,
    /// Weight z^2/8: wider, and safer where tasks exist that no cell ever solves.
    Strict,
}

/// One cell as it was planned.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CellInfo {
    /// Model and harness.
    pub id: CellId,
    /// The configuration's fingerprint.
    pub fingerprint: String,
    /// Whether its provider exists only to exercise crossbar.
    pub pretend: bool,
    /// The model as a report names it.
    pub model_label: String,
    /// The name that the provider is asked for.
    pub requested_model: String,
    /// How the model is paid for.
    pub price: Price,
    /// The harness kind.
    pub harness: String,
    /// `params.temperature`, where the roster sets it.
    pub temperature: Option<f64>,
}

/// One task as it was planned.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TaskInfo {
    /// Pack and task.
    pub id: TaskId,
    /// Its name for people.
    pub name: String,
    /// The family it belongs to; families are the unit once every task declares one.
    pub family: Option<String>,
    /// Its weight in \[tasks like these\], above 0; 1 unless said.
    pub weight: f64,
    /// The fingerprint of everything that makes the task.
    pub fingerprint: String,
    /// Kept for comparison over time: never advised to be pruned.
    pub anchor: bool,
    /// The pass rate, in (0, 1], under which each of its cases is red; `None` = none was declared.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub min_pass_rate: Option<f64>,
}

/// What a sweep left behind.
#[derive(Debug, Clone, Copy)]
pub struct Record<'a> {
    /// Every key that the plan scheduled.
    pub planned: &'a [RolloutKey],
    /// The results of one terminal record per key at most, in any order.
    pub rows: &'a [ResultRow],
    /// Attempts that may have been paid for and whose end nobody knows.
    pub unknown: &'a [UnknownAttempt],
}

/// An attempt that may have been paid for before a crash.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct UnknownAttempt {
    /// Its place in the matrix.
    pub key: RolloutKey,
    /// The money held for it; `None` when its worst case was not known.
    pub held: Option<Usd>,
}
