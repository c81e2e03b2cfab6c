//! Which run of a record a person means, and why a run can't be gone on with.

use super::{Prepared, SessionError};
use crate::domain::RunId;
use crate::fingerprint::differences;
use crate::store::{Store, StoreError};

/// The run that a person means.
///
/// # Errors
/// `SessionError` names the newest runs that there are.
pub(super) fn resolve(store: &Store, text: &str) -> Result<RunId, SessionError> {
    const FEW: usize = 5;
    store.resolve(text).map_err(|error| {
        let runs = store.runs().unwrap_or_default();
        let newest: Vec<_> = runs.iter().take(FEW).map(|run| run.id.as_str()).collect();
        let help = match (newest.is_empty(), runs.len().saturating_sub(FEW)) {
            (true, _) => "run `cargo test`, `cargo nextest run` or `crossbar run` first".to_owned(),
            (false, 0) => format!("the runs are {}", newest.join(", ")),
            (false, more) => format!(
                "the newest runs are {}, and {more} older ones",
                newest.join(", ")
            ),
        };
        SessionError::from(error).help(help)
    })
}

/// Names what has changed when a run can't be gone on with.
pub(super) fn explained(
    store: &Store,
    run: &RunId,
    prepared: &Prepared,
    error: StoreError,
) -> SessionError {
    let head = store.view(run).and_then(|view| view.head());
    let old = match (&error, head) {
        (StoreError::SettingsDiffer { .. }, Ok(head)) => head.settings,
        _ => return error.into(),
    };
    let changed = differences(&old, &prepared.settings);
    SessionError::new(format!(
        "run {run} was begun with other settings: {}",
        changed.join("; ")
    ))
    .help("go on with the settings that it was begun with, or begin a new run")
}
