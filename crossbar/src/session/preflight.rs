//! Before anything is paid: is anybody there? One request to each endpoint that the sweep will ask,
//! which costs nothing, so that a machine without a network is told within seconds.

use super::SessionError;
use crate::provider::{self, ProviderError, ProviderErrorKind, Setup};
use crate::sweep::{CellEntry, Job};
use std::collections::BTreeMap;
use std::time::Duration;

/// How long an endpoint may think about a request that costs nothing. One that has taken the
/// connection and is busy is there.
const PATIENCE: Duration = Duration::from_secs(15);

/// Asks each endpoint of the jobs' live cells once.
///
/// # Errors
/// `SessionError` when nobody is there, when the key is refused, or when a model can't be set up.
pub(super) fn preflight(jobs: &[Job]) -> Result<(), SessionError> {
    let live = jobs
        .iter()
        .map(|job| job.cell.as_ref())
        .filter(|cell| cell.kind.live);
    let mut endpoints: BTreeMap<_, &CellEntry> = BTreeMap::new();
    for cell in live {
        let model = &cell.model;
        let place = (&model.provider, &model.base_url, &model.api_key_env);
        endpoints.entry(place).or_insert(cell);
    }
    if endpoints.is_empty() {
        return Ok(());
    }
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|error| SessionError::new(format!("failed to start a runtime: {error}")))?;
    endpoints
        .into_values()
        .try_for_each(|cell| runtime.block_on(ask(cell)))
        .map_err(told)
}

async fn ask(cell: &CellEntry) -> Result<(), ProviderError> {
    let setup = Setup {
        secret: cell.secret.clone(),
        ..Setup::default()
    };
    let provider = provider::build(&cell.model, &setup)?;
    let asked = tokio::time::timeout(PATIENCE, provider.preflight()).await;
    asked.unwrap_or(Ok(()))
}

fn told(error: ProviderError) -> SessionError {
    let help = match error.kind {
        ProviderErrorKind::Configuration => None,
        ProviderErrorKind::Settings(_) => {
            Some("give the variable that `api_key_env` names the key of this endpoint")
        }
        _ => Some(
            "see that the network is up, `base_url` is right and the server runs; nothing was run \
             and nothing was paid",
        ),
    };
    let told = SessionError::new(error.message);
    match help {
        Some(help) => told.help(help),
        None => told,
    }
}
