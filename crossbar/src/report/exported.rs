//! One rollout as other tools are told of it: its record, what was said to its agent, what its run
//! knows of its cell, and its own moments.

use super::trace::{Cut, HashBytes, shortened};
use super::{Frozen, ReportError};
use crate::analysis::{CellInfo, TaskInfo};
use crate::domain::{AgentRun, Moment, Rollout, Stage, Step};
use serde_json::Value;

/// What nobody told, where a format demands a text.
pub(super) const UNKNOWN: &str = "unknown";

/// One rollout of a run, with all that a format of another tool tells of it.
pub struct Exported<'a> {
    /// The run that it belongs to.
    pub(super) frozen: &'a Frozen<'a>,
    /// The record, its huge tool results cut.
    pub(super) rollout: Rollout,
    /// What was cut, in order.
    pub(super) cut: Vec<Cut>,
    /// When its agent began.
    pub(super) began: Moment,
    task_prompt: Option<&'a str>,
    hash: HashBytes,
}

impl<'a> Exported<'a> {
    /// A rollout of this run. `prompt` is the task's, where it is known; `hash` makes ids.
    ///
    /// # Errors
    /// When its record does not say when it began.
    pub fn new(
        frozen: &'a Frozen<'a>,
        rollout: &Rollout,
        prompt: Option<&'a str>,
        hash: HashBytes,
    ) -> Result<Self, ReportError> {
        let Some(started) = Moment::read(&rollout.started_at) else {
            return Err(ReportError::Moment(Box::new(rollout.key.clone())));
        };
        let before = rollout.stages.iter();
        let before =
            before.take_while(|one| matches!(one.stage, Stage::Validate | Stage::Provision));
        let began = before.fold(started, |moment, one| moment.plus_ms(one.ms));
        let (rollout, cut) = shortened(rollout, hash);
        Ok(Self {
            frozen,
            rollout,
            cut,
            began,
            task_prompt: prompt,
            hash,
        })
    }

    /// What names it among all rollouts of all runs.
    pub(super) fn id(&self) -> String {
        let (key, run) = (&self.rollout.key, &self.frozen.run_id);
        let attempt = self.rollout.attempt;
        format!(
            "{}::{}::r{}.{attempt}",
            run.as_str(),
            key.case(),
            key.repeat
        )
    }

    /// The first hexadecimal digits of a hash over its id and this part of it.
    pub(super) fn digits(&self, part: &str, count: usize) -> String {
        let mut digits = (self.hash)(format!("{}\n{part}", self.id()).as_bytes());
        digits.truncate(count);
        digits
    }

    /// Milliseconds of its own clock as a moment.
    pub(super) fn at(&self, ms: u64) -> Moment {
        self.began.plus_ms(ms)
    }

    /// When its agent had ended: after its stage, and not before its last step.
    pub(super) fn ended(&self) -> Moment {
        let stages = self.rollout.stages.iter();
        let stages = stages.filter(|one| one.stage == Stage::Execute);
        let stage = stages.map(|one| one.ms).max().unwrap_or_default();
        let steps = self.rollout.trajectory.steps.iter();
        let steps = steps.flat_map(|step| {
            let calls = step.calls.iter().map(|call| (call.at_ms, call.took_ms));
            calls.chain([(step.at_ms, step.took_ms)])
        });
        let last = steps.map(|(at, took)| at.saturating_add(took)).max();
        self.at(last.unwrap_or_default().max(stage))
    }

    /// What its agent was told first; `None` where the record does not hold it.
    pub(super) fn prompt(&self) -> Option<&str> {
        let told = self.program().map(|run| run.prompt.as_str());
        told.filter(|prompt| !prompt.is_empty())
            .or(self.task_prompt)
    }

    /// The program that drove the model, where one did.
    pub(super) fn program(&self) -> Option<&AgentRun> {
        self.rollout.trajectory.agent.as_deref()
    }

    /// The kind of the harness.
    pub(super) fn agent(&self) -> &str {
        let cell = self.cell().map(|cell| cell.harness.as_str());
        cell.unwrap_or_else(|| self.rollout.key.cell.harness())
    }

    /// The version of the program that drove the model, else crossbar's own.
    pub(super) fn version(&self) -> &str {
        match self.program() {
            Some(run) => run.version.as_deref().unwrap_or(UNKNOWN),
            None => &self.frozen.meta.crossbar,
        }
    }

    /// The model that was asked for.
    pub(super) fn requested(&self) -> Option<&str> {
        Some(self.cell()?.requested_model.as_str())
    }

    /// The cell as the question has it.
    pub(super) fn cell(&self) -> Option<&CellInfo> {
        let mut cells = self.frozen.question.cells.iter();
        cells.find(|cell| cell.id == self.rollout.key.cell)
    }

    /// The task as the question has it.
    pub(super) fn task(&self) -> Option<&TaskInfo> {
        let mut tasks = self.frozen.question.tasks.iter();
        tasks.find(|task| task.id == self.rollout.key.task)
    }

    /// A part of the cell's frozen configuration, by its JSON pointer; `None` where it is unknown.
    pub(super) fn configured(&self, pointer: &str) -> Option<&Value> {
        let mut cells = self.frozen.meta.cells.iter();
        let cell = cells.find(|cell| cell.cell == self.rollout.key.cell)?;
        let part = cell.configuration.pointer(pointer)?;
        (!part.is_null() && part != UNKNOWN).then_some(part)
    }

    /// Whether a request to the model is known of a step: a program may tell of answers that
    /// nobody saw being asked for.
    pub(super) fn is_seen(&self, step: &Step) -> bool {
        self.program().is_none() || step.usage.is_some() || step.answered_model.is_some()
    }
}
