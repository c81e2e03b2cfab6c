//! The gate of a recorded run, and what the shell sees of it.

use super::base_branch::BaseBranch;
use super::conclude::Source;
use super::{Concluded, Exit, SessionError, references};
use crate::analysis::{
    GateAnswer, GateState, GateWord, Held, Status, StoredReferences, against_itself, hold,
};
use crate::domain::{CellId, GateReference, GateRules, Reference, TaskId};
use crate::pack::Roster;
use crate::report::annotations;
use crate::sweep::CellEntry;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

impl Concluded {
    /// What rules say of this run beside stored records; `what` begins the error.
    pub(super) fn held_by(
        &self,
        rules: &GateRules,
        stored: &StoredReferences,
        what: &str,
    ) -> Result<GateAnswer, SessionError> {
        hold(&Held {
            rules,
            question: &self.asked.question,
            analysis: &self.analysis,
            stored,
            watched: self.watch.as_ref().map(super::sentinel::Watch::seen),
        })
        .map_err(|error| SessionError::new(format!("{what}: {error}")))
    }

    /// Holds the run to the gate that it was begun with; a run without one stays as it is.
    /// `folder` is that of accepted references; `lookup` answers the
    /// variables by which a CI server names the base branch, whose references are read then.
    ///
    /// # Errors
    /// `SessionError` when a reference can't be read, or a figure can't be computed.
    pub fn held(
        mut self,
        folder: &Path,
        lookup: &dyn Fn(&str) -> Option<String>,
    ) -> Result<Self, SessionError> {
        if self.asked.aa {
            self.aa = against_itself(&self.asked.question, &self.analysis, self.rows().iter())
                .map_err(|error| SessionError::new(format!("A/A can't be shown: {error}")))?;
        }
        let Some(rules) = &self.asked.gate else {
            return Ok(self);
        };
        let watches = matches!(rules.reference, GateReference::Sentinel { .. });
        if let (true, Source::File(_)) = (watches, &self.source) {
            // The sentinel's rollouts are in the record alone; the file has what came of them.
            return Ok(self);
        }
        let mut stored = StoredReferences {
            records: BTreeMap::new(),
            agents: self.agents(),
            day: self.day(),
        };
        let mut base = None;
        if rules.reference != GateReference::Concurrent {
            base = BaseBranch::named(folder, lookup)?;
            let packs = self.held_packs(folder)?;
            let cells = self.analysis.cells.iter().map(|cell| &cell.id);
            let watching = self.asked.sentinel.iter().flat_map(|one| &one.cells);
            for cell in cells.chain(watching.map(|info| &info.id)) {
                let mut records = match &base {
                    Some(base) => base.read(cell)?,
                    None => references::read(folder, cell, &packs)?,
                };
                records.retain(|one| self.holds_pack(one.task.pack()));
                stored.records.insert(cell.clone(), records);
            }
        }
        let mut answer = self.held_by(rules, &stored, "the gate can't be answered")?;
        if answer
            .cells
            .iter()
            .any(|one| one.word == GateWord::NoReference)
        {
            let packs = self.held_packs(folder)?;
            let mut known = references::cells(folder, &packs)?;
            known.retain(|id| !self.asked.cells.iter().any(|meta| meta.cell == *id));
            answer.elsewhere = known.into_iter().collect();
        }
        if let Some(base) = base {
            for cell in &mut answer.cells {
                let records = stored.records.get(&cell.cell);
                let here = references::read(folder, &cell.cell, &self.held_packs(folder)?)?;
                cell.tasks.accepts = differing(records.map_or(&[], Vec::as_slice), &here);
            }
            answer.base = Some(base.name);
        }
        let answer = self.looked_at_again(answer, folder, lookup)?;
        self.gate = Some(answer);
        Ok(self)
    }

    /// The packs whose accepted references this run answers for: its own, and of a run of the whole
    /// project those that are gone too.
    pub(super) fn held_packs(&self, folder: &Path) -> Result<BTreeSet<String>, SessionError> {
        let mut packs = references::packs(folder)?;
        packs.retain(|pack| self.holds_pack(pack));
        packs.extend(self.packs());
        Ok(packs)
    }

