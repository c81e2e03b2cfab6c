//! Accepting a run: its results become the references that later runs are held against.

use super::accept_cell::CellAsked;
use super::glob::matches;
use super::references::{file, write};
use super::{Concluded, Exit, Outlook, ReferencePlaces, SessionError};
use crate::domain::{CellId, GateReference, TaskId};
use std::collections::BTreeMap;
use std::path::Path;

/// What a person asks of an acceptance.
#[derive(Debug, Clone, Default)]
pub struct AcceptOptions {
    /// The cells to accept; empty = those that the gate holds, and those that have a reference.
    pub cells: Vec<String>,
    /// Globs of the tasks to accept; empty = all that no review has rejected.
    pub tasks: Vec<String>,
    /// Globs of the tasks whose drop is accepted, with the reason.
    pub drops: BTreeMap<String, String>,
    /// Whether records of fewer rollouts may take the place of records of more.
    pub fewer: bool,
    /// Whether a continuous integration asks (the variable CI).
    pub ci: bool,
    /// What the project holds now; `None` = the run may be of something older.
    pub now: Option<Outlook>,
}

/// What a person says of one change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Decision {
    /// It is accepted; with a reason where it is a drop.
    Accept {
        /// Why the drop is meant.
        reason: Option<String>,
    },
    /// It is not, and is not asked about again.
    Reject,
}

impl Concluded {
    /// Accepts a run into the folder of references, and says what became of each task, one line
    /// each.
    ///
    /// # Errors
    /// `SessionError`, and nothing is written: in CI, an incomplete run, a run of something that
    /// has changed since, a drop that nobody gave a reason for, fewer rollouts than before, a cell
    /// or a task that is not there.
    pub fn accept(
        &self,
        places: &ReferencePlaces,
        options: &AcceptOptions,
    ) -> Result<Vec<String>, SessionError> {
        self.may_be_accepted(options)?;
        let mut asked = Vec::new();
        for cell in self.accepted_cells(&places.accepted, &options.cells)? {
            // Whoever names tasks has changed their mind.
            let rejected = match options.tasks.is_empty() {
                true => self.rejected(places, &cell)?,
                false => Vec::new(),
            };
            asked.push(CellAsked {
                cell,
                tasks: options.tasks.clone(),
                rejected,
                drops: options.drops.clone(),
            });
        }
        self.accept_all(places, &asked, options)
    }

    /// Carries out what a review decided, and says what became of each task, one line each.
    ///
    /// # Errors
    /// As of `accept`, and nothing is written.
    pub fn decide(
        &self,
        places: &ReferencePlaces,
        decided: &BTreeMap<(CellId, TaskId), Decision>,
        options: &AcceptOptions,
    ) -> Result<Vec<String>, SessionError> {
        let mut asked: BTreeMap<&CellId, CellAsked> = BTreeMap::new();
        for ((cell, task), decision) in decided {
            let Decision::Accept { reason } = decision else {
                continue;
            };
            let asked = asked.entry(cell).or_insert_with(|| CellAsked::of(cell));
            asked.tasks.push(task.to_string());
            if let Some(reason) = reason {
                asked.drops.insert(task.to_string(), reason.clone());
            }
        }
        let asked: Vec<CellAsked> = asked.into_values().collect();
        self.may_be_accepted(options)?;
        let mut said = Vec::new();
        if !asked.is_empty() {
            said = self.accept_all(places, &asked, options)?;
        }
        let rejected = decided.iter();
        let rejected = rejected.filter(|(_, decision)| **decision == Decision::Reject);
        for ((cell, task), _) in rejected {
            places.reject(cell, task)?;
            said.push(format!(
                "{cell} {task}: rejected, its reference stays as it is"
            ));
        }
        Ok(said)
    }

