//! What is done with what passes between agents and models: nothing, it is written down, or what was
//! written down is played.

use super::Job;
use super::run::Ports;
use crate::context::{Finished, Trouble};
use crate::domain::{
    Budget, BudgetError, BudgetLimit, Moment, Recording, RecordingError, Recordings, Reservation,
    RolloutKey, Usd,
};
use crate::provider::Tape;
use std::sync::Arc;
use std::time::Duration;

/// What is done with the requests of live cells.
#[derive(Clone, Default)]
pub enum Traffic {
    /// They are sent.
    #[default]
    Sent,
    /// They are sent, and written down with what comes back.
    Recorded(Arc<dyn Recordings>),
    /// They are answered out of recordings: none is sent, and nothing is paid.
    Played(Arc<dyn Recordings>),
}

/// The tape of one rollout, and where its recording goes.
pub(super) struct Reel<'a> {
    pub(super) tape: Tape,
    keeps: Option<&'a dyn Recordings>,
    begun_at: Duration,
}

impl<'a> Reel<'a> {
    /// The tape of a job. A cell that is not live asks nobody, so it has nothing to be written down.
    pub(super) fn of(job: &Job, ports: &'a Ports) -> Result<Self, Trouble> {
        let begun_at = ports.clock.since_epoch();
        let (tape, keeps) = match &ports.traffic {
            _ if !job.cell.kind.live => (Tape::default(), None),
            Traffic::Sent => (Tape::default(), None),
            Traffic::Recorded(recordings) => (Tape::recording(), Some(recordings.as_ref())),
            Traffic::Played(recordings) => {
                let key = &job.planned.key;
                let found = recordings.of(key);
                let found = found.map_err(|error| Trouble::Fixture(error.to_string()))?;
                let recording = found.ok_or_else(|| never_recorded(key))?;
                (Tape::playing(recording, begun_at), None)
            }
        };
        Ok(Self {
            tape,
            keeps,
            begun_at,
        })
    }

    /// Makes a rollout invalid that is no repetition of its recording, whatever became of it. One
    /// that was stopped by something else says that, unless a request was another one.
    pub(super) fn holds(&self, finished: &mut Finished) {
        let left = || match finished.trouble {
            Some(_) => None,
            None => self.tape.left(),
        };
        if let Some(what) = self.tape.refused().or_else(left) {
            finished.trouble = Some(Trouble::Fixture(what));
        }
    }

    /// Keeps what was written down, its secrets masked.
    pub(super) fn keep(&self, key: &RolloutKey, ports: &Ports) -> Result<(), RecordingError> {
        let (Some(recordings), Some(exchanges)) = (self.keeps, self.tape.exchanges()) else {
            return Ok(());
        };
        let recording = Recording {
            key: key.clone(),
            begun_at: Moment(self.begun_at).rfc3339(),
            exchanges,
        };
        let unmaskable = |error: serde_json::Error| RecordingError(error.to_string());
        let value = serde_json::to_value(&recording).map_err(unmaskable)?;
        let masked = ports.redactor.value(value);
        recordings.keep(&serde_json::from_value(masked).map_err(unmaskable)?)
    }
}

impl Ports {
    /// The ceiling for live models. Where recordings are played there is none, and the requests are
    /// made as they were where one was held.
    pub(super) fn ceiling(&self) -> Option<BudgetLimit> {
        match self.traffic {
            Traffic::Played(_) => Some(BudgetLimit::Unlimited),
            Traffic::Sent | Traffic::Recorded(_) => self.budget,
        }
    }

    /// The ledger that live models are held to.
    pub(super) fn ledger(&self) -> Arc<dyn Budget> {
        match self.traffic {
            Traffic::Played(_) => Arc::new(NothingIsPaid),
            Traffic::Sent | Traffic::Recorded(_) => Arc::clone(&self.recorder) as _,
        }
    }
}

/// The ledger of a sweep that sends nothing.
struct NothingIsPaid;

impl Budget for NothingIsPaid {
    fn reserve(&self, _: &RolloutKey, _: Usd) -> Result<Reservation, BudgetError> {
        Ok(Reservation(0))
    }

    fn settle(&self, _: Reservation, _: Option<Usd>) -> Result<(), BudgetError> {
        Ok(())
    }
}

fn never_recorded(key: &RolloutKey) -> Trouble {
    Trouble::Fixture(format!(
        "the recording has nothing of {key}; help: record it (run --record), or leave it out"
    ))
}
