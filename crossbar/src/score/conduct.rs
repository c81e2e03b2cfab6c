//! What a trajectory says about conduct: counts of calls by what became of them.

use crate::domain::{CallOutcome, Ending, StepKind, Trajectory};

/// Counts over one trajectory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Conduct {
    /// Calls that a tool answered.
    pub(super) answered: u32,
    /// Calls that ended in an error of a tool or its protocol, and calls of tools that there are
    /// not.
    pub(super) errors: u32,
    /// Calls whose arguments were no JSON object, and replies whose form had to be corrected.
    pub(super) malformed: u32,
    /// Calls that reached a tool, whatever it answered.
    pub(super) executed: u32,
    /// Whether no call was answered after the last error.
    pub(super) ends_in_error: bool,
}

impl Conduct {
    pub(super) fn of(trajectory: &Trajectory) -> Self {
        let mut conduct = Self::default();
        for step in &trajectory.steps {
            conduct.malformed += u32::from(step.kind == StepKind::Correction);
            for call in &step.calls {
                conduct.executed += u32::from(call.executed());
                conduct.count(&call.outcome);
            }
        }
        conduct
    }

    fn count(&mut self, outcome: &CallOutcome) {
        match outcome {
            CallOutcome::Result { .. } => {
                self.answered += 1;
                self.ends_in_error = false;
            }
            CallOutcome::Error { .. } | CallOutcome::Unknown => {
                self.errors += 1;
                self.ends_in_error = true;
            }
            CallOutcome::Malformed { .. } => self.malformed += 1,
            CallOutcome::Blocked { .. } | CallOutcome::NotRun => {}
        }
    }
}

/// Whether the agent came to an end of its own, with an answer.
pub(super) fn finished(trajectory: &Trajectory) -> bool {
    trajectory.ending == Some(Ending::Answered)
}
