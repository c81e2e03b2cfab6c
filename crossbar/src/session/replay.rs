//! A run that plays a recording: which cells it has, what is asked of it, and what is never made of
//! it. It holds the code around the models still, and says nothing about them.

use super::recording::RecordedRun;
use super::{Concluded, RunOptions, SessionError};
use crate::domain::RunId;
use crate::sweep::CellEntry;
use serde_json::{Value, json};
use std::path::Path;
use std::sync::Arc;

/// The recording that a run plays; `None` where models are asked.
///
/// # Errors
/// `SessionError` when there is none in its folder, and when no cell would ask for an answer of it.
pub(super) fn played(
    options: &RunOptions,
    cells: &[CellEntry],
) -> Result<Option<Arc<RecordedRun>>, SessionError> {
    let Some(folder) = &options.replay else {
        return Ok(None);
    };
    let recording = RecordedRun::open(Path::new(folder))?;
    match cells.iter().any(|cell| cell.kind.live) {
        true => Ok(Some(Arc::new(recording))),
        false => Err(
            SessionError::new("no cell of this run asks a model that can be replayed")
                .help("mock and scripted models are the same in every run; leave --replay out"),
        ),
    }
}

/// Refuses to record where nothing would be.
///
/// # Errors
/// `SessionError` when no cell that runs now asks a live model.
pub(super) fn must_have_something(
    options: &RunOptions,
    cells: &[Arc<CellEntry>],
) -> Result<(), SessionError> {
    let records = options.record && !cells.iter().any(|cell| cell.kind.live);
    match records {
        true => Err(
            SessionError::new("there is nothing to record: no live cell would run")
                .help("give --live and a budget; mock and scripted models need no recording"),
        ),
        false => Ok(()),
    }
}

/// Takes out of a run's settings what a replay can't answer, and says whose answers it plays.
pub(super) fn put(settings: &mut Value, recording: Option<&Arc<RecordedRun>>) {
    let (Some(recording), Some(fields)) = (recording, settings.as_object_mut()) else {
        return;
    };
    for key in ["baseline", "quality_bar"] {
        fields.insert(key.to_owned(), Value::Null);
    }
    fields.remove("task_looks");
    fields.insert("replay_of".to_owned(), json!(recording.head.run));
}

impl Concluded {
    /// The run whose recorded answers it played; `None` where models were asked.
    pub(super) fn replay_of(&self) -> Option<&RunId> {
        self.asked.question.replay_of.as_ref()
    }

    /// Refuses to make anything of a replay that speaks of models; `what` says what is not made.
    ///
    /// # Errors
    /// `SessionError` names the recorded run.
    pub(super) fn must_have_asked(&self, what: &str) -> Result<(), SessionError> {
        let Some(run) = self.replay_of() else {
            return Ok(());
        };
        Err(SessionError::new(format!(
            "run {} is replayed from run {run} and says nothing about the models: {what}",
            self.run()
        ))
        .help(format!("name the run that asked them: {run}")))
    }
}
