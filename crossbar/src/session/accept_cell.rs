//! Accepting one cell of a run: what becomes of each of its records, and what is refused.

use super::references::{file, name, read};
use super::{Concluded, SessionError};
use crate::analysis::{
    ChangeKind, GateAnswer, GateWord, Proposal, RecordOf, Replaced, StoredReferences, TaskChange,
    changes, records,
};
use crate::domain::{CellId, GateRules, Reference, TaskId};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

impl Concluded {
    /// What accepting a cell writes.
    ///
    /// # Errors
    /// `SessionError` when a reference can't be read, a drop is shown that no reason covers, or
    /// fewer rollouts would take the place of more.
    pub(super) fn accept_cell(
        &self,
        folder: &Path,
        asked: &CellAsked,
        fewer: bool,
    ) -> Result<AcceptedCell, SessionError> {
        let cell = &asked.cell;
        let packs = self.held_packs(folder)?;
        let all = read(folder, cell, &packs)?;
        let (word, drops) = self.acceptable(asked, &all)?;
        let mut new = self.records(cell);
        new.retain(|one| asked.wants(&one.task));
        let (old, untouched): (Vec<Reference>, Vec<Reference>) =
            all.into_iter().partition(|one| asked.wants(&one.task));
        let proposal = Proposal {
            old: &old,
            new: &new,
            word,
            drops: &drops,
        };
        let changes = changes(&proposal);
        if !fewer {
            not_fewer(cell, &changes)?;
        }
        let left = asked.rejected.iter();
        let left = left.map(|task| format!("{cell} {task}: rejected in a review, left as it is"));
        let mut accepted = AcceptedCell {
            said: changes.iter().map(|change| line(cell, change)).collect(),
            files: Vec::new(),
        };
        accepted.said.extend(left);
        for pack in packs {
            let of_pack = changes.iter().filter(|change| change.task.pack() == pack);
            let of_pack: Vec<_> = of_pack.collect();
            if !of_pack.is_empty() {
                let untouched = untouched.iter().filter(|one| one.task.pack() == pack);
                let records = of_pack.iter().filter_map(|change| change.record(&drops));
                let after = untouched.cloned().chain(records).collect();
                accepted.files.push((file(folder, &pack, cell), after));
            }
        }
        Ok(accepted)
    }

    /// What a run's rollouts of a cell come to.
    pub(super) fn records(&self, cell: &CellId) -> Vec<Reference> {
        let Some(summary) = self.analysis.cell(cell) else {
            return Vec::new();
        };
        let tasks = self.asked.question.tasks.iter();
        let task_fps = tasks
            .map(|task| (&task.id, task.fingerprint.as_str()))
            .collect();
        let frozen = self.frozen();
        let agents = self.agents();
        let of = RecordOf {
            cell: summary,
            agent: agents.get(cell).map_or("", String::as_str),
            task_fps: &task_fps,
            run: frozen.dataset_hash.get(..8).unwrap_or_default(),
        };
        records(&of, self.rows().iter())
    }

    /// How the run stands against all records of the cell, and the drops that are accepted; refused
    /// while a drop is shown to which a task that is asked for adds without a reason. Tasks one by
    /// one would show none, and lower the bar all the same.
    fn acceptable(
        &self,
        asked: &CellAsked,
        all: &[Reference],
    ) -> Result<(GateWord, BTreeMap<TaskId, String>), SessionError> {
        let first = self.against(&asked.cell, all.to_vec())?;
        let fell = first.cells.iter().flat_map(|one| &one.tasks.moved);
        let fell = fell.filter(|moved| moved.fell() && asked.wants(&moved.task));
        let drops: BTreeMap<TaskId, String> = fell
            .filter_map(|moved| Some((moved.task.clone(), asked.reason(&moved.task)?.clone())))
            .collect();
        if first.word != GateWord::Regression {
            return Ok((first.word, drops));
        }
        let rest = all.iter().filter(|one| !drops.contains_key(&one.task));
        let rest = self.against(&asked.cell, rest.cloned().collect())?;
        let fell: Vec<String> = rest
            .cells
            .iter()
            .flat_map(|one| &one.tasks.moved)
            .filter(|moved| moved.fell() && asked.wants(&moved.task))
            .map(ToString::to_string)
            .collect();
        if rest.word != GateWord::Regression || fell.is_empty() {
            return Ok((rest.word, drops));
        }
        Err(SessionError::new(format!(
            "{} shows a drop against its reference: {}",
            asked.cell,
            fell.join(", ")
        ))
        .help("mend it; or, if it is meant, name the tasks and say why: accept --regression TASK --reason TEXT"))
    }

    /// The run against records, whatever gate it was begun with.
    pub(super) fn against(
        &self,
        cell: &CellId,
        records: Vec<Reference>,
    ) -> Result<GateAnswer, SessionError> {
        let rules = GateRules {
            cell: Some(cell.clone()),
            allow_mock: true,
            ..GateRules::of_records(self.asked.gate.as_ref())
        };
        let stored = StoredReferences {
            records: BTreeMap::from([(cell.clone(), records)]),
            agents: self.agents(),
            day: self.day(),
        };
        self.held_by(&rules, &stored, &cell.to_string())
    }
}

/// What is asked of a cell.
pub(super) struct CellAsked {
    pub(super) cell: CellId,
    /// Globs of the tasks; empty = all.
    pub(super) tasks: Vec<String>,
    /// Tasks that a review has rejected.
    pub(super) rejected: Vec<TaskId>,
    /// Globs of the tasks whose drop is accepted, with the reason.
    pub(super) drops: BTreeMap<String, String>,
}

/// What accepting a cell comes to.
pub(super) struct AcceptedCell {
    /// What became of each task, one line each.
    pub(super) said: Vec<String>,
    /// The files to write, whole.
    pub(super) files: Vec<(PathBuf, Vec<Reference>)>,
}

fn not_fewer(cell: &CellId, changes: &[TaskChange]) -> Result<(), SessionError> {
    let is_fewer = |change: &&TaskChange| match (&change.old, &change.new) {
        (Some(old), Some(new)) => matches!(change.kind, ChangeKind::Replaced(_)) && new.n < old.n,
        _ => false,
    };
    match changes.iter().find(is_fewer) {
        None => Ok(()),
        Some(change) => Err(SessionError::new(format!(
            "{}: {} has fewer rollouts than the record that it would replace",
            name(cell),
            change.task
        ))
        .help("run with more --repeats, or say --fewer")),
    }
}

fn line(cell: &CellId, change: &TaskChange) -> String {
    let counts = |record: &Option<Reference>| {
        record
            .as_ref()
            .map_or_else(String::new, |one| format!("{}/{}", one.pass, one.n))
    };
    let (old, new) = (counts(&change.old), counts(&change.new));
    let what = match change.kind {
        ChangeKind::New => format!("{new}, new"),
        ChangeKind::Same => format!("{old}, this run is in it already"),
        ChangeKind::Pooled => format!("{old} and {new} pooled: the difference is not decided"),
        ChangeKind::Removed => format!("{old}, removed: the task is gone"),
        ChangeKind::Replaced(why) => format!("{old} -> {new}, replaced: {}", because(why)),
    };
    format!("{cell} {}: {what}", change.task)
}

pub(super) fn because(why: Replaced) -> &'static str {
    match why {
        Replaced::TaskChanged => "the task changed",
        Replaced::CellChanged => "the cell's configuration changed",
        Replaced::NotComparable => "the two can't be compared",
        Replaced::Improvement => "a rise is shown",
        Replaced::AcceptedDrop => "the drop is accepted",
    }
}