    fn holds_pack(&self, pack: &str) -> bool {
        !self.asked.alone || self.packs().contains(pack)
    }

    /// The packs of the run's tasks.
    pub(super) fn packs(&self) -> BTreeSet<String> {
        let tasks = self.asked.question.tasks.iter();
        tasks.map(|task| task.id.pack().to_owned()).collect()
    }

    /// The agent of each cell, with its version.
    pub(super) fn agents(&self) -> BTreeMap<CellId, String> {
        let cells = self.asked.cells.iter();
        cells
            .map(|meta| (meta.cell.clone(), meta.agent.clone()))
            .collect()
    }

    /// The day on which the run was begun, `YYYY-MM-DD`.
    pub(super) fn day(&self) -> String {
        let made = self.frozen().meta.made.created_at;
        made.get(..10).unwrap_or_default().to_owned()
    }

    /// The commands by which a GitHub workflow shows lines beside the code.
    #[must_use]
    pub fn annotations(&self) -> Vec<String> {
        annotations(&self.frozen())
    }

    /// What the shell sees.
    #[must_use]
    pub fn exit(&self) -> Exit {
        match (self.measured(), self.gate.as_ref().map(|gate| gate.state())) {
            (Exit::Done, Some(GateState::Failed)) => Exit::Failed,
            (Exit::Done, Some(GateState::Refused)) => Exit::CannotRun,
            (Exit::Done, Some(GateState::Open)) => Exit::GateOpen,
            // Its own rollouts are all there: those of its second look are not.
            (Exit::Done, Some(GateState::Incomplete)) => Exit::Incomplete,
            (measured, _) => measured,
        }
    }

    /// What the shell sees of a run that a gate does not speak of.
    #[must_use]
    pub fn measured(&self) -> Exit {
        let completeness = &self.analysis.completeness;
        let mut controls = self.asked.controls.iter();
        let proven = controls.all(|line| line.finding.is_measured());
        let whole = completeness.status == Status::Complete && completeness.infrastructure == 0;
        let watched = self.watch.as_ref();
        let watched = watched.is_none_or(super::sentinel::Watch::is_measured);
        if whole && watched && proven {
            Exit::Done
        } else {
            Exit::Incomplete
        }
    }
}

/// The tasks whose records are not the same on both sides.
fn differing(base: &[Reference], here: &[Reference]) -> Vec<TaskId> {
    let missing = |records: &[Reference], others: &[Reference]| -> Vec<TaskId> {
        let gone = records.iter().filter(|one| !others.contains(one));
        gone.map(|one| one.task.clone()).collect()
    };
    let tasks: BTreeSet<TaskId> = missing(base, here)
        .into_iter()
        .chain(missing(here, base))
        .collect();
    tasks.into_iter().collect()
}

/// Refuses before money is spent what the gate would refuse afterwards: mock cells beside live ones,
/// held to a gate that does not allow them.
pub(super) fn before_paying(roster: &Roster, cells: &[CellEntry]) -> Result<(), SessionError> {
    let Some(rules) = roster.gate.rules.as_ref().filter(|rules| !rules.allow_mock) else {
        return Ok(());
    };
    let is_held = |cell: &&CellEntry| match rules.reference {
        _ if rules.cell.as_ref() == Some(&cell.id) => true,
        GateReference::Concurrent | GateReference::Sentinel { .. } => {
            roster.run.baseline.as_ref() == Some(&cell.id)
        }
        GateReference::Stored => rules.cell.is_none(),
    };
    let pays = cells.iter().any(|cell| cell.kind.live);
    match cells.iter().filter(is_held).find(|cell| cell.kind.pretend) {
        Some(mock) if pays => Err(SessionError::new(format!(
            "the gate would hold `{}`, and a mock model is no evidence about a real one",
            mock.id
        ))
        .help("name the live cell in gate.cell, leave the mock out, or say gate.allow_mock: true")),
        _ => Ok(()),
    }
}

/// Whether a continuous integration runs us, by the variable that they all set.
#[must_use]
pub fn in_ci() -> bool {
    let says = std::env::var("CI").unwrap_or_default();
    !matches!(says.as_str(), "" | "0" | "false")
}
