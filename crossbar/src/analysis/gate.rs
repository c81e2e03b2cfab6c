//! The gate: whether a run may pass, decided from the analysis and the accepted references.
//!
//! Pure: the day that a reference's age is counted to is the run's own, so the same record and
//! the same reference files always give the same word.

use super::gate_judge::{drops, margin};
use super::gate_pairs::{Pairing, Unpaired, concurrent, stored};
use super::gate_sentinel::{Watched, doubted, sentinel};
use super::{
    Analysis, AnalysisError, GateAnswer, GateWord, HeldCell, NotComparable, PairedTasks, Question,
    Scope, Status,
};
use crate::domain::{CellId, GateMode, GateReference, GateRules, GateScope, Reference};
use std::collections::BTreeMap;

/// What a gate is asked.
#[derive(Debug, Clone, Copy)]
pub struct Held<'a> {
    /// The rules that the run was begun with.
    pub rules: &'a GateRules,
    /// What was asked of the run.
    pub question: &'a Question,
    /// What came of it.
    pub analysis: &'a Analysis,
    /// The accepted references, and what they are compared by.
    pub stored: &'a StoredReferences,
    /// The sentinel's rollouts; `None` where the run has none.
    pub watched: Option<Watched<'a>>,
}

/// Accepted references with what the analysis alone does not know of the run.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct StoredReferences {
    /// The records of each cell, over all packs.
    pub records: BTreeMap<CellId, Vec<Reference>>,
    /// The agent of each cell of the run, with its version.
    pub agents: BTreeMap<CellId, String>,
    /// The day of the run, `YYYY-MM-DD`.
    pub day: String,
}

/// Answers a gate.
///
/// # Errors
/// `AnalysisError` when a statistic refuses its input.
pub fn hold(held: &Held<'_>) -> Result<GateAnswer, AnalysisError> {
    let seen = &held.analysis.completeness;
    let sentinel = sentinel(held)?;
    let unseen = |one: &HeldCell| one.word == GateWord::Incomplete;
    let whole = seen.status == Status::Complete && seen.infrastructure == 0;
    let mut cells = if whole && !sentinel.as_ref().is_some_and(unseen) {
        judged(held)?
    } else {
        Vec::new()
    };
    if matches!(held.rules.reference, GateReference::Sentinel { .. }) {
        doubted(&mut cells, sentinel.as_ref());
    }
    let gravest = cells.iter().map(|cell| cell.word).max();
    Ok(GateAnswer {
        mode: held.rules.mode,
        scope: match held.rules.scope {
            GateScope::These => Scope::TheseTasks,
            GateScope::Like => Scope::TasksLikeThese,
        },
        reference: held.rules.reference,
        alpha: held.question.alpha,
        noise_threshold: held.rules.noise_threshold,
        margin: held.question.margin,
        base: None,
        sentinel,
        elsewhere: Vec::new(),
        second_look: None,
        word: gravest.unwrap_or(GateWord::Incomplete),
        cells,
    })
}

fn judged(held: &Held<'_>) -> Result<Vec<HeldCell>, AnalysisError> {
    let cells: Vec<&CellId> = match &held.rules.cell {
        Some(cell) => vec![cell],
        None => held.analysis.cells.iter().map(|cell| &cell.id).collect(),
    };
    let (mut pairings, mut places, mut answers) = (Vec::new(), Vec::new(), Vec::new());
    for (place, cell) in cells.into_iter().enumerate() {
        match paired(held, cell) {
            Ok(pairing) => {
                pairings.push(pairing);
                places.push(place);
            }
            Err(unpaired) => answers.push((place, without(cell, unpaired))),
        }
    }
    let judged = match held.rules.mode {
        GateMode::Noninferiority => pairings.into_iter().map(|one| margin(held, one)).collect(),
        GateMode::Regression => drops(held, pairings)?,
    };
    answers.extend(places.into_iter().zip(judged));
    answers.sort_by_key(|(place, _)| *place);
    let forbidden = |mut cell: HeldCell| {
        if held.rules.forbid_removed && !cell.tasks.removed.is_empty() {
            cell.word = cell.word.max(GateWord::TasksRemoved);
        }
        cell
    };
    Ok(answers
        .into_iter()
        .map(|(_, cell)| forbidden(cell))
        .collect())
}

/// What a cell is compared over, or why it is not compared.
fn paired<'a>(held: &Held<'a>, cell: &'a CellId) -> Result<Pairing<'a>, Unpaired> {
    if let Some(run) = &held.question.replay_of {
        let why = NotComparable::Replayed { run: run.clone() };
        return Err(Unpaired::refused(why, PairedTasks::default()));
    }
    let pairing = match held.rules.reference {
        GateReference::Concurrent => concurrent(held, cell)?,
        GateReference::Stored | GateReference::Sentinel { .. } => stored(held, cell)?,
    };
    let one_repeat = || {
        pairing
            .now
            .runs
            .iter()
            .chain(&pairing.then.runs)
            .any(|runs| *runs < 2)
    };
    let why = if held.rules.scope == GateScope::These && one_repeat() {
        NotComparable::OneRepeat
    } else if held.rules.scope == GateScope::Like && pairing.units() < 2 {
        NotComparable::TooFewTasks
    } else {
        return Ok(pairing);
    };
    // Nothing was compared, so no task is said to have moved.
    let tasks = PairedTasks {
        paired: 0,
        moved: Vec::new(),
        ..pairing.tasks
    };
    Err(Unpaired::refused(why, tasks))
}

/// A held cell without a comparison.
fn without(cell: &CellId, unpaired: Unpaired) -> HeldCell {
    let (word, why, tasks) = match unpaired {
        Unpaired::NoReference => (GateWord::NoReference, None, PairedTasks::default()),
        Unpaired::Refused(refused) => (GateWord::NotComparable, Some(refused.0), refused.1),
    };
    HeldCell {
        why,
        tasks,
        ..HeldCell::without(cell.clone(), word)
    }
}

#[cfg(test)]
mod tests;
