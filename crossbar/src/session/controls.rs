//! The controls of every task: played by the scripted model under `react`, through the same sweep
//! as any rollout, and kept apart from the cells in everything that is read out of the record.

use super::parts::Parts;
use super::{SessionError, Sketch};
use crate::analysis::{ControlLine, control_line, control_lines};
use crate::domain::{
    CaseId, CellId, Control, HarnessSpec, Model, Price, ProviderKind, Rollout, RolloutKey, RunId,
};
use crate::fingerprint::seed_of;
use crate::plan::PlannedRollout;
use crate::provider;
use crate::report::control_trouble;
use crate::sweep::{CellEntry, Job, TaskEntry};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Who plays a script, and in which loop.
const PROVIDER: &str = "scripted";
const HARNESS: &str = "react";

/// The fingerprint of what stands in a cell's place: raise it when controls are played otherwise.
pub(super) const FINGERPRINT: &str = "control 1";

/// What stands in a cell's place in the controls of a task.
pub(super) fn cells(entry: &TaskEntry) -> Vec<CellId> {
    let controls = entry.controls().into_iter();
    controls
        .filter_map(|(control, _)| control.cell().ok())
        .collect()
}

/// The jobs of the controls that are wanted, task by task. A control has its position among all
/// controls, whichever are wanted, and those of tasks that were not read count too; both are sorted
/// by id.
pub(super) fn jobs(
    tasks: &[Arc<TaskEntry>],
    unread: &[Sketch],
    wanted: &dyn Fn(&CaseId) -> bool,
) -> Vec<Job> {
    let Some(provider) = provider::kind(PROVIDER) else {
        return Vec::new();
    };
    let mut jobs = Vec::new();
    let mut position = 0;
    let mut unread = unread.iter().peekable();
    for entry in tasks {
        while let Some(before) = unread.next_if(|one| one.id < entry.task.id) {
            position += u32::try_from(before.controls.len()).unwrap_or(u32::MAX);
        }
        for (control, script) in entry.controls() {
            let Ok(id) = control.cell() else {
                continue;
            };
            let key = RolloutKey {
                cell: id.clone(),
                task: entry.task.id.clone(),
                repeat: 1,
            };
            if wanted(&key.case()) {
                jobs.push(Job {
                    planned: PlannedRollout {
                        key,
                        position,
                        // Nothing is random in it, so the seed says which script was played.
                        seed: seed_of(0, &[&json!(script).to_string()]),
                    },
                    task: Arc::clone(entry),
                    cell: Arc::new(stand_in(id, *provider)),
                    control: Some(Arc::new(script.clone())),
                });
            }
            position += 1;
        }
    }
    jobs
}

/// What stands in a cell's place.
fn stand_in(id: CellId, kind: ProviderKind) -> CellEntry {
    CellEntry {
        id,
        model: model(),
        harness: react(),
        kind,
        secret: None,
        fingerprint: FINGERPRINT.to_owned(),
    }
}

fn model() -> Model {
    Model {
        id: "control".to_owned(),
        provider: PROVIDER.to_owned(),
        model: "control".to_owned(),
        base_url: None,
        api_key_env: None,
        price: Price::Free,
        params: BTreeMap::<String, Value>::new(),
        limits: crate::domain::ModelLimits::default(),
        skill: 1.0,
        recover: 0.0,
    }
}

fn react() -> HarnessSpec {
    HarnessSpec {
        id: HARNESS.to_owned(),
        kind: HARNESS.to_owned(),
        verify: false,
        instructions: None,
        additions: Default::default(),
        command: None,
    }
}

/// Whether a rollout is a control's.
#[must_use]
pub fn is_control(key: &RolloutKey) -> bool {
    Control::of(&key.cell).is_some()
}

/// Whether a case is a control.
#[must_use]
pub fn is_control_case(case: &CaseId) -> bool {
    Control::of(&case.cell).is_some()
}

/// Why the record of a control is red, for a person; `None` where it ended as it must.
#[must_use]
pub fn trouble_of_control(rollout: &Rollout) -> Option<String> {
    control_trouble(&control_line(rollout))
}

/// Every control that somebody planned, or that a task of the run has, with what it showed.
///
/// # Errors
/// `SessionError` when a record can't be read.
pub(super) fn lines(
    parts: &Parts,
    of_tasks: impl IntoIterator<Item = RolloutKey>,
) -> Result<Vec<ControlLine>, SessionError> {
    let planned = parts.planned()?.into_iter();
    let planned: BTreeSet<_> = planned.filter(is_control).chain(of_tasks).collect();
    let mut planned: Vec<_> = planned.into_iter().collect();
    let order = |key: &RolloutKey| (key.task.clone(), Control::of(&key.cell));
    planned.sort_by_key(order);
    let mut lines = Vec::new();
    for key in planned {
        // One at a time: whole records are large.
        let record: Vec<_> = parts.record(&key)?.into_iter().collect();
        lines.extend(control_lines(&[key], &record));
    }
    Ok(lines)
}

/// Refuses to go on with a run whose finished controls were played with other scripts.
pub(super) fn unchanged(
    run: &RunId,
    rollouts: &[Rollout],
    done: &[Job],
) -> Result<(), SessionError> {
    for job in done.iter().filter(|job| job.control.is_some()) {
        let key = &job.planned.key;
        let record = rollouts.iter().find(|one| one.key == *key);
        if record.is_some_and(|one| one.schedule.seed != job.planned.seed) {
            return Err(SessionError::new(format!(
                "the script of {} has changed since run {run} began",
                key.case()
            ))
            .help("begin a new run"));
        }
    }
    Ok(())
}
