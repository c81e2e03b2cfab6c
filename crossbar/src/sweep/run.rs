//! The sweep itself: worker threads, each with a runtime of its own, over a shared order.

use super::queue::Queue;
use super::rollout::{self, Ended};
use super::{Job, StopWatch};
use crate::domain::{BudgetLimit, Clock, RunEvent, Sink, SinkError};
use crate::redact::Redactor;
use crate::store::{Recorder, StoreError};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

/// What a sweep works with.
#[derive(Clone)]
pub struct Ports {
    /// The durable record and the ledger.
    pub recorder: Arc<Recorder>,
    /// Whoever else listens; none of them can hold up the record.
    pub listeners: Vec<Arc<dyn Sink>>,
    /// The time.
    pub clock: Arc<dyn Clock>,
    /// Masks secrets, once, before anything is recorded.
    pub redactor: Redactor,
    /// Tells when to stop.
    pub stop: StopWatch,
    /// The ceiling for live models; `None` = no live model may be called.
    pub budget: Option<BudgetLimit>,
    /// Free rollouts at a time.
    pub free_workers: usize,
    /// Live rollouts at a time.
    pub live_workers: usize,
    /// The version of the rules that judge.
    pub evaluator: String,
}

/// Why crossbar itself could not go on.
#[derive(Debug, thiserror::Error)]
pub enum SweepError {
    /// The record could not be written; nothing more is run then.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A listener, or the record, refused an event.
    #[error(transparent)]
    Sink(#[from] SinkError),
    /// A worker could not begin.
    #[error("failed to start a worker: {0}")]
    Worker(#[source] std::io::Error),
    /// The ledger could not be written.
    #[error("{0}")]
    Ledger(String),
}

/// How a sweep ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SweepEnd {
    /// Whether it was stopped from outside.
    pub interrupted: bool,
}

/// Runs jobs in their planned order and comes back when all have ended, or when it was stopped.
///
/// # Errors
/// The first `SweepError` of any worker; the others stop at their next job.
pub fn run(jobs: Vec<Job>, ports: &Ports) -> Result<SweepEnd, SweepError> {
    let (free, live) = Queue::split(jobs);
    let failure = Failure::default();
    thread::scope(|scope| {
        for (queue, workers) in [(&free, ports.free_workers), (&live, ports.live_workers)] {
            for _ in 0..workers.min(queue.len()) {
                let failure = &failure;
                scope.spawn(move || {
                    if let Err(error) = work(queue, ports, failure) {
                        failure.keep(error);
                    }
                });
            }
        }
    });
    let interrupted = ports.stop.stopped();
    let told = emit(ports, &RunEvent::RunFinished { interrupted });
    failure.into_result()?;
    told.map(|()| SweepEnd { interrupted })
}

/// The first error of any worker.
#[derive(Default)]
struct Failure(Mutex<Option<SweepError>>);

impl Failure {
    fn keep(&self, error: SweepError) {
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .get_or_insert(error);
    }

    fn happened(&self) -> bool {
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .is_some()
    }

    fn into_result(self) -> Result<(), SweepError> {
        self.0
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner)
            .map_or(Ok(()), Err)
    }
}

fn work(queue: &Queue, ports: &Ports, failure: &Failure) -> Result<(), SweepError> {
    // A rollout stays on its thread, so a task function's futures need not be Send.
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(SweepError::Worker)?;
    while !failure.happened() && !ports.stop.stopped() {
        let Some(job) = queue.take() else { break };
        runtime.block_on(one(&job, ports))?;
    }
    Ok(())
}

/// One rollout from its first record to its last.
async fn one(job: &Job, ports: &Ports) -> Result<(), SweepError> {
    let key = &job.planned.key;
    let attempt = match ports.recorder.begin(key) {
        Ok(attempt) => attempt,
        // Another process of the same run has had it, or an earlier try of this one.
        Err(StoreError::AlreadyDone(_)) => {
            if let Some(rollout) = ports.recorder.record(key)? {
                let rollout = Box::new(rollout);
                tell(ports, &RunEvent::RolloutKept { rollout });
            }
            return Ok(());
        }
        // Somebody else is at it, or somebody may have paid for it: it is recorded there.
        Err(StoreError::AlreadyRunning { .. } | StoreError::PaidUnknown(_)) => return Ok(()),
        Err(error) => return Err(error.into()),
    };
    let position = job.planned.position;
    tell(
        ports,
        &RunEvent::RolloutStarted {
            key: key.clone(),
            attempt,
            position,
        },
    );
    let mut stop = ports.stop.clone();
    let ended = tokio::select! {
        ended = rollout::run(job, attempt, ports) => ended,
        () = stop.wait() => return Ok(()),
    };
    match ended {
        Ended::Recorded(rollout) => emit(ports, &RunEvent::RolloutFinished { rollout }),
        Ended::LedgerFailed(message) => Err(SweepError::Ledger(message)),
    }
}

/// The record first: what a person sees has happened.
fn emit(ports: &Ports, event: &RunEvent) -> Result<(), SweepError> {
    ports.recorder.on(event)?;
    tell(ports, event);
    Ok(())
}

/// Listeners are told one after the other; one that fails does not silence the next.
fn tell(ports: &Ports, event: &RunEvent) {
    for listener in &ports.listeners {
        let _ = listener.on(event);
    }
}
