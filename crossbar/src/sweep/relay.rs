//! The gateway of a rollout whose model is asked by a program of its own.

use super::traffic::Reel;
use super::{Job, Ports};
use crate::context::Trouble;
use crate::domain::Relay;
use crate::provider::WorkClock;
use std::sync::Arc;

/// Opens the gateway; `None` where crossbar asks the model itself.
#[cfg(feature = "http")]
pub(super) async fn of(
    job: &Job,
    ports: &Ports,
    reel: &Reel<'_>,
    clock: &Arc<WorkClock>,
) -> Result<Option<Box<dyn Relay>>, Trouble> {
    use crate::domain::InfrastructureEvidence;
    use crate::gateway::{Gateway, Terms, protocol};
    use crate::provider::{Meter, is_paid};
    let cell = &job.cell;
    let Some(protocol) = protocol(&cell.model.provider) else {
        return Ok(None);
    };
    let paid = |limit| is_paid(&cell.model, &cell.kind, limit).map(|paid| paid.then_some(limit));
    let limit = ports.ceiling().map(paid).transpose();
    let limit = limit.map_err(|error| Trouble::Fixture(error.message))?;
    let meter = limit.flatten().map(|limit| Meter {
        budget: ports.ledger(),
        limit,
        key: job.planned.key.clone(),
        clock: Arc::clone(clock),
    });
    let terms = Terms {
        protocol,
        model: &cell.model,
        secret: cell.secret.as_deref(),
        limits: job.task.task.limits.clone(),
        meter,
        bounds: ports.lines.bounds(&cell.model),
        clock: Arc::clone(clock),
        tape: reel.tape.clone(),
    };
    match Gateway::open(terms).await {
        Ok(gateway) => Ok(Some(Box::new(gateway))),
        Err(error) => Err(Trouble::Infrastructure {
            evidence: InfrastructureEvidence::AgentStart,
            message: error.to_string(),
        }),
    }
}

/// Without the feature `http` no program has a model to ask.
#[cfg(not(feature = "http"))]
pub(super) async fn of(
    _job: &Job,
    _ports: &Ports,
    _reel: &Reel<'_>,
    _clock: &Arc<WorkClock>,
) -> Result<Option<Box<dyn Relay>>, Trouble> {
    Ok(None)
}
