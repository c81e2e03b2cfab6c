//! The sentinel of a gate (`gate.reference: sentinel:N`): the baseline, whose configuration stands
//! still, runs N tasks of its accepted reference again. What it shows tells a provider that moved
//! from an agent that did.

use super::stored::Asked;
use super::{Loaded, RunOptions, SessionError, locate, references};
use crate::analysis::{Analysis, Question, Record, UnknownAttempt, Watched, analyze};
use crate::domain::{GateReference, ResultRow, RolloutKey, Sentinel};
use crate::fingerprint::seed_of;
use crate::sweep::{CellEntry, TaskEntry};
use serde_json::{Value, json};

/// The cases of the sentinel, drawn by the run's seed from the baseline's accepted records: over all
/// packs of the project, or over its own where the run stands alone. `None` without such a gate, and
/// where the baseline is not in the run or has no reference: then it runs in full, so that it can be
/// accepted.
///
/// # Errors
/// `SessionError` when a reference can't be read: before anything is paid.
pub(super) fn chosen(
    loaded: &Loaded,
    options: &RunOptions,
    cells: &[CellEntry],
    seed: u64,
) -> Result<Option<Sentinel>, SessionError> {
    let rules = loaded.roster.gate.rules.as_ref().filter(|_| !options.aa);
    let Some(GateReference::Sentinel { tasks }) = rules.map(|rules| rules.reference) else {
        return Ok(None);
    };
    let baseline = loaded.roster.run.baseline.as_ref();
    let Some(cell) = baseline.filter(|id| cells.iter().any(|cell| cell.id == **id)) else {
        return Ok(None);
    };
    let folder = locate::references_dir(&loaded.root);
    let mut packs = references::packs(&folder)?;
    packs.retain(|pack| !options.alone || loaded.pack_names.contains_key(pack));
    let records = references::read(&folder, cell, &packs)?;
    let mut ids: Vec<_> = records.into_iter().map(|record| record.task).collect();
    let is_unmet = |task: &TaskEntry| !task.task.unmet.is_empty();
    ids.retain(|id| !loaded.tasks.get(id).is_some_and(|task| is_unmet(task)));
    ids.sort_by_cached_key(|id| seed_of(seed, &["sentinel", &id.to_string()]));
    ids.truncate(tasks as usize);
    Ok((!ids.is_empty()).then(|| Sentinel {
        cell: cell.clone(),
        tasks: ids.into_iter().collect(),
    }))
}

/// Writes the sentinel into the settings of a run, which has no baseline then: a cell with a few
/// tasks is none to compare the others with.
pub(super) fn put(settings: &mut Value, sentinel: Option<&Sentinel>) {
    if let (Some(sentinel), Some(fields)) = (sentinel, settings.as_object_mut()) {
        fields.insert("sentinel".to_owned(), json!(sentinel));
        fields.insert("baseline".to_owned(), Value::Null);
    }
}

/// A sentinel's rollouts, analysed by themselves: they are in no figure of the run's cells.
pub(super) struct Watch {
    question: Question,
    analysis: Analysis,
    pub(super) rows: Vec<ResultRow>,
}

impl Watch {
    /// Analyses them.
    ///
    /// # Errors
    /// `SessionError` when a statistic refuses them.
    pub(super) fn over(
        question: Question,
        rows: Vec<ResultRow>,
        unknown: &[UnknownAttempt],
    ) -> Result<Self, SessionError> {
        let planned = super::stored::matrix(&question);
        let record = Record {
            planned: &planned,
            rows: &rows,
            unknown,
        };
        let analysis = analyze(&question, record).map_err(|error| {
            SessionError::new(format!("the sentinel can't be analysed: {error}"))
        })?;
        Ok(Self {
            question,
            analysis,
            rows,
        })
    }

    /// As the gate sees it.
    pub(super) fn seen(&self) -> Watched<'_> {
        Watched {
            question: &self.question,
            analysis: &self.analysis,
        }
    }

    /// Whether every rollout was measured.
    pub(super) fn is_measured(&self) -> bool {
        let seen = &self.analysis.completeness;
        seen.missing.is_empty() && seen.infrastructure == 0
    }
}

impl Asked {
    /// Whether a rollout is the sentinel's.
    pub(super) fn watches(&self, key: &RolloutKey) -> bool {
        let question = self.sentinel.as_ref();
        question.is_some_and(|one| one.cells.iter().any(|cell| cell.id == key.cell))
    }
}
