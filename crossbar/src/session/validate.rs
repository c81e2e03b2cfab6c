//! What would run, as a value that test binaries can send: nothing is started for it.

use super::{Prepared, RecordedRuns, SessionError, stored};
use crate::analysis::{ControlLine, Design};
use crate::domain::{Control, TaskId, UnmetTasks, unmet_lines};
use crate::report::{control_trouble, controls_summary, controls_table, reach_line};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// What would run.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Outlook {
    /// The cells that would run.
    pub cells: BTreeSet<String>,
    /// Live cells that are left out until somebody allows and funds them.
    pub withheld: BTreeSet<String>,
    /// The tasks.
    pub tasks: BTreeSet<TaskId>,
    /// The tasks that can't run, which are none of them.
    #[serde(default)]
    pub unmet: UnmetTasks,
    /// How many controls they have.
    pub controls: usize,
    /// How many rollouts of cells would run.
    pub rollouts: usize,
    /// The fingerprint of every cell, of those that are left out too.
    pub cell_prints: BTreeMap<String, String>,
    /// The fingerprint of every task.
    pub task_prints: BTreeMap<TaskId, String>,
    /// The sentinel of the gate, and how many of these rollouts are its own.
    #[serde(default)]
    pub watched: BTreeMap<String, usize>,
    /// What a sweep would be made of, live cells that are left out among it.
    pub design: Option<Design>,
}

impl Outlook {
    /// What a sweep would hold.
    #[must_use]
    pub fn of(prepared: &Prepared) -> Self {
        let names = |ids: &mut dyn Iterator<Item = String>| ids.collect();
        let mut controls = 0;
        prepared.each_case(&mut |case| {
            controls += usize::from(Control::of(case.cell).is_some());
        });
        Self {
            cells: names(&mut prepared.cells.iter().map(|cell| cell.id.to_string())),
            withheld: names(&mut prepared.withheld.iter().map(ToString::to_string)),
            tasks: prepared
                .tasks
                .iter()
                .map(|one| one.task.id.clone())
                .collect(),
            unmet: prepared.unmet(),
            controls,
            rollouts: prepared.rollouts(),
            watched: prepared.watched().into_iter().collect(),
            cell_prints: prepared.cell_prints.clone(),
            task_prints: prepared.task_prints(),
            design: prepared.design().ok(),
        }
    }

    /// This and what another process of the same run would hold.
    #[must_use]
    pub fn and(mut self, other: Self) -> Self {
        self.cells.extend(other.cells);
        self.withheld.extend(other.withheld);
        self.tasks.extend(other.tasks);
        self.unmet.extend(other.unmet);
        self.controls += other.controls;
        self.rollouts += other.rollouts;
        for (cell, count) in other.watched {
            *self.watched.entry(cell).or_default() += count;
        }
        self.cell_prints.extend(other.cell_prints);
        self.task_prints.extend(other.task_prints);
        self.design = match (self.design, other.design) {
            (Some(one), Some(two)) => Some(super::plan::joined(one, two)),
            (one, two) => one.or(two),
        };
        self
    }

    /// Refuses a project in which no task would run.
    ///
    /// # Errors
    /// `SessionError` says what is missing.
    pub fn must_have_tasks(&self) -> Result<(), SessionError> {
        match (self.tasks.is_empty(), self.unmet.is_empty()) {
            (false, _) => Ok(()),
            (true, false) => Err(super::prepare::cannot_run(&self.unmet)),
            (true, true) => Err(SessionError::new("there is no task here")
                .help("write a `*.task.yaml` in a folder below the roster, or name one: --pack")),
        }
    }

    /// The tasks that can't run, a line for each lack.
    #[must_use]
    pub fn not_run(&self) -> Vec<String> {
        unmet_lines(&self.unmet)
    }

    /// The sentinel's rollouts, which no figure of a plan counts; `None` where there are none.
    #[must_use]
    pub fn beside(&self) -> Option<String> {
        let beside = |(cell, count): (&String, &usize)| {
            format!("note: the sentinel {cell} adds {count} rollouts, which no figure here counts")
        };
        self.watched.iter().map(beside).next()
    }

    /// What can be shown at all at this size, on one line; `None` where there is nothing to
    /// compare.
    #[must_use]
    pub fn reach(&self) -> Option<String> {
        let design = self.design.as_ref()?;
        let line = reach_line(design, &design.reach().ok()?);
        (!line.is_empty()).then_some(line)
    }
}

/// The controls of a run, as `validate` prints them.
pub struct Proof(Vec<ControlLine>);

impl Proof {
    /// Reads the controls of a run out of its record.
    ///
    /// # Errors
    /// `SessionError` when there is no such run, or it can't be read.
    pub fn read(results_dir: &Path, run: &str) -> Result<Self, SessionError> {
        let runs = RecordedRuns::find(results_dir, &[run.to_owned()])?;
        Ok(Self(stored::asked(&runs.parts()?, None)?.controls))
    }

    /// The table of tasks and controls, what is wrong with each red one, and how many hold.
    #[must_use]
    pub fn text(&self) -> String {
        let mut parts = vec![controls_table(&self.0)];
        for line in &self.0 {
            if let Some(trouble) = control_trouble(line) {
                let name = format!("{}::{}", line.task, line.control);
                parts.push(format!("{name}\n{}\n", indented(&trouble)));
            }
        }
        parts.push(format!("controls: {}", self.held()));
        parts.join("\n")
    }

    /// How many hold, as `24 of 24 hold`.
    #[must_use]
    pub fn held(&self) -> String {
        controls_summary(&self.0).unwrap_or_else(|| "none".to_owned())
    }

    /// What the shell sees: a failure stands over what could not be measured.
    #[must_use]
    pub fn exit(&self) -> super::Exit {
        let findings = || self.0.iter().map(|line| &line.finding);
        if findings().any(|one| one.is_measured() && !one.holds()) {
            super::Exit::Failed
        } else if findings().all(crate::analysis::ControlFinding::holds) {
            super::Exit::Done
        } else {
            super::Exit::Incomplete
        }
    }
}

fn indented(text: &str) -> String {
    let lines = text.lines().map(|line| format!("  {line}"));
    lines.collect::<Vec<_>>().join("\n")
}
