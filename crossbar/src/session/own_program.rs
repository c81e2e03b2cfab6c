//! The program that this process runs. Tasks start it again as their server (`${CROSSBAR_BIN}`), so
//! a sweep that loses it measures nothing any more, one rollout after the other.

use super::SessionError;
use crate::domain::{InfrastructureEvidence, Outcome, RunEvent, Sink, SinkError};
use crate::sweep::StopHandle;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Listens to a sweep, and stops it when a rollout could not start a server and this program is gone.
pub(super) struct OwnProgram {
    /// `None` where the system doesn't say.
    path: Option<PathBuf>,
    stop: StopHandle,
    gone: AtomicBool,
}

impl OwnProgram {
    /// A listener that stops the sweep of this handle.
    pub(super) fn watched(stop: &StopHandle) -> Arc<Self> {
        Arc::new(Self {
            path: std::env::current_exe().ok(),
            stop: stop.clone(),
            gone: AtomicBool::new(false),
        })
    }

    /// Refuses a sweep that was stopped for want of it.
    ///
    /// # Errors
    /// `SessionError` names the program.
    pub(super) fn must_be_there(&self) -> Result<(), SessionError> {
        match (&self.path, self.gone.load(Ordering::Relaxed)) {
            (Some(path), true) => Err(SessionError::new(format!(
                "the program that runs this sweep is gone: {}",
                path.display()
            ))
            .help(
                "it was deleted or built anew while the sweep ran; what was finished is kept: go on \
                 with --resume (CROSSBAR_RESUME=latest)",
            )),
            _ => Ok(()),
        }
    }
}

impl Sink for OwnProgram {
    fn on(&self, event: &RunEvent) -> Result<(), SinkError> {
        let RunEvent::RolloutFinished { rollout } = event else {
            return Ok(());
        };
        let no_server = matches!(
            rollout.outcome,
            Outcome::InfrastructureFailure {
                evidence: InfrastructureEvidence::ServerStart,
                ..
            }
        );
        if no_server && self.path.as_ref().is_some_and(|path| !path.is_file()) {
            self.gone.store(true, Ordering::Relaxed);
            self.stop.stop();
        }
        Ok(())
    }
}
