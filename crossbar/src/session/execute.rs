//! Running what was prepared: the record is opened, the plan is written, the sweep runs.

use super::clock::SystemClock;
use super::log::Log;
use super::outputs::make_results;
use super::own_program::OwnProgram;
use super::preflight::preflight;
use super::recording::RecordedRun;
use super::run_id::run_id;
use super::{Prepared, RunOptions, SessionError, stored};
use crate::domain::{
    CaseId, CellId, Clock, Control, Machine, Moment, Rollout, RolloutKey, RunId, Sink, TaskId,
};
use crate::redact::Redactor;
use crate::score::EVALUATOR;
use crate::store::{InfrastructureFailures, NewRun, RunRecord, Store};
use crate::sweep::{self, Job, StopHandle, Traffic};
use std::collections::BTreeSet;
use std::io::Write;
use std::path::Path;
use std::sync::Arc;

/// Rollouts of live cells at a time, unless somebody says otherwise.
const LIVE_AT_A_TIME: u32 = 4;

/// What a sweep came to.
pub struct Executed {
    /// The run.
    pub run: RunId,
    /// Whether a person or a signal stopped it.
    pub interrupted: bool,
    /// Cells and tasks that an earlier part of the run had, and this one has not.
    pub gone: Vec<String>,
}

/// Who watches a sweep, and what of it runs.
pub struct Watch<'a> {
    /// Whoever listens besides the record.
    pub listeners: Vec<Arc<dyn Sink>>,
    /// Stops the sweep.
    pub stop: StopHandle,
    /// Where the log goes besides its file, where somebody asked for one.
    pub log_to: fn() -> Box<dyn Write + Send>,
    /// Which cases to run; the rest of the matrix is somebody else's, or nobody's.
    pub wanted: &'a (dyn Fn(&CaseId) -> bool + Sync),
    /// Reads what was left unread; `None` where nothing was.
    pub rest: Option<&'a (dyn Fn() -> Result<Prepared, SessionError> + Sync)>,
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
    let clock: Arc<dyn Clock> = Arc::new(SystemClock::running());
    let store = open(&prepared.results_dir)?;
    let mut jobs = prepared.jobs(watch.wanted);
    jobs.retain(|job| job.control.is_some() || prepared.is_due(options, &job.planned.key));
    // Who answers a replay is there: it was read.
    let asks = prepared.recording.is_none();
    if options.resume.is_none() && asks {
        preflight(&jobs)?;
    }
    let run = begin(&store, prepared, options, clock.as_ref())?;
    plan(&store, &run, prepared, &jobs, watch)?;
    if options.retry {
        let keys = jobs.iter().map(|job| job.planned.key.clone()).collect();
        store.retry(&run, keys)?;
    }
    let earlier = earlier(&store, &run, prepared, options)?;
    let (done, jobs): (Vec<_>, Vec<_>) = jobs
        .into_iter()
        .partition(|job| earlier.done.contains(&job.planned.key));
    if options.resume.is_none() && !done.is_empty() {
        return Err(already_run(&run));
    }
    super::controls::unchanged(&run, &earlier.rollouts, &done)?;
    if options.resume.is_some() {
        // Of a run that has ended already nothing is left to ask for.
        preflight(&jobs)?;
    }
    let gone = earlier.gone;
    let mut listeners = watch.listeners.clone();
    let own_program = OwnProgram::watched(&watch.stop);
    listeners.push(Arc::clone(&own_program) as _);
    if let Some(level) = options.log {
        let place = (prepared.results_dir.as_path(), &run);
        let log = Log::open(level, place, Arc::clone(&clock), (watch.log_to)())?;
        listeners.push(Arc::new(log));
    }
    let kept = earlier.rollouts.into_iter();
    let earlier = sweep::Earlier {
        finished: sweep::of_the_matrix(&done),
        kept: kept.filter(|one| earlier.done.contains(&one.key)).collect(),
    };
    let ports = sweep::Ports {
        recorder: Arc::new(store.recorder(&run)?),
        listeners,
        clock: Arc::clone(&clock),
        redactor: Redactor::new(prepared.secrets.iter().cloned()),
        stop: watch.stop.watch(),
        traffic: traffic(prepared, options, &run, clock.as_ref())?,
        budget: prepared.budget,
        machine: machine(prepared.concurrency),
        evaluator: format!("{EVALUATOR} (crossbar {})", env!("CARGO_PKG_VERSION")),
        #[cfg(feature = "http")]
        lines: crate::provider::Lines::default(),
    };
    let end =
        sweep::run(jobs, earlier, &ports).map_err(|error| SessionError::new(error.to_string()))?;
    own_program.must_be_there()?;
    Ok(Executed {
        run,
        interrupted: end.interrupted,
        gone,
    })
}

