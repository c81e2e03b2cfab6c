//! What passed between one rollout and its model, as a recording keeps it, and the port behind which
//! recordings lie.

use super::RolloutKey;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// All that passed between one rollout and its model. It holds no address, no key and no header of a
/// request.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Recording {
    /// The rollout.
    pub key: RolloutKey,
    /// When it was begun, RFC 3339 UTC: programs tell their models the day.
    pub begun_at: String,
    /// Its requests in the order in which they came.
    pub exchanges: Vec<RecordedExchange>,
}

/// One request and what came back.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RecordedExchange {
    /// What was asked for: the last part of the request's path, without a query.
    pub asked: String,
    /// The body as it was sent; one that is no JSON is a text.
    pub request: Value,
    /// What came back.
    pub answer: RecordedAnswer,
}

/// What came back on a request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum RecordedAnswer {
    /// Nothing had come when the rollout ended.
    Pending,
    /// No connection was made.
    Unreachable {
        /// Why, in crossbar's words.
        message: String,
    },
    /// The connection ended before an answer began.
    Silent {
        /// Why, in crossbar's words.
        message: String,
    },
    /// An answer began.
    Answered {
        /// The HTTP status.
        status: u16,
        /// Name and value of the headers that say how to read it and when to ask again.
        headers: Vec<(String, String)>,
        /// The body as far as it was read, a stream's pieces in one.
        body: String,
        /// How the body ended.
        end: BodyEnd,
    },
}

/// How the body of a recorded answer ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum BodyEnd {
    /// In good order.
    Whole,
    /// The connection broke.
    Cut {
        /// Why, in crossbar's words.
        message: String,
    },
    /// Nobody read further: all that was wanted had come, or the rollout was over.
    LeftThere,
}

/// Why a recording could not be kept or read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct RecordingError(pub String);

/// Where the recordings of one run lie.
pub trait Recordings: Send + Sync {
    /// Keeps the recording of a rollout, in the place of an earlier one of the same.
    ///
    /// # Errors
    /// `RecordingError` when it can't be written.
    fn keep(&self, recording: &Recording) -> Result<(), RecordingError>;

    /// The recording of a rollout; `None` where there is none.
    ///
    /// # Errors
    /// `RecordingError` when it can't be read.
    fn of(&self, key: &RolloutKey) -> Result<Option<Recording>, RecordingError>;
}
