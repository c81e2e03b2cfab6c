//! Every cell times every task, and how often; a sentinel has a few tasks alone.

use crate::domain::{CaseId, CellId, Sentinel, TaskId};

/// Every cell times every task, `repeats` times.
#[derive(Debug, Clone, Default)]
pub struct Matrix {
    /// The cells, in the roster's order.
    pub cells: Vec<CellId>,
    /// The tasks, in the order of their ids.
    pub tasks: Vec<TaskId>,
    /// Rollouts per case, at least 1.
    pub repeats: u32,
    /// The cell that has these tasks alone; `None` where every cell has every task.
    pub sentinel: Option<Sentinel>,
}

impl Matrix {
    /// How many rollouts it holds.
    #[must_use]
    pub fn rollouts(&self) -> usize {
        self.cases().count() * self.repeats as usize
    }

    /// Whether a cell of the matrix has a task of it.
    #[must_use]
    pub fn has(&self, cell: &CellId, task: &TaskId) -> bool {
        let sentinel = self.sentinel.as_ref().filter(|one| one.cell == *cell);
        sentinel.is_none_or(|one| one.tasks.contains(task))
    }

    /// Whether a task is one of the sentinel's.
    #[must_use]
    pub fn is_watched(&self, task: &TaskId) -> bool {
        let sentinel = self.sentinel.as_ref();
        sentinel.is_some_and(|one| one.tasks.contains(task))
    }

    /// The cases of the sentinel; none where its cell is not in the matrix.
    pub fn watched(&self) -> impl Iterator<Item = CaseId> {
        let is_sentinel = |case: &CaseId| {
            let sentinel = self.sentinel.as_ref();
            sentinel.is_some_and(|one| one.cell == case.cell)
        };
        self.cases().filter(is_sentinel)
    }

    /// All cases, task by task.
    pub fn cases(&self) -> impl Iterator<Item = CaseId> {
        self.tasks.iter().flat_map(|task| {
            let cells = self.cells.iter().filter(|cell| self.has(cell, task));
            cells.map(|cell| CaseId {
                task: task.clone(),
                cell: cell.clone(),
            })
        })
    }
}