/// What is done with the requests of live cells. A run that was begun as recorded goes on so, or its
/// recording would have holes.
fn traffic(
    prepared: &Prepared,
    options: &RunOptions,
    run: &RunId,
    clock: &dyn Clock,
) -> Result<Traffic, SessionError> {
    if let Some(recording) = &prepared.recording {
        return Ok(Traffic::Played(Arc::clone(recording) as _));
    }
    let results_dir = &prepared.results_dir;
    if !options.record && !RecordedRun::is_of(results_dir, run) {
        return Ok(Traffic::Sent);
    }
    let now = Moment(clock.since_epoch()).rfc3339();
    let recording = RecordedRun::begin(results_dir, (run, now), prepared)?;
    Ok(Traffic::Recorded(Arc::new(recording)))
}

fn already_run(run: &RunId) -> SessionError {
    SessionError::new(format!("run {run} has run these rollouts already"))
        .help("go on with it (--resume, CROSSBAR_RESUME), or choose another run id")
}

/// Writes what the run is going to do: all its tasks, so that one that never runs is known to be
/// missing. nextest starts a process for each case. The first of a run reads every task for that; a
/// later one finds them in the plan and has read its own alone.
fn plan(
    store: &Store,
    run: &RunId,
    prepared: &Prepared,
    jobs: &[Job],
    watch: &Watch<'_>,
) -> Result<(), SessionError> {
    let rest = match watch.rest {
        Some(rest)
            if prepared.is_partly_read() && !store.has_tasks(run, prepared.task_ids())? =>
        {
            Some(rest()?)
        }
        _ => None,
    };
    let whole = rest.as_ref().unwrap_or(prepared);
    Ok(store.plan(run, &stored::plan(whole, jobs))?)
}

/// Opens the record of a folder, making the folder where it is missing.
fn open(results_dir: &Path) -> Result<Store, SessionError> {
    make_results(results_dir)?;
    Ok(Store::open(&stored::path(results_dir))?)
}

/// What earlier processes have done in a run.
#[derive(Default)]
struct Earlier {
    /// Finished, or perhaps paid for: not to be run again.
    done: BTreeSet<RolloutKey>,
    rollouts: Vec<Rollout>,
    /// What is not here any more.
    gone: Vec<String>,
}

/// Under nextest every process of a run would read all others' work: there the record itself
/// refuses what is done, one rollout at a time.
fn earlier(
    store: &Store,
    run: &RunId,
    prepared: &Prepared,
    options: &RunOptions,
) -> Result<Earlier, SessionError> {
    if options.resume.is_some() {
        let found = store.recover(run, InfrastructureFailures::RunAgain)?;
        let done = found.finished.into_iter().chain(found.unknown).collect();
        let record = store.read(run)?;
        return Ok(Earlier {
            done,
            gone: gone(&record, prepared),
            rollouts: record.rollouts,
        });
    }
    if options.shared {
        return Ok(Earlier::default());
    }
    let record = store.read(run)?;
    let done = record
        .rollouts
        .iter()
        .map(|one| one.key.clone())
        .chain(record.head.unknown);
    Ok(Earlier {
        done: done.collect(),
        ..Earlier::default()
    })
}

fn gone(record: &RunRecord, prepared: &Prepared) -> Vec<String> {
    let has_cell = |id: &CellId| prepared.cells.iter().any(|cell| cell.id == *id);
    let unmet = prepared.unmet();
    let has_task = |id: &TaskId| prepared.task_ids().contains(id) || unmet.contains_key(id);
    let played = |id: &CellId| Control::of(id).is_some();
    let cells = record.head.cells.iter();
    let cells = cells.filter(|cell| !has_cell(&cell.id) && !played(&cell.id));
    let tasks = record.tasks.iter().filter(|task| !has_task(&task.id));
    let cells = cells.map(|cell| format!("the cell {}", cell.id));
    cells
        .chain(tasks.map(|task| format!("the task {}", task.id)))
        .collect()
}

/// Makes a new run, or joins one.
fn begin(
    store: &Store,
    prepared: &Prepared,
    options: &RunOptions,
    clock: &dyn Clock,
) -> Result<RunId, SessionError> {
    let run = match &options.resume {
        Some(text) => super::named::resolve(store, text)?,
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
        return Err(super::named::explained(store, &run, prepared, error));
    }
    Ok(run)
}

/// This machine, with as many rollouts at a time as somebody asked for, else as it can do.
pub(super) fn machine(at_a_time: Option<u32>) -> Machine {
    let processors = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let processors = u32::try_from(processors).unwrap_or(u32::MAX);
    Machine {
        system: format!("{} {}", std::env::consts::OS, std::env::consts::ARCH),
        processors,
        free_at_a_time: at_a_time.unwrap_or(processors),
        live_at_a_time: at_a_time.unwrap_or(LIVE_AT_A_TIME),
    }
}
