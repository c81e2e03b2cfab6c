//! What a task function reads of the world itself, as it is recorded.

use super::{Result, TaskError};
use crate::domain::Observation;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fmt;

/// What was read, to be recorded, and as the task gets it: made again from the record, so that a
/// rollout that is judged later meets the same value.
pub(super) fn own_observation<T, E>(read: std::result::Result<T, E>) -> (Observation, Result<T>)
where
    T: Serialize + DeserializeOwned,
    E: fmt::Display,
{
    let value = match read {
        Ok(value) => serde_json::to_value(value).map_err(TaskError::from),
        Err(error) => Err(TaskError::from(error)),
    };
    match value {
        Ok(value) => {
            let again = serde_json::from_value(value.clone()).map_err(TaskError::from);
            (Observation::Value(value), again)
        }
        Err(error) => (Observation::Failed(error.message().to_owned()), Err(error)),
    }
}
