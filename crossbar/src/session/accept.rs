//! Accepting a run: its results become the references that later runs are held against.

use super::references::{file, name, read_file, write};
use super::{Concluded, Exit, SessionError};
use crate::analysis::{
    ChangeKind, GateAnswer, GateWord, Held, Proposal, RecordOf, Replaced, StoredReferences,
    TaskChange, changes, hold, records,
};
use crate::domain::{CellId, GateMode, GateReference, GateRules, GateScope, Reference, TaskId};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// What a person asks of an acceptance.
#[derive(Debug, Clone, Default)]
pub struct AcceptOptions {
    /// The cells to accept; empty = those that the gate holds, and those that have a reference.
    pub cells: Vec<String>,
    /// Globs of the tasks to accept; empty = all.
    pub tasks: Vec<String>,
    /// Globs of the tasks whose drop is accepted.
    pub drops: Vec<String>,
    /// Why their drop is accepted.
    pub reason: Option<String>,
    /// Whether records of fewer rollouts may take the place of records of more.
    pub fewer: bool,
    /// Whether a continuous integration asks (the variable CI).
    pub ci: bool,
}

impl Concluded {
    /// Accepts a run into the folder of references, and says what became of each task, one line
    /// each.
    ///
    /// # Errors
    /// `SessionError`, and nothing is written: in CI, an incomplete run, a drop that nobody gave a
    /// reason for, fewer rollouts than before, a cell or a task that is not there.
    pub fn accept(
        &self,
        folder: &Path,
        options: &AcceptOptions,
    ) -> Result<Vec<String>, SessionError> {
        self.may_be_accepted(options)?;
        let (mut said, mut files) = (Vec::new(), Vec::new());
        let packs = self.held_packs(folder)?;
        for cell in self.accepted_cells(folder, options)? {
            let accepted = self.accept_cell(folder, &cell, (&packs, options))?;
            said.extend(accepted.said);
            files.extend(accepted.files);
        }
        if files.is_empty() {
            return Err(SessionError::new("no task of this run is asked for")
                .help("check --task and --cell"));
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
        if options.drops.is_empty() != options.reason.is_none() {
            return Err(
                SessionError::new("an accepted drop needs its task and a reason")
                    .help("give --regression TASK and --reason TEXT together"),
            );
        }
        Ok(())
    }

    /// The named cells; else the one that the gate holds, or the baseline, or all, and whatever
    /// has a reference already.
    pub(super) fn accepted_cells(
        &self,
        folder: &Path,
        options: &AcceptOptions,
    ) -> Result<Vec<CellId>, SessionError> {
        let all: Vec<&CellId> = self.analysis.cells.iter().map(|cell| &cell.id).collect();
        if let Some(absent) = options
            .cells
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
        let packs = self.held_packs(folder)?;
        let wanted = |id: &CellId| {
            if options.cells.is_empty() {
                usual.is_none_or(|usual| usual == id)
                    || packs.iter().any(|pack| file(folder, pack, id).is_file())
            } else {
                options.cells.contains(&id.to_string())
            }
        };
        Ok(all.into_iter().filter(|id| wanted(id)).cloned().collect())
    }

    fn accept_cell(
        &self,
        folder: &Path,
        cell: &CellId,
        (packs, options): (&BTreeSet<String>, &AcceptOptions),
    ) -> Result<AcceptedCell, SessionError> {
        let mut before: BTreeMap<&String, Vec<Reference>> = BTreeMap::new();
        for pack in packs {
            before.insert(pack, read_file(&file(folder, pack, cell), pack)?);
        }
        let is_wanted = |one: &Reference| matches(&options.tasks, &one.task);
        let old = before.values().flatten().filter(|one| is_wanted(one));
        let old: Vec<Reference> = old.cloned().collect();
        let (word, drops) = self.acceptable(cell, &old, options)?;
        let proposal = Proposal {
            old: &old,
            new: &self.records_of(cell, options),
            word,
            drops: &drops,
        };
        let changes = changes(&proposal);
        not_fewer(cell, &changes, options)?;
        let mut accepted = AcceptedCell {
            said: changes.iter().map(|change| line(cell, change)).collect(),
            files: Vec::new(),
        };
        for (pack, records) in before {
            let untouched = records.into_iter().filter(|one| !is_wanted(one));
            let mut after: Vec<Reference> = untouched.collect();
            let of_pack = changes.iter().filter(|change| change.task.pack() == pack);
            let of_pack: Vec<_> = of_pack.collect();
            if !of_pack.is_empty() {
                after.extend(
                    of_pack
                        .into_iter()
                        .filter_map(|change| change.record(&drops)),
                );
                accepted.files.push((file(folder, pack, cell), after));
            }
        }
        Ok(accepted)
    }

    /// The run's records of the tasks that are asked for.
    fn records_of(&self, cell: &CellId, options: &AcceptOptions) -> Vec<Reference> {
        let mut records = self.records(cell);
        records.retain(|one| matches(&options.tasks, &one.task));
        records
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

    /// How the run stands against the records, and the drops that are accepted; refused while a
    /// drop is shown that no reason covers.
    fn acceptable(
        &self,
        cell: &CellId,
        old: &[Reference],
        options: &AcceptOptions,
    ) -> Result<(GateWord, BTreeMap<TaskId, String>), SessionError> {
        let first = self.against(cell, old.to_vec())?;
        let fell = first.cells.iter().flat_map(|one| &one.tasks.moved);
        let covered = |task: &TaskId| !options.drops.is_empty() && matches(&options.drops, task);
        let reason = options.reason.clone().unwrap_or_default();
        let drops: BTreeMap<TaskId, String> = fell
            .filter(|moved| moved.fell() && covered(&moved.task))
            .map(|moved| (moved.task.clone(), reason.clone()))
            .collect();
        if first.word != GateWord::Regression {
            return Ok((first.word, drops));
        }
        let rest = old.iter().filter(|one| !drops.contains_key(&one.task));
        let rest = self.against(cell, rest.cloned().collect())?;
        if rest.word != GateWord::Regression {
            return Ok((rest.word, drops));
        }
        let fell: Vec<String> = rest
            .cells
            .iter()
            .flat_map(|one| &one.tasks.moved)
            .filter(|moved| moved.fell())
            .map(ToString::to_string)
            .collect();
        Err(SessionError::new(format!(
            "{cell} shows a drop against its reference: {}",
            fell.join(", ")
        ))
        .help("mend it; or, if it is meant, name the tasks and say why: --regression TASK --reason TEXT"))
    }

    /// The run against records, whatever gate it was begun with.
    pub(super) fn against(
        &self,
        cell: &CellId,
        records: Vec<Reference>,
    ) -> Result<GateAnswer, SessionError> {
        let begun_with = self.asked.gate.as_ref();
        let rules = GateRules {
            mode: GateMode::Regression,
            scope: GateScope::These,
            cell: Some(cell.clone()),
            reference: GateReference::Stored,
            noise_threshold: begun_with.map_or(0.02, |rules| rules.noise_threshold),
            max_age_days: begun_with.map_or(14, |rules| rules.max_age_days),
            forbid_removed: false,
            allow_mock: true,
        };
        let stored = StoredReferences {
            records: BTreeMap::from([(cell.clone(), records)]),
            agents: self.agents(),
            day: self.day(),
        };
        let held = Held {
            rules: &rules,
            question: &self.asked.question,
            analysis: &self.analysis,
            stored: &stored,
        };
        hold(&held).map_err(|error| SessionError::new(format!("{cell}: {error}")))
    }
}

struct AcceptedCell {
    said: Vec<String>,
    files: Vec<(std::path::PathBuf, Vec<Reference>)>,
}

fn not_fewer(
    cell: &CellId,
    changes: &[TaskChange],
    options: &AcceptOptions,
) -> Result<(), SessionError> {
    let is_fewer = |change: &&TaskChange| match (&change.old, &change.new) {
        (Some(old), Some(new)) => matches!(change.kind, ChangeKind::Replaced(_)) && new.n < old.n,
        _ => false,
    };
    match changes.iter().find(is_fewer) {
        Some(change) if !options.fewer => Err(SessionError::new(format!(
            "{}: {} has fewer rollouts than the record that it would replace",
            name(cell),
            change.task
        ))
        .help("run with more --repeats, or say --fewer")),
        _ => Ok(()),
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

/// Whether a task is meant: by its whole id or its own, with `*` for any characters. No glob at
/// all means every task.
fn matches(globs: &[String], task: &TaskId) -> bool {
    let whole = task.to_string();
    globs.is_empty()
        || globs
            .iter()
            .any(|glob| is_like(glob, &whole) || is_like(glob, task.task()))
}

fn is_like(glob: &str, text: &str) -> bool {
    let Some((head, rest)) = glob.split_once('*') else {
        return glob == text;
    };
    let Some(mut left) = text.strip_prefix(head) else {
        return false;
    };
    let mut parts = rest.split('*').peekable();
    while let Some(part) = parts.next() {
        if parts.peek().is_none() {
            return left.ends_with(part);
        }
        match left.find(part) {
            Some(at) => left = &left[at + part.len()..],
            None => return false,
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_star_stands_for_any_characters() {
        for (glob, text, holds) in [
            ("one", "one", true),
            ("one", "ones", false),
            ("*", "anything", true),
            ("desk::*", "desk::one", true),
            ("*refund*", "pack::a-refund-b", true),
            ("a*b*c", "axxbyyc", true),
            ("a*b*c", "axxcyyb", false),
            ("a*a", "a", false),
        ] {
            assert_eq!(is_like(glob, text), holds, "{glob} {text}");
        }
    }
}
