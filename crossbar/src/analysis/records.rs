//! What a run's rollouts come to as references: one record per task, in whole numbers, so that a
//! file read and written again is the same, byte for byte.

use super::CellSummary;
use crate::domain::{Cost, Reference, ResultRow, TaskId};
use std::collections::{BTreeMap, BTreeSet};

/// What surrounds the records of one cell.
#[derive(Debug, Clone, Copy)]
pub struct RecordOf<'a> {
    /// The cell as the run measured it.
    pub cell: &'a CellSummary,
    /// Its agent with its version.
    pub agent: &'a str,
    /// The fingerprint of every task.
    pub task_fps: &'a BTreeMap<&'a TaskId, &'a str>,
    /// Eight hex digits of the run.
    pub run: &'a str,
}

/// The records of one cell, by task; rollouts of other cells are passed over.
#[must_use]
pub fn records<'r>(
    of: &RecordOf<'_>,
    rollouts: impl Iterator<Item = &'r ResultRow>,
) -> Vec<Reference> {
    let mut found: BTreeMap<TaskId, Reference> = BTreeMap::new();
    for rollout in rollouts.filter(|rollout| rollout.key.cell == of.cell.id) {
        let one = record(of, rollout);
        match found.get_mut(&one.task) {
            Some(sum) => {
                let answered = one.answered.union(&sum.answered).cloned().collect();
                *sum = sum.pooled(&one);
                sum.answered = answered;
            }
            None => drop(found.insert(one.task.clone(), one)),
        }
    }
    found.into_values().collect()
}

fn record(of: &RecordOf<'_>, rollout: &ResultRow) -> Reference {
    let score = rollout.score.map_or(0.0, |score| score.total());
    let micros = match &rollout.cost {
        Cost::Known { amount, .. } => u64::try_from(amount.micros()).ok(),
        Cost::Unknown => None,
    };
    let answered: BTreeSet<String> = rollout
        .answered_models
        .iter()
        .map(|model| String::from(&**model))
        .collect();
    let fingerprint = of.task_fps.get(&rollout.key.task).copied();
    let day = rollout.started_at.as_deref();
    Reference {
        task: rollout.key.task.clone(),
        task_fp: fingerprint.unwrap_or_default().to_owned(),
        cell_fp: of.cell.fingerprint.clone(),
        n: 1,
        pass: u32::from(rollout.outcome.is_accepted()),
        score_e6: (score * 1e6).round() as u64,
        score_sq_e6: (score * score * 1e6).round() as u64,
        usd_e6: micros,
        usd_sq_e12: micros.and_then(|micros| micros.checked_mul(micros)),
        ended: BTreeMap::from([(rollout.outcome.word().to_owned(), 1)]),
        requested: of.cell.requested_model.clone(),
        answered,
        agent: of.agent.to_owned(),
        day: day
            .and_then(|time| time.get(..10))
            .unwrap_or_default()
            .to_owned(),
        run: of.run.to_owned(),
        accepted_drop: None,
    }
}
