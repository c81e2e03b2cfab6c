//! What an agent has been told and has done: the part of a session that outlives it.

use crate::domain::{Ending, LimitKind, Trajectory};
use crate::provider::{ChatRequest, Message};
use std::time::Duration;

/// What an agent has been told and has done, over all prompts of one rollout.
///
/// It stays with the caller, so it is there after a drive was dropped at a timeout.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Conversation {
    /// The request as it grows; only its messages last from one prompt to the next.
    pub(super) request: ChatRequest,
    pub(super) trajectory: Trajectory,
    /// The clock's reading when the first session began.
    pub(super) started: Option<Duration>,
    /// Time that its sessions took.
    pub(super) worked: Duration,
    /// Tool calls that the model asked for so far.
    pub(super) asked_calls: u32,
    /// Whether the one self-check turn of the rollout has begun.
    pub(super) verified: bool,
}

impl Conversation {
    /// What the agent did so far.
    #[must_use]
    pub fn trajectory(&self) -> &Trajectory {
        &self.trajectory
    }

    /// What the agent did.
    #[must_use]
    pub fn into_trajectory(self) -> Trajectory {
        self.trajectory
    }

    /// What was said so far, oldest first.
    #[must_use]
    pub fn messages(&self) -> &[Message] {
        &self.request.messages
    }

    /// Ends it at a ceiling: for the caller whose timer ran out under a drive. An ending that is
    /// already there stays.
    pub fn cut(&mut self, limit: LimitKind) {
        self.trajectory
            .ending
            .get_or_insert(Ending::Limit { limit });
    }
}
