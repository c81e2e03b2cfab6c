//! Why a report could not be rendered or read back.

use crate::domain::{IdError, RolloutKey};

/// Why a report could not be rendered, or a sweep.json not be read back.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReportError {
    /// The writer refused.
    #[error("the report could not be written to its destination: {0}")]
    Write(#[from] std::io::Error),
    /// The whole record of a rollout could not be had.
    #[error("the record of {key} can't be read: {why}")]
    Record {
        /// The rollout.
        key: Box<RolloutKey>,
        /// What its source said.
        why: String,
    },
    /// The record of a rollout does not say when it began.
    #[error("the record of {0} can't be told to other tools: it does not say when it began")]
    Moment(Box<RolloutKey>),
    /// A value could not become JSON, or the text is no sweep.json.
    #[error("sweep.json: {0}")]
    Json(#[from] serde_json::Error),
    /// The XML could not be made.
    #[error("junit.xml: {0}")]
    Junit(#[from] quick_junit::SerializeError),
    /// The file was written by another schema.
    #[error(
        "sweep.json has schema_version {found}, and this crossbar reads {known}: use the crossbar that wrote it"
    )]
    Schema {
        /// What the file says.
        found: u64,
        /// What is read here.
        known: u64,
    },
    /// A reference file holds what no reference is.
    #[error("line {line}: {what}")]
    Reference {
        /// The line, from 1.
        line: usize,
        /// What is wrong with it.
        what: String,
    },
    /// A name in the file is not one.
    #[error("sweep.json: {0}")]
    Id(#[from] IdError),
}
