//! Two runs side by side in time: has a cell become worse since the earlier one? The cell's own
//! configuration is what is under test; whatever else changed makes the two incomparable.

use super::recorded::open;
use super::{Concluded, Exit, SessionError, conclude, stored};
use crate::analysis::{
    Against, GateAnswer, GateState, GateWord, Question, StoredReferences, TaskInfo,
};
use crate::domain::{CellId, GateRules, TaskId};
use crate::report::{Styles, review};
use std::collections::BTreeMap;
use std::path::Path;

/// What two runs show.
pub struct Regression {
    /// For a person.
    pub text: String,
    /// For the shell.
    pub exit: Exit,
}

impl Concluded {
    /// Holds this run to an earlier one, cell by cell.
    ///
    /// # Errors
    /// `SessionError` where the earlier run is not complete, has other tasks, or no cell of this one.
    pub fn regression(&self, reference: &Self, styles: Styles) -> Result<Regression, SessionError> {
        for run in [self, reference] {
            run.must_be_fixed("no run is held against it")?;
            run.must_have_asked("no run is held against it")?;
        }
        if reference.measured() != Exit::Done {
            return Err(
                SessionError::new(format!("run {} is not complete", reference.run()))
                    .help("name another one: --reference RUN"),
            );
        }
        same_tasks(reference, self)?;
        let answer = self.held_to(reference)?;
        let mut text = review(&answer, &[], styles).trim_end().to_owned();
        for cell in &answer.cells {
            if print_of(self, &cell.cell) == print_of(reference, &cell.cell) {
                text += "\nnote: ";
                text += &cell.cell.to_string();
                text += " has the same configuration in both runs: what differs is chance, or the \
                         provider, or the product";
            }
        }
        let exit = match answer.state() {
            GateState::Held => Exit::Done,
            GateState::Failed => Exit::Failed,
            GateState::Open => Exit::GateOpen,
            GateState::Refused => Exit::CannotRun,
            GateState::Incomplete => Exit::Incomplete,
        };
        Ok(Regression { text, exit })
    }

    fn held_to(&self, reference: &Self) -> Result<GateAnswer, SessionError> {
        let begun_with = self.asked.gate.as_ref();
        let usual = GateRules::of_records(begun_with);
        let rules = GateRules {
            scope: begun_with.map_or(usual.scope, |rules| rules.scope),
            ..usual
        };
        let cells = reference.analysis.cells.iter();
        let stored = StoredReferences {
            records: cells
                .map(|cell| (cell.id.clone(), reference.records(&cell.id)))
                .collect(),
            agents: self.agents(),
            day: self.day(),
        };
        let mut answer = self.held_by(&rules, &stored, "the runs can't be compared")?;
        if answer.word == GateWord::Incomplete {
            return Err(
                SessionError::new(format!("run {} is not complete", self.run()))
                    .help("mend the cause, and go on with it: run --resume"),
            );
        }
        answer
            .cells
            .retain(|cell| stored.records.contains_key(&cell.cell));
        for cell in &mut answer.cells {
            cell.against = cell.against.take().map(|_| Against::Run {
                run: reference.run().clone(),
            });
        }
        let gravest = answer.cells.iter().map(|cell| cell.word).max();
        answer.word = gravest.ok_or_else(|| {
            SessionError::new(format!(
                "run {} has no cell of run {}",
                reference.run(),
                self.run()
            ))
            .help("name another one: --reference RUN")
        })?;
        Ok(answer)
    }
}

/// The newest run before this one that measured one of its cells in another configuration, over the
/// same tasks.
///
/// # Errors
/// `SessionError` when there is none.
pub fn earlier_run(results_dir: &Path, current: &Concluded) -> Result<Concluded, SessionError> {
    let runs = open(&stored::path(results_dir))?.runs()?;
    let older = runs.iter().skip_while(|run| run.id != *current.run());
    // A second look measured what its first one did, with fewer cells.
    let older = older.skip(1).filter(|run| run.second_look_of.is_none());
    for run in older {
        let Ok(found) = conclude(results_dir, run.id.as_str(), None) else {
            continue;
        };
        let differs = current.analysis.cells.iter().any(|cell| {
            let then = print_of(&found, &cell.id);
            then.is_some() && then != print_of(current, &cell.id)
        });
        if differs
            && found.replay_of().is_none()
            && found.measured() == Exit::Done
            && same_tasks(&found, current).is_ok()
        {
            return Ok(found);
        }
    }
    Err(SessionError::new(format!(
        "no run before {} measured its cells over these tasks in another configuration",
        current.run()
    ))
    .help("name one: --reference RUN, or the sweep.json of one"))
}

fn print_of<'a>(run: &'a Concluded, cell: &CellId) -> Option<&'a str> {
    let found = run.asked.question.cells.iter().find(|one| one.id == *cell);
    found.map(|info| info.fingerprint.as_str())
}

/// That two runs have the same tasks, whole.
fn same_tasks(then: &Concluded, now: &Concluded) -> Result<(), SessionError> {
    let prints = |question: &Question| -> BTreeMap<TaskId, String> {
        let print = |task: &TaskInfo| (task.id.clone(), task.fingerprint.clone());
        question.tasks.iter().map(print).collect()
    };
    let (old, new) = (prints(&then.asked.question), prints(&now.asked.question));
    let all = old.keys().chain(new.keys());
    let mut other: Vec<String> = all
        .filter(|task| old.get(*task) != new.get(*task))
        .map(ToString::to_string)
        .collect();
    other.sort();
    other.dedup();
    if other.is_empty() {
        return Ok(());
    }
    Err(SessionError::new(format!(
        "runs {} and {} have other tasks: {}",
        then.run(),
        now.run(),
        other.join(", ")
    ))
    .help("run both over the same tasks; a gate over accepted references compares those that are the same"))
}
