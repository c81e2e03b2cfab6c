//! What a sweep writes through: its sink and its budget, shared by all its threads.

use super::attempt::{self, Ended, Live};
use super::open::Inner;
use super::worker::Worker;
use super::writer::Durability;
use super::{StoreError, ledger, read};
use crate::domain::{
    Budget, BudgetError, BudgetStatus, Reservation, Rollout, RolloutKey, RunEvent, Sink, SinkError,
    Usd,
};
use rusqlite::{Connection, params};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Records one run. As a [`Sink`] it takes the run's events; as a [`Budget`] it holds the
/// money. Dropping it gives up the attempts that it has not ended: `recover` finds them.
pub struct Recorder {
    store: Arc<Inner>,
    run: i64,
    worker: Worker,
    live: Mutex<BTreeMap<RolloutKey, Live>>,
}

impl std::fmt::Debug for Recorder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Recorder")
            .field("run", &self.run)
            .field("worker", &self.worker.name())
            .finish_non_exhaustive()
    }
}

impl Recorder {
    pub(super) fn new(store: Arc<Inner>, run: i64) -> Result<Self, StoreError> {
        let worker = Worker::announce(&store.workers())?;
        Ok(Self {
            store,
            run,
            worker,
            live: Mutex::default(),
        })
    }

    /// Begins the next attempt at a planned rollout and returns its number, from 1. The event
    /// `RolloutStarted` with that number may follow, and changes nothing then.
    ///
    /// # Errors
    /// `StoreError::AlreadyDone`, `AlreadyRunning`, `PaidUnknown` or `NotPlanned`: whoever gets
    /// one of them does not run the rollout.
    pub fn begin(&self, key: &RolloutKey) -> Result<u32, StoreError> {
        self.begin_as(key, None)
    }

    /// The terminal record of a rollout, whoever wrote it; `None` where there is none.
    ///
    /// # Errors
    /// `StoreError::Database` or `Corrupt` when it can't be read.
    pub fn record(&self, key: &RolloutKey) -> Result<Option<Rollout>, StoreError> {
        self.store
            .read(|reader| read::record(reader, self.run, key))
    }

    /// The state of the run's budget; `None` when it has none, and every paid call is refused.
    ///
    /// # Errors
    /// `StoreError::Database` when it can't be read.
    pub fn budget_status(&self) -> Result<Option<BudgetStatus>, StoreError> {
        self.store
            .read(|reader| ledger::status(&reader.conn, self.run))
    }

    fn live(&self) -> MutexGuard<'_, BTreeMap<RolloutKey, Live>> {
        self.live.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn begin_as(&self, key: &RolloutKey, expected: Option<u32>) -> Result<u32, StoreError> {
        let (run, worker) = (self.run, self.worker.name().to_owned());
        let asked = key.clone();
        let live = self.store.writer.write(Durability::Process, move |desk| {
            let live = attempt::begin(&desk.conn, run, &asked, &worker)?;
            agree(&asked, live.n, expected)?;
            Ok(live)
        })?;
        self.live().insert(key.clone(), live);
        Ok(live.n)
    }

    fn started(&self, key: &RolloutKey, attempt: u32) -> Result<(), StoreError> {
        let begun = self.live().get(key).copied();
        match begun {
            Some(live) => agree(key, live.n, Some(attempt)),
            None => self.begin_as(key, Some(attempt)).map(|_| ()),
        }
    }

    fn finished(&self, rollout: &Rollout) -> Result<(), StoreError> {
        let begun = self.live().get(&rollout.key).copied();
        let live = begun.ok_or_else(|| StoreError::NotRunning(Box::new(rollout.key.clone())))?;
        agree(&rollout.key, live.n, Some(rollout.attempt))?;
        let ended = Ended::new(rollout)?;
        let durability = if live.paid {
            Durability::Disk
        } else {
            Durability::Process
        };
        self.store
            .writer
            .write(durability, move |desk| attempt::end(desk, &live, ended))?;
        self.live().remove(&rollout.key);
        Ok(())
    }

    fn append(&self, event: &RunEvent) -> Result<(), StoreError> {
        let text = serde_json::to_string(event).map_err(|e| StoreError::Encode {
            what: "an event".to_owned(),
            why: e.to_string(),
        })?;
        let run = self.run;
        let ends = matches!(event, RunEvent::RunFinished { .. });
        self.store.writer.write(Durability::Process, move |desk| {
            desk.conn.execute(
                "INSERT INTO event (run, seq, json)
                 SELECT ?1, coalesce(max(seq), 0) + 1, ?2 FROM event WHERE run = ?1",
                params![run, text],
            )?;
            if ends {
                close(&desk.conn, run)?;
            }
            Ok(())
        })
    }
}

/// A run is finished once nothing of its plan is left to run.
fn close(conn: &Connection, run: i64) -> Result<(), StoreError> {
    conn.execute(
        "UPDATE run SET state = 'finished' WHERE no = ?1 AND NOT EXISTS
         (SELECT 1 FROM rollout WHERE run = ?1 AND state IN ('planned', 'running'))",
        [run],
    )?;
    Ok(())
}

fn agree(key: &RolloutKey, stored: u32, asked: Option<u32>) -> Result<(), StoreError> {
    match asked {
        Some(asked) if asked != stored => Err(StoreError::AttemptDiffers {
            key: Box::new(key.clone()),
            stored,
            asked,
        }),
        _ => Ok(()),
    }
}

impl Sink for Recorder {
    fn on(&self, event: &RunEvent) -> Result<(), SinkError> {
        let done = match event {
            RunEvent::RolloutStarted { key, attempt, .. } => self.started(key, *attempt),
            RunEvent::RolloutFinished { rollout } => self.finished(rollout),
            // It is in the record already.
            RunEvent::RolloutKept { .. } => return Ok(()),
            RunEvent::RunStarted { .. }
            | RunEvent::BudgetExhausted { .. }
            | RunEvent::RunFinished { .. } => self.append(event),
        };
        done.map_err(|error| SinkError(error.to_string()))
    }
}

fn ledger_failed(error: &StoreError) -> BudgetError {
    BudgetError::Ledger(error.to_string())
}

impl Budget for Recorder {
    fn reserve(&self, key: &RolloutKey, worst_case: Usd) -> Result<Reservation, BudgetError> {
        let attempt = self.live().get_mut(key).map(|live| {
            live.paid = true;
            live.id
        });
        let attempt =
            attempt.ok_or_else(|| ledger_failed(&StoreError::NotRunning(Box::new(key.clone()))))?;
        let (run, asked) = (self.run, key.clone());
        let reserved = self.store.writer.write(Durability::Disk, move |desk| {
            let held = ledger::reserve(&desk.conn, run, (attempt, &asked), worst_case)?;
            let busy =
                held.is_none() && ledger::may_fit_later(&desk.conn, run, attempt, worst_case)?;
            Ok((held, busy))
        });
        match reserved {
            Ok((Some(id), _)) => Ok(Reservation(id)),
            Ok((None, true)) => Err(BudgetError::Busy { asked: worst_case }),
            Ok((None, false)) => Err(BudgetError::Refused { asked: worst_case }),
            Err(error) => Err(ledger_failed(&error)),
        }
    }

    fn settle(&self, reservation: Reservation, actual: Option<Usd>) -> Result<(), BudgetError> {
        let Some(actual) = actual else {
            return Ok(());
        };
        let run = self.run;
        self.store
            .writer
            .write(Durability::Disk, move |desk| {
                ledger::settle(&desk.conn, run, reservation.0, actual)
            })
            .map_err(|error| ledger_failed(&error))
    }
}
