//! The cases of a sweep, of tasks that were read and of those that were not, and what runs of them.

use super::controls;
use super::{Prepared, Sketch};
use crate::analysis::Floor;
use crate::domain::{CaseId, CellId, Control, TaskId};
use crate::plan::order;
use crate::sweep::{Job, TaskEntry};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

/// A case as the runner has to know it.
#[derive(Debug, Clone, Copy)]
pub struct Case<'a> {
    /// The task.
    pub task: &'a TaskId,
    /// The cell, or what stands in its place in a control.
    pub cell: &'a CellId,
    /// Whether nothing can make it run now: its cell is live and not allowed or not funded, or its
    /// task is ignored and nobody asked for ignored ones.
    pub withheld: bool,
    /// Why its task is ignored or can't run; empty where no reason is given, `None` where it runs.
    pub ignored: Option<&'a str>,
}

impl Case<'_> {
    /// Its id.
    #[must_use]
    pub fn id(&self) -> CaseId {
        CaseId {
            task: self.task.clone(),
            cell: self.cell.clone(),
        }
    }

    /// Its name, `pack::task::model+harness`, at the end of a text. A list has ten thousand of them.
    pub fn write_name(&self, text: &mut String) {
        let (task, cell) = (self.task, self.cell);
        for part in [
            task.pack(),
            "::",
            task.task(),
            "::",
            cell.model(),
            "+",
            cell.harness(),
        ] {
            text.push_str(part);
        }
    }
}

/// A task with what decides which cases it has.
struct Row<'a> {
    task: &'a TaskId,
    controls: Cow<'a, [CellId]>,
    ignored: Option<&'a str>,
    /// Whether it is left out until somebody asks for ignored ones.
    left_out: bool,
}

impl<'a> Row<'a> {
    fn running(entry: &'a TaskEntry) -> Self {
        Self {
            task: &entry.task.id,
            controls: controls::cells(entry).into(),
            ignored: entry.task.ignored.as_deref(),
            left_out: false,
        }
    }

    fn left_out(entry: &'a TaskEntry) -> Self {
        let unmet = entry.task.unmet.first();
        Self {
            controls: Cow::Borrowed(&[]),
            ignored: unmet
                .map(|lack| lack.reason())
                .or(entry.task.ignored.as_deref()),
            left_out: true,
            ..Self::running(entry)
        }
    }

    fn unread(sketch: &'a Sketch) -> Self {
        Self {
            task: &sketch.id,
            controls: Cow::Borrowed(&sketch.controls),
            ignored: None,
            left_out: false,
        }
    }

    /// Whether two tasks have cases of the same cells.
    fn is_like(&self, other: &Self) -> bool {
        self.left_out == other.left_out
            && (std::ptr::eq(&*self.controls, &*other.controls) || self.controls == other.controls)
    }
}

impl Prepared {
    /// Every case in the order of the ids: the matrix, ignored tasks too, and the controls. Those of
    /// tasks that were not read are among them.
    pub fn each_case(&self, each: &mut dyn FnMut(&Case<'_>)) {
        let unread = self.sketches.iter().map(Row::unread);
        self.each_of(self.read().chain(unread).collect(), each);
    }

    /// The same for the tasks that were read: no other can run.
    pub fn each_case_that_was_read(&self, each: &mut dyn FnMut(&Case<'_>)) {
        self.each_of(self.read().collect(), each);
    }

    fn read(&self) -> impl Iterator<Item = Row<'_>> {
        let running = self.tasks.iter().map(|entry| Row::running(entry));
        running.chain(self.ignored.iter().map(|entry| Row::left_out(entry)))
    }

    fn each_of(&self, mut rows: Vec<Row<'_>>, each: &mut dyn FnMut(&Case<'_>)) {
        rows.sort_by_key(|row| row.task);
        let mut cells = Vec::new();
        for (at, row) in rows.iter().enumerate() {
            let watched = self.matrix.is_watched(row.task);
            let alike = |before: &Row<'_>| {
                row.is_like(before) && watched == self.matrix.is_watched(before.task)
            };
            if at == 0 || !alike(&rows[at - 1]) {
                cells = self.cells_of(row);
            }
            for (cell, withheld) in &cells {
                each(&Case {
                    task: row.task,
                    cell,
                    withheld: *withheld,
                    ignored: row.ignored,
                });
            }
        }
    }

    /// The cells and controls of a task, sorted, and whether they are withheld.
    fn cells_of<'a>(&'a self, row: &'a Row<'_>) -> Vec<(&'a CellId, bool)> {
        let running = self.cells.iter().map(|cell| (&cell.id, row.left_out));
        let withheld = self.withheld.iter().map(|id| (id, true));
        let controls = row.controls.iter().map(|cell| (cell, false));
        let mut cells: Vec<_> = running.chain(withheld).chain(controls).collect();
        cells.retain(|(cell, _)| self.matrix.has(cell, row.task));
        cells.sort();
        cells
    }

    /// How many rollouts of cells would run.
    #[must_use]
    pub fn rollouts(&self) -> usize {
        self.matrix.rollouts()
    }

    /// The sentinel of the gate, and how many rollouts of it would run; `None` where there is none.
    pub(super) fn watched(&self) -> Option<(String, usize)> {
        let sentinel = self.matrix.sentinel.as_ref()?;
        let rollouts = self.matrix.watched().count() * self.matrix.repeats as usize;
        (rollouts > 0).then(|| (sentinel.cell.to_string(), rollouts))
    }

    /// Every task that would run, those that were not read too.
    pub(super) fn task_ids(&self) -> &[TaskId] {
        &self.matrix.tasks
    }

    /// Whether a task was left unread.
    pub(super) fn is_partly_read(&self) -> bool {
        !self.sketches.is_empty()
    }

    /// The floor of a case, where its task declares one; a control has none.
    #[must_use]
    pub fn floor_of(&self, case: &CaseId) -> Option<Floor> {
        let floor = self.floors.get(&case.task)?;
        Control::of(&case.cell).is_none().then_some(*floor)
    }

    /// How many rollouts a case has: a control has one, since nothing in it is random.
    #[must_use]
    pub fn rollouts_of(&self, case: &CaseId) -> usize {
        match Control::of(&case.cell) {
            Some(_) => 1,
            None => self.matrix.repeats as usize,
        }
    }

    /// The jobs of the cases that `wanted` says yes to, controls first, in the planned order. A task
    /// that was not read has none.
    pub fn jobs(&self, wanted: &dyn Fn(&CaseId) -> bool) -> Vec<Job> {
        let tasks: BTreeMap<_, _> = self
            .tasks
            .iter()
            .map(|task| (&task.task.id, task))
            .collect();
        let cells: BTreeMap<_, _> = self.cells.iter().map(|cell| (&cell.id, cell)).collect();
        let planned = order(&self.matrix, self.seed, &|task| tasks.contains_key(task));
        let planned = planned.into_iter();
        let matrix = planned.filter(|planned| wanted(&planned.key.case()));
        let matrix = matrix.filter_map(|planned| {
            Some(Job {
                task: Arc::clone(tasks.get(&planned.key.task)?),
                cell: Arc::clone(cells.get(&planned.key.cell)?),
                planned,
                control: None,
            })
        });
        let mut jobs = controls::jobs(&self.tasks, &self.sketches, wanted);
        jobs.extend(matrix);
        jobs
    }
}
