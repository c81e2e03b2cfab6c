//! Running what was prepared: the record is opened, the plan is written, the sweep runs.

use super::clock::SystemClock;
use super::run_id::run_id;
use super::{Prepared, RunOptions, SessionError, stored};
use crate::domain::{CaseId, Clock, RolloutKey, RunEvent, RunId, Sink};
use crate::redact::Redactor;
use crate::score::EVALUATOR;
use crate::store::{InfrastructureFailures, NewRun, Store};
use crate::sweep::{self, Moment, StopWatch};
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

/// Rollouts of live cells at a time, unless somebody says otherwise.
const LIVE_AT_A_TIME: usize = 4;

/// What a sweep came to.
pub struct Executed {
    /// The run.
    pub run: RunId,
    /// Whether a person or a signal stopped it.
    pub interrupted: bool,
}

/// Who watches a sweep, and what of it runs.
pub struct Watch<'a> {
    /// Whoever listens besides the record.
    pub listeners: Vec<Arc<dyn Sink>>,
    /// Tells when to stop.
    pub stop: StopWatch,
    /// Which cases to run; the rest of the matrix is somebody else's, or nobody's.
    pub wanted: &'a (dyn Fn(&CaseId) -> bool + Sync),
}

/// Runs the wanted rollouts and records them.
///
/// # Errors
/// `SessionError` when the record can't be opened or written.
pub fn execute(
    prepared: &Prepared,
    options: &RunOptions,
    watch: &Watch<'_>,
) -> Result<Executed, SessionError> {
    let clock: Arc<dyn Clock> = Arc::new(SystemClock::new());
    let store = open(&prepared.results_dir)?;
    let (run, done) = begin(&store, prepared, options, clock.as_ref())?;
    let jobs = prepared.jobs(watch.wanted);
    let plan = stored::plan(prepared, &jobs);
    store.plan(&run, &plan)?;
    let recorder = Arc::new(store.recorder(&run)?);
    let planned = u32::try_from(jobs.len()).unwrap_or(u32::MAX);
    let jobs: Vec<_> = jobs
        .into_iter()
        .filter(|job| !done.contains(&job.planned.key))
        .collect();
    let finished = planned.saturating_sub(u32::try_from(jobs.len()).unwrap_or(u32::MAX));
    for listener in &watch.listeners {
        // A listener that fails silences nobody.
        let _ = listener.on(&RunEvent::RunStarted { planned, finished });
    }
    let ports = sweep::Ports {
        recorder,
        listeners: watch.listeners.clone(),
        clock,
        redactor: Redactor::new(prepared.secrets.iter().cloned()),
        stop: watch.stop.clone(),
        budget: prepared.budget,
        free_workers: prepared.concurrency.map_or_else(processors, |n| n as usize),
        live_workers: prepared.concurrency.map_or(LIVE_AT_A_TIME, |n| n as usize),
        evaluator: format!("{EVALUATOR} (crossbar {})", env!("CARGO_PKG_VERSION")),
    };
    let end = sweep::run(jobs, &ports).map_err(|error| SessionError::new(error.to_string()))?;
    Ok(Executed {
        run,
        interrupted: end.interrupted,
    })
}

/// Opens the record of a folder, making the folder and its `.gitignore` where they are missing.
fn open(results_dir: &Path) -> Result<Store, SessionError> {
    let failed = |error: std::io::Error| {
        SessionError::new(format!(
            "failed to write {}: {error}",
            results_dir.display()
        ))
        .help("check run.results_dir, or set CROSSBAR_RESULTS_DIR to a folder you can write")
    };
    std::fs::create_dir_all(results_dir).map_err(failed)?;
    let ignore = results_dir.join(".gitignore");
    if !ignore.is_file() {
        std::fs::write(&ignore, "*\n").map_err(failed)?;
    }
    Ok(Store::open(&stored::path(results_dir))?)
}

/// Makes a new run, or takes one up again; with it, what is finished already.
fn begin(
    store: &Store,
    prepared: &Prepared,
    options: &RunOptions,
    clock: &dyn Clock,
) -> Result<(RunId, BTreeSet<RolloutKey>), SessionError> {
    let run = match &options.resume {
        Some(text) => store.resolve(text)?,
        None => run_id(options.run_id.as_deref(), clock)?,
    };
    let joined = store.create_run(&NewRun {
        id: run.clone(),
        created_at: Moment(clock.since_epoch()).rfc3339(),
        settings: prepared.settings.clone(),
        settings_hash: prepared.settings_hash(),
        budget: prepared.budget,
    });
    if let Err(error) = joined {
        return Err(stored::explained(store, &run, prepared, error));
    }
    if options.resume.is_none() {
        return Ok((run, BTreeSet::new()));
    }
    let found = store.recover(&run, InfrastructureFailures::RunAgain)?;
    Ok((
        run,
        found.finished.into_iter().chain(found.unknown).collect(),
    ))
}

fn processors() -> usize {
    std::thread::available_parallelism().map_or(1, std::num::NonZero::get)
}
