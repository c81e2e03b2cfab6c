//! The sentinel of a gate over accepted records: a cell whose configuration stands still, held
//! against its own record on a few tasks. Where it has moved, so may the others have, and nobody
//! knows what moved them.

use super::gate::{Held, hold};
use super::{
    Against, Analysis, AnalysisError, GateWord, HeldCell, NotComparable, Question, StoredReferences,
};
use crate::domain::{GateRules, GateScope};

/// The sentinel's rollouts, asked and analysed by themselves.
#[derive(Debug, Clone, Copy)]
pub struct Watched<'a> {
    /// What was asked: one cell, the sentinel's tasks.
    pub question: &'a Question,
    /// What came of it.
    pub analysis: &'a Analysis,
}

/// How the sentinel stands against its own record: REGRESSION and IMPROVEMENT are a drift, shown in
/// either direction at half of alpha each, over exactly its tasks. `None` where the run has no
/// sentinel.
///
/// # Errors
/// `AnalysisError` when a statistic refuses its input.
pub(super) fn sentinel(held: &Held<'_>) -> Result<Option<HeldCell>, AnalysisError> {
    let Some(watched) = held.watched else {
        return Ok(None);
    };
    let Some(info) = watched.question.cells.first() else {
        return Ok(None);
    };
    let rules = GateRules {
        scope: GateScope::These,
        cell: Some(info.id.clone()),
        allow_mock: held.rules.allow_mock,
        ..GateRules::of_records(Some(held.rules))
    };
    let question = Question {
        alpha: watched.question.alpha / 2.0,
        ..watched.question.clone()
    };
    let stored = on_these_tasks(held.stored, watched.question);
    let answer = hold(&Held {
        rules: &rules,
        question: &question,
        analysis: watched.analysis,
        stored: &stored,
        watched: None,
    })?;
    let cell = answer.cells.into_iter().next();
    let mut cell = cell.unwrap_or_else(|| HeldCell::without(info.id.clone(), answer.word));
    if let Some(Against::Record { changed_from, .. }) = &cell.against
        && let Some(then) = changed_from.first()
    {
        cell.why = Some(NotComparable::Moved {
            then: then.clone(),
            now: info.fingerprint.clone(),
        });
        cell.word = GateWord::NotComparable;
    }
    Ok(Some(cell))
}

/// The records of the sentinel's tasks alone: it was never to run the others.
fn on_these_tasks(stored: &StoredReferences, question: &Question) -> StoredReferences {
    let mut stored = stored.clone();
    for records in stored.records.values_mut() {
        records.retain(|one| question.tasks.iter().any(|task| task.id == one.task));
    }
    stored
}

/// Takes back what a comparison with accepted records says, unless the sentinel was looked at and
/// has not moved.
pub(super) fn doubted(cells: &mut [HeldCell], sentinel: Option<&HeldCell>) {
    let stands = sentinel.is_some_and(|one| one.word == GateWord::NoRegressionShown);
    let compared = |cell: &&mut HeldCell| {
        matches!(
            cell.word,
            GateWord::Regression | GateWord::Improvement | GateWord::NoRegressionShown
        )
    };
    if stands {
        return;
    }
    for cell in cells.iter_mut().filter(compared) {
        cell.word = GateWord::NotComparable;
        cell.why = Some(NotComparable::Sentinel {
            cell: sentinel.map(|one| one.cell.clone()),
        });
    }
}

#[cfg(test)]
mod tests;
