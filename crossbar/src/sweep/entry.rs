//! What one job needs: a planned rollout, its task with what makes it run, and its cell.

use crate::context::Body;
use crate::domain::{Broken, CellId, Control, HarnessSpec, Model, ProviderKind, Script};
use crate::plan::PlannedRollout;
use crate::task::Task;
use std::sync::Arc;

/// A task with what makes it run.
#[derive(Clone)]
pub struct TaskEntry {
    /// The task.
    pub task: Task,
    /// What makes it run.
    pub work: Work,
}

/// What makes a task run.
#[derive(Clone)]
pub enum Work {
    /// Its own declaration.
    Declared,
    /// A function, and the script that pretend models play.
    Coded {
        /// The function.
        body: Body,
        /// The solution, where there is one.
        solution: Option<Script>,
        /// Mistakes that it must not accept.
        broken: Vec<Broken>,
    },
}

impl TaskEntry {
    /// The script that pretend models play.
    #[must_use]
    pub fn script(&self) -> Option<&Script> {
        match &self.work {
            Work::Declared => self
                .task
                .declared
                .as_ref()
                .and_then(|task| task.demo.as_ref()),
            Work::Coded { solution, .. } => solution.as_ref(),
        }
    }
}

impl TaskEntry {
    /// The task's controls, each with its script, the no-op first.
    #[must_use]
    pub fn controls(&self) -> Vec<(Control, &Script)> {
        let broken = match &self.work {
            Work::Declared => {
                let declared = self.task.declared.as_ref();
                declared.map_or(&[][..], |task| &task.broken)
            }
            Work::Coded { broken, .. } => broken,
        };
        Control::of_task(self.script(), broken)
    }
}

/// A cell with all that drives it.
#[derive(Clone)]
pub struct CellEntry {
    /// Its id.
    pub id: CellId,
    /// The model.
    pub model: Model,
    /// The harness.
    pub harness: HarnessSpec,
    /// What the model's provider kind promises.
    pub kind: ProviderKind,
    /// The value of the variable that `api_key_env` names.
    pub secret: Option<String>,
    /// The configuration's fingerprint.
    pub fingerprint: String,
}

/// One rollout to run.
#[derive(Clone)]
pub struct Job {
    /// Which, where and with what seed.
    pub planned: PlannedRollout,
    /// The task.
    pub task: Arc<TaskEntry>,
    /// The cell, or what stands in its place.
    pub cell: Arc<CellEntry>,
    /// What a control plays; `None` in a rollout of the matrix.
    pub control: Option<Arc<Script>>,
}
