//! Every cell times every task, and how often.

use crate::domain::{CaseId, CellId};
use crate::task::Task;

/// Every cell times every task, `repeats` times.
#[derive(Debug, Clone)]
pub struct Matrix<'a> {
    /// The cells, in the roster's order.
    pub cells: Vec<CellId>,
    /// The tasks, in the order of their ids.
    pub tasks: Vec<&'a Task>,
    /// Rollouts per case, at least 1.
    pub repeats: u32,
}

impl Matrix<'_> {
    /// All cases, task by task.
    pub fn cases(&self) -> impl Iterator<Item = CaseId> {
        self.tasks.iter().flat_map(|task| {
            self.cells.iter().map(|cell| CaseId {
                task: task.id.clone(),
                cell: cell.clone(),
            })
        })
    }
}
