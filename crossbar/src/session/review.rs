//! Looking at a run before accepting it: every task beside its reference, and what would happen.

use super::accept::{AcceptOptions, because};
use super::references::read;
use super::{Concluded, SessionError};
use crate::analysis::{ChangeKind, GateWord, Proposal, TaskChange, changes, task_difference};
use crate::domain::CellId;
use crate::report::{ReviewLine, Styles, review};
use std::collections::BTreeMap;
use std::path::Path;

impl Concluded {
    /// The review of the cells that accepting this run would change, as text.
    ///
    /// # Errors
    /// `SessionError` when a reference can't be read, a cell is not there, or a figure can't be
    /// computed.
    pub fn review(
        &self,
        folder: &Path,
        cells: &[String],
        styles: Styles,
    ) -> Result<String, SessionError> {
        let options = AcceptOptions {
            cells: cells.to_vec(),
            ..AcceptOptions::default()
        };
        let cells = self.accepted_cells(folder, &options)?;
        let texts: Result<Vec<String>, _> = cells
            .iter()
            .map(|cell| self.review_cell(folder, cell, styles))
            .collect();
        Ok(texts?.join("\n"))
    }

    fn review_cell(
        &self,
        folder: &Path,
        cell: &CellId,
        styles: Styles,
    ) -> Result<String, SessionError> {
        let old = read(folder, cell, &self.held_packs(folder)?)?;
        let answer = self.against(cell, old.clone())?;
        let proposal = Proposal {
            old: &old,
            new: &self.records(cell),
            word: answer.word,
            drops: &BTreeMap::new(),
        };
        let line = |change: TaskChange| self.review_line(answer.word, change);
        let lines: Result<Vec<ReviewLine>, SessionError> =
            changes(&proposal).into_iter().map(line).collect();
        Ok(review(&answer, &lines?, styles))
    }

    fn review_line(&self, word: GateWord, change: TaskChange) -> Result<ReviewLine, SessionError> {
        let alpha = self.asked.question.alpha;
        let difference = change
            .old
            .as_ref()
            .zip(change.new.as_ref())
            .map(|(old, new)| task_difference(old, new, alpha))
            .transpose()
            .map_err(|error| SessionError::new(format!("{}: {error}", change.task)))?;
        let accepting = match change.kind {
            ChangeKind::New => "accepting adds it",
            ChangeKind::Same => "this run is in it already",
            ChangeKind::Removed => "accepting removes it: the task is gone",
            ChangeKind::Pooled if word == GateWord::Regression => {
                "a drop is shown: accepting needs --regression and --reason"
            }
            ChangeKind::Pooled => "accepting pools both: the difference is not decided",
            ChangeKind::Replaced(why) => because(why),
        };
        Ok(ReviewLine {
            task: change.task,
            then: change.old,
            now: change.new,
            difference,
            accepting,
        })
    }
}