    fn accept_all(
        &self,
        places: &ReferencePlaces,
        asked: &[CellAsked],
        options: &AcceptOptions,
    ) -> Result<Vec<String>, SessionError> {
        let (mut said, mut files) = (Vec::new(), Vec::new());
        for cell in asked {
            if let Some(now) = &options.now {
                self.is_of_today(cell, now)?;
            }
            let accepted = self.accept_cell(&places.accepted, cell, options.fewer)?;
            said.extend(accepted.said);
            files.extend(accepted.files);
        }
        if files.is_empty() {
            return Err(SessionError::new("no task of this run is asked for")
                .help("check --task and --cell; crossbar review lists what is pending"));
        }
        for (path, records) in &files {
            write(path, records)?;
            said.push(format!("written: {}", path.display()));
        }
        Ok(said)
    }

    fn may_be_accepted(&self, options: &AcceptOptions) -> Result<(), SessionError> {
        if options.ci {
            return Err(
                SessionError::new("a CI job accepts nothing (the variable CI is set)")
                    .help("accept where a person can look at it, and commit references/"),
            );
        }
        if self.measured() != Exit::Done {
            return Err(
                SessionError::new(format!("run {} is not complete", self.run()))
                    .help("mend the cause, and go on with it: run --resume"),
            );
        }
        Ok(())
    }

    /// Refuses to make a reference of what is not there any more.
    fn is_of_today(&self, asked: &CellAsked, now: &Outlook) -> Result<(), SessionError> {
        let wanted = |task: &TaskId| asked.wants(task);
        let changed = self.changed_since(&asked.cell, now, &wanted);
        if changed.is_empty() {
            return Ok(());
        }
        Err(SessionError::new(format!(
            "run {} measured something else than what is here now: {}",
            self.run(),
            changed.join("; ")
        ))
        .help("run again and accept that run; --outdated accepts what was measured then"))
    }

    /// The named cells; else the one that the gate holds, or the baseline, or all, and whatever
    /// has a reference already.
    pub(super) fn accepted_cells(
        &self,
        folder: &Path,
        named: &[String],
    ) -> Result<Vec<CellId>, SessionError> {
        self.must_be_fixed("no reference is made of it")?;
        self.must_have_asked("no reference is made of it")?;
        let all: Vec<&CellId> = self.analysis.cells.iter().map(|cell| &cell.id).collect();
        if let Some(absent) = named
            .iter()
            .find(|name| !all.iter().any(|id| id.to_string() == **name))
        {
            let known: Vec<String> = all.iter().map(ToString::to_string).collect();
            return Err(
                SessionError::new(format!("this run has no cell `{absent}`"))
                    .help(format!("its cells are: {}", known.join(", "))),
            );
        }
        let rules = self.asked.gate.as_ref();
        let usual =
            rules
                .and_then(|rules| rules.cell.as_ref())
                .or(self.asked.question.baseline.as_ref());
        let watches =
            rules.is_some_and(|rules| matches!(rules.reference, GateReference::Sentinel { .. }));
        // A sentinel without a reference is none, and here it ran in full to get one.
        let watched = self.asked.question.baseline.as_ref().filter(|_| watches);
        let packs = self.held_packs(folder)?;
        let wanted = |id: &CellId| {
            if named.is_empty() {
                usual.is_none_or(|usual| usual == id)
                    || watched == Some(id)
                    || packs.iter().any(|pack| file(folder, pack, id).is_file())
            } else {
                named.contains(&id.to_string())
            }
        };
        Ok(all.into_iter().filter(|id| wanted(id)).cloned().collect())
    }
}

impl CellAsked {
    /// A cell of which nothing is asked yet.
    fn of(cell: &CellId) -> Self {
        Self {
            cell: cell.clone(),
            tasks: Vec::new(),
            rejected: Vec::new(),
            drops: BTreeMap::new(),
        }
    }

    /// Whether a task is to be accepted.
    pub(super) fn wants(&self, task: &TaskId) -> bool {
        matches(&self.tasks, task) && !self.rejected.contains(task)
    }

    /// The reason for which a task's drop is accepted.
    pub(super) fn reason(&self, task: &TaskId) -> Option<&String> {
        let mut drops = self.drops.iter();
        let found = drops.find(|(glob, _)| matches(std::slice::from_ref(*glob), task));
        found.map(|(_, reason)| reason)
    }
}
