//! A cell against itself (A/A): how often a gate is red for no reason, and what it could see.
//!
//! The cell runs twice as often as asked, its odd repeats are held against its even ones. Repeats
//! are blocks in time and interleaved, so both halves met the same minutes.

use super::gate::Held;
use super::gate_judge::drops;
use super::gate_pairs::halves;
use super::{Against, Analysis, AnalysisError, GateAnswer, Question, Scope, StoredReferences};
use crate::domain::{GateReference, GateRules, ResultRow, TaskId};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What a cell shows against itself.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SelfTest {
    /// The even repeats held against the odd ones, over exactly these tasks.
    pub answer: GateAnswer,
    /// Tasks with both passes and failures.
    pub disagreed: u32,
    /// Tasks.
    pub of: u32,
}

/// Passes and rollouts of one half of a task's repeats.
pub(super) type Half = (u32, u32);

/// Holds the even repeats of a run of one cell against its odd ones; `None` for a run of more
/// cells, or one that is not complete.
///
/// # Errors
/// `AnalysisError` when a half of some task has fewer than two rollouts.
pub fn against_itself<'r>(
    question: &Question,
    analysis: &Analysis,
    rollouts: impl Iterator<Item = &'r ResultRow>,
) -> Result<Option<SelfTest>, AnalysisError> {
    let [cell] = question.cells.as_slice() else {
        return Ok(None);
    };
    if !analysis.completeness.missing.is_empty() || analysis.completeness.infrastructure > 0 {
        return Ok(None);
    }
    let mut tasks: BTreeMap<&TaskId, (Half, Half)> = BTreeMap::new();
    for rollout in rollouts {
        let (odd, even) = tasks.entry(&rollout.key.task).or_default();
        let half = if rollout.key.repeat % 2 == 1 {
            odd
        } else {
            even
        };
        half.0 += u32::from(rollout.outcome.is_accepted());
        half.1 += 1;
    }
    let rules = GateRules {
        cell: Some(cell.id.clone()),
        reference: GateReference::Concurrent,
        allow_mock: true,
        ..GateRules::regression()
    };
    let stored = StoredReferences::default();
    let held = Held {
        rules: &rules,
        question,
        analysis,
        stored: &stored,
        watched: None,
    };
    let pairing = halves(&held, (&cell.id, Against::Itself), &tasks);
    let cells = drops(&held, vec![pairing])?;
    let disagreed = tasks.values().filter(|(odd, even)| {
        let (passes, runs) = (odd.0 + even.0, odd.1 + even.1);
        passes > 0 && passes < runs
    });
    let disagreed = disagreed.count() as u32;
    Ok(cells.first().map(|first| first.word).map(|word| SelfTest {
        answer: GateAnswer {
            mode: rules.mode,
            scope: Scope::TheseTasks,
            reference: rules.reference,
            alpha: question.alpha,
            noise_threshold: rules.noise_threshold,
            margin: question.margin,
            sentinel: None,
            elsewhere: Vec::new(),
            second_look: None,
            base: None,
            word,
            cells,
        },
        disagreed,
        of: tasks.len() as u32,
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::GateWord;
    use crate::analysis::fixture::Sweep;

    fn test(passes: &[u32]) -> SelfTest {
        let sweep = Sweep::new(passes.len(), 6).cell("a+b", 1, passes);
        let analysis = sweep.analyze();
        let found = against_itself(&sweep.question, &analysis, rows(&sweep).iter()).unwrap();
        found.unwrap()
    }

    #[test]
    fn both_halves_count_every_rollout_once() {
        let found = test(&[6, 3, 0, 6]);
        assert_eq!((found.disagreed, found.of), (1, 4));
        assert_eq!(found.answer.word, GateWord::NoRegressionShown);
        let cell = &found.answer.cells[0];
        assert_eq!(cell.tasks.moved[0].then.1, 3);
        assert!(cell.smallest_drop.unwrap() > 0.0);
    }

    #[test]
    fn two_cells_are_no_test_of_one() {
        let sweep = Sweep::new(2, 4).flat("a+b", 1, 2).flat("c+d", 1, 2);
        let found = against_itself(&sweep.question, &sweep.analyze(), rows(&sweep).iter());
        assert_eq!(found.unwrap(), None);
    }

    fn rows(sweep: &Sweep) -> Vec<ResultRow> {
        sweep.rollouts.iter().map(ResultRow::of).collect()
    }
}
