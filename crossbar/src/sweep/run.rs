//! The sweep itself: worker threads, each with a runtime of its own, over a shared order.

use super::queue::Queue;
use super::rollout::{self, Ended};
use super::{Job, StopWatch, Traffic};
use crate::domain::{
    BudgetLimit, Clock, Machine, Outcome, RecordingError, Rollout, RunEvent, Sink, SinkError,
    SkipReason,
};
use crate::redact::Redactor;
use crate::store::{Recorder, StoreError};
use std::sync::atomic::{AtomicBool, Ordering};
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
    /// This machine, and how many rollouts at a time it does.
    pub machine: Machine,
    /// The version of the rules that judge.
    pub evaluator: String,
    /// What is done with the requests of live cells.
    pub traffic: Traffic,
    /// The lines before the endpoints of live models.
    #[cfg(feature = "http")]
    pub lines: crate::provider::Lines,
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
    /// What passed could not be kept.
    #[error(transparent)]
    Recording(#[from] RecordingError),
}

/// How a sweep ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SweepEnd {
    /// Whether it was stopped from outside.
    pub interrupted: bool,
}

/// What an earlier part of the same run has done of the plan.
#[derive(Debug, Clone, Default)]
pub struct Earlier {
    /// How many of its rollouts do not run again.
    pub finished: u32,
    /// The records among them.
    pub kept: Vec<Rollout>,
}

/// Runs jobs in their planned order and comes back when all have ended, or when it was stopped.
///
/// # Errors
/// The first `SweepError` of any worker; the others stop at their next job.
pub fn run(jobs: Vec<Job>, earlier: Earlier, ports: &Ports) -> Result<SweepEnd, SweepError> {
    let planned = of_the_matrix(&jobs);
    let course = Course::default();
    begin(planned, earlier, ports)?;
    let (free, live) = Queue::split(jobs);
    let machine = &ports.machine;
    thread::scope(|scope| {
        for (queue, workers) in [
            (&free, machine.free_at_a_time),
            (&live, machine.live_at_a_time),
        ] {
            for _ in 0..(workers as usize).min(queue.len()) {
                let course = &course;
                scope.spawn(move || {
                    if let Err(error) = work(queue, ports, course) {
                        course.keep(error);
                    }
                });
            }
        }
    });
    let interrupted = ports.stop.stopped();
    let told = emit(ports, &RunEvent::RunFinished { interrupted });
    course.into_result()?;
    told.map(|()| SweepEnd { interrupted })
}

/// How many rollouts of cells there are; controls are not counted among them.
#[must_use]
pub fn of_the_matrix(jobs: &[Job]) -> u32 {
    let count = jobs.iter().filter(|job| job.control.is_none()).count();
    u32::try_from(count).unwrap_or(u32::MAX)
}

fn begin(jobs: u32, earlier: Earlier, ports: &Ports) -> Result<(), SweepError> {
    let Earlier { finished, kept } = earlier;
    let started = RunEvent::RunStarted {
        planned: jobs.saturating_add(finished),
        finished,
        machine: ports.machine.clone(),
    };
    emit(ports, &started)?;
    for rollout in kept.into_iter().map(Box::new) {
        tell(ports, &RunEvent::RolloutKept { rollout });
    }
    Ok(())
}

/// What the workers of a sweep tell each other.
#[derive(Default)]
struct Course {
    /// The first error of any of them.
    failure: Mutex<Option<SweepError>>,
    /// Whether it was said that the budget is used up.
    budget_said: AtomicBool,
}

impl Course {
    fn keep(&self, error: SweepError) {
        self.failure
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .get_or_insert(error);
    }

    fn failed(&self) -> bool {
        self.failure
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .is_some()
    }

    fn into_result(self) -> Result<(), SweepError> {
        self.failure
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner)
            .map_or(Ok(()), Err)
    }
}

fn work(queue: &Queue, ports: &Ports, course: &Course) -> Result<(), SweepError> {
    // A rollout stays on its thread, so a task function's futures need not be Send.
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(SweepError::Worker)?;
    while !course.failed() && !ports.stop.stopped() {
        let Some(job) = queue.take() else { break };
        runtime.block_on(one(&job, ports, course))?;
    }
    Ok(())
}

/// One rollout from its first record to its last.
async fn one(job: &Job, ports: &Ports, course: &Course) -> Result<(), SweepError> {
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
        Ended::Recorded(rollout) => {
            let why = SkipReason::Budget;
            let refused = rollout.outcome == Outcome::Skipped { why };
            emit(ports, &RunEvent::RolloutFinished { rollout })?;
            if refused && !course.budget_said.swap(true, Ordering::Relaxed) {
                budget_exhausted(ports)?;
            }
            Ok(())
        }
        Ended::LedgerFailed(message) => Err(SweepError::Ledger(message)),
        Ended::NotKept(error) => Err(error.into()),
    }
}

/// Says once a sweep that calls are refused.
fn budget_exhausted(ports: &Ports) -> Result<(), SweepError> {
    match ports.recorder.budget_status()? {
        Some(status) => emit(ports, &RunEvent::BudgetExhausted { status }),
        None => Ok(()),
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
