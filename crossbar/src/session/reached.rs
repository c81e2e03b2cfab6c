//! What the solution of each task asserts, as a run recorded it: the list that every rollout of the
//! task is held to.

use crate::domain::{CellId, CheckOutcome, Control, Rollout, RolloutKey, TaskId};
use crate::score::{ToolsOffered, hold_to_all_checks};
use crate::store::StoreError;
use std::collections::BTreeMap;

/// The checks that only a task in code has, which alone can leave one out.
const IN_CODE: [&str; 2] = ["expect", "check"];

/// By task, what its solution asserted.
#[derive(Default)]
pub(super) struct Asserted {
    tasks: BTreeMap<TaskId, Solution>,
}

struct Solution {
    checks: Vec<CheckOutcome>,
    tools: ToolsOffered,
}

impl Asserted {
    /// Reads the solution of each task among `keys`, one record at a time.
    ///
    /// # Errors
    /// What `record` says.
    pub(super) fn read(
        keys: &[RolloutKey],
        record: impl Fn(&RolloutKey) -> Result<Option<Rollout>, StoreError>,
    ) -> Result<Self, StoreError> {
        let mut tasks = BTreeMap::new();
        for key in keys.iter().filter(|key| is_solution(&key.cell)) {
            if let Some(solution) = record(key)?.and_then(of_solution) {
                tasks.insert(key.task.clone(), solution);
            }
        }
        Ok(Self { tasks })
    }

    /// A rollout, held to all that the solution of its task asserted. Where no solution was
    /// recorded there is no list, and it stays as it is.
    pub(super) fn hold(&self, mut rollout: Rollout) -> Rollout {
        if let Some(solution) = self.tasks.get(&rollout.key.task) {
            hold_to_all_checks(&mut rollout, &solution.checks, solution.tools);
        }
        rollout
    }
}

fn is_solution(cell: &CellId) -> bool {
    Control::of(cell) == Some(Control::Solution)
}

/// `None` of a task in a file, and of a solution that solves nothing: its control is red.
fn of_solution(record: Rollout) -> Option<Solution> {
    let in_code = |check: &CheckOutcome| IN_CODE.contains(&check.kind.as_str());
    if !record.outcome.is_accepted() || !record.checks.iter().any(in_code) {
        return None;
    }
    let calls = record
        .trajectory
        .steps
        .iter()
        .any(|step| !step.calls.is_empty());
    Some(Solution {
        checks: record.checks,
        tools: if calls {
            ToolsOffered::Some
        } else {
            ToolsOffered::None
        },
    })
}
