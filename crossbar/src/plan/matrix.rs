//! Every cell times every task, and how often.

use crate::domain::{CaseId, CellId, TaskId};

/// Every cell times every task, `repeats` times.
#[derive(Debug, Clone, Default)]
pub struct Matrix {
    /// The cells, in the roster's order.
    pub cells: Vec<CellId>,
    /// The tasks, in the order of their ids.
    pub tasks: Vec<TaskId>,
    /// Rollouts per case, at least 1.
    pub repeats: u32,
}

impl Matrix {
    /// How many rollouts it holds.
    #[must_use]
    pub fn rollouts(&self) -> usize {
        self.cells.len() * self.tasks.len() * self.repeats as usize
    }

    /// All cases, task by task.
    pub fn cases(&self) -> impl Iterator<Item = CaseId> {
        self.tasks.iter().flat_map(|task| {
            self.cells.iter().map(|cell| CaseId {
                task: task.clone(),
                cell: cell.clone(),
            })
        })
    }
}
