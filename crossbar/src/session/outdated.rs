//! Whether a run measured what is here now: a reference of something else would bless nobody's work.

use super::{Concluded, Outlook};
use crate::domain::{CellId, TaskId};
use std::path::PathBuf;

impl Concluded {
    /// What of a cell and of the tasks that `wanted` says yes to is another one now, or gone; empty
    /// where nothing is. A task that is new since says nothing against the run.
    pub(super) fn changed_since(
        &self,
        cell: &CellId,
        now: &Outlook,
        wanted: &dyn Fn(&TaskId) -> bool,
    ) -> Vec<String> {
        let mut found = Vec::new();
        let mut compare = |what: String, then: &str, now: Option<&String>| match now {
            None => found.push(format!("{what} is gone")),
            Some(now) if now != then => found.push(format!("{what} changed")),
            Some(_) => {}
        };
        let question = &self.asked.question;
        for info in question.cells.iter().filter(|info| info.id == *cell) {
            let now = now.cell_prints.get(&cell.to_string());
            compare(
                format!("the configuration of {cell}"),
                &info.fingerprint,
                now,
            );
        }
        for info in question.tasks.iter().filter(|info| wanted(&info.id)) {
            let now = now.task_prints.get(&info.id);
            compare(info.id.to_string(), &info.fingerprint, now);
        }
        found
    }

    /// The task files of the run's tasks that are not in the outlook of a project, as the run was
    /// given them: relative paths begin where it was begun.
    #[must_use]
    pub fn files_outside(&self, now: &Outlook) -> Vec<PathBuf> {
        let tasks = self.asked.question.tasks.iter();
        let unknown = tasks.filter(|task| !now.task_prints.contains_key(&task.id));
        let places = unknown.filter_map(|task| self.asked.places.get(&task.id));
        places.map(|place| PathBuf::from(&place.path)).collect()
    }

    /// Whether every task of the run is in the outlook of a project.
    #[must_use]
    pub fn tasks_are_in(&self, now: &Outlook) -> bool {
        let mut tasks = self.asked.question.tasks.iter();
        tasks.all(|task| now.task_prints.contains_key(&task.id))
    }
}
