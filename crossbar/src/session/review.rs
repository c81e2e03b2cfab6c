//! Looking at a run before accepting it: every task beside its reference, and what would happen.

use super::accept_cell::because;
use super::glob::matches;
use super::references::read;
use super::{Concluded, ReferencePlaces, SessionError};
use crate::analysis::{
    ChangeKind, GateAnswer, GateWord, Proposal, TaskChange, changes, task_difference,
};
use crate::domain::{CellId, Reference, TaskId};
use crate::report::{ReviewLine, Styles, review, review_task};
use std::collections::BTreeMap;

/// A change that nobody has decided on.
pub struct PendingTask {
    /// The cell.
    pub cell: CellId,
    /// The task.
    pub task: TaskId,
    /// Whether it adds to a drop that is shown, so that accepting it needs a reason.
    pub fell: bool,
    line: ReviewLine,
}

impl PendingTask {
    /// The task then and now, what it cost, and what accepting would do.
    #[must_use]
    pub fn text(&self, styles: Styles) -> String {
        format!("{}\n{}", self.cell, review_task(&self.line, styles))
    }

    /// Whether one of the globs means it; none means no task.
    #[must_use]
    pub fn is_named(&self, globs: &[String]) -> bool {
        !globs.is_empty() && matches(globs, &self.task)
    }
}

/// A cell's word against its records, and what would become of each.
struct Seen {
    answer: GateAnswer,
    changes: Vec<TaskChange>,
}

impl Concluded {
    /// The review of the cells that accepting this run would change, as text.
    ///
    /// # Errors
    /// `SessionError` when a reference can't be read, a cell is not there, or a figure can't be
    /// computed.
    pub fn review(
        &self,
        places: &ReferencePlaces,
        cells: &[String],
        styles: Styles,
    ) -> Result<String, SessionError> {
        let mut texts = Vec::new();
        for cell in self.accepted_cells(&places.accepted, cells)? {
            let seen = self.seen(places, &cell)?;
            let mut lines = Vec::new();
            for change in seen.changes {
                let mut line = self.review_line(seen.answer.word, change.clone())?;
                if is_a_change(&change) && places.is_rejected(&cell, &change.task)? {
                    line.accepting = "rejected in a review";
                }
                lines.push(line);
            }
            texts.push(review(&seen.answer, &lines, styles));
        }
        Ok(texts.join("\n"))
    }

    /// What nobody has decided on, cell by cell and task by task; the first time, it is written to
    /// the pending folder.
    ///
    /// # Errors
    /// As of `review`, and when the folder can't be written.
    pub fn pending(
        &self,
        places: &ReferencePlaces,
        cells: &[String],
    ) -> Result<Vec<PendingTask>, SessionError> {
        let mut found = Vec::new();
        for cell in self.accepted_cells(&places.accepted, cells)? {
            let seen = self.seen(places, &cell)?;
            let word = seen.answer.word;
            let open: Vec<TaskChange> = seen.changes.into_iter().filter(is_a_change).collect();
            places.begin(&cell, &waiting(&open))?;
            for change in open {
                if places.is_rejected(&cell, &change.task)? {
                    continue;
                }
                let line = self.review_line(word, change)?;
                let drop = line
                    .difference
                    .as_ref()
                    .is_some_and(|one| one.value() < 0.0);
                found.push(PendingTask {
                    cell: cell.clone(),
                    task: line.task.clone(),
                    fell: word == GateWord::Regression && drop,
                    line,
                });
            }
        }
        Ok(found)
    }

    /// The tasks whose change a review has rejected.
    pub(super) fn rejected(
        &self,
        places: &ReferencePlaces,
        cell: &CellId,
    ) -> Result<Vec<TaskId>, SessionError> {
        let mut found = Vec::new();
        for change in self.seen(places, cell)?.changes {
            if is_a_change(&change) && places.is_rejected(cell, &change.task)? {
                found.push(change.task);
            }
        }
        Ok(found)
    }

    fn seen(&self, places: &ReferencePlaces, cell: &CellId) -> Result<Seen, SessionError> {
        let old = read(&places.accepted, cell, &self.held_packs(&places.accepted)?)?;
        let answer = self.against(cell, old.clone())?;
        let proposal = Proposal {
            old: &old,
            new: &self.records(cell),
            word: answer.word,
            drops: &BTreeMap::new(),
        };
        Ok(Seen {
            changes: changes(&proposal),
            answer,
        })
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

fn is_a_change(change: &TaskChange) -> bool {
    change.kind != ChangeKind::Same
}

/// The records that wait, by pack: the run's, or the reference's of a task that is gone.
fn waiting(changes: &[TaskChange]) -> BTreeMap<String, Vec<Reference>> {
    let mut found: BTreeMap<String, Vec<Reference>> = BTreeMap::new();
    for change in changes {
        let record = change.new.as_ref().or(change.old.as_ref());
        let of_pack = found.entry(change.task.pack().to_owned()).or_default();
        of_pack.extend(record.cloned());
    }
    found
}
