//! From a command line to an exit code: list, or sweep the selected cases and conclude.

use super::arguments::{self, Asked, Ignored, Listed, Runner};
use super::list::WithVerdict;
use super::unfinished::Sweeping;
use super::wait::Waiting;
use super::{conclusion, engine, list, pipe, verdict_case};
use crate::domain::CaseId;
use crate::session::{
    self, Brought, Exit, Packs, Prepared, Reading, RunOptions, SessionError, StopHandle, Watch,
    WithoutRoster,
};
use libtest_mimic::{Completion, Conclusion, Failed, Trial};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::thread;

/// What libtest ends with when a case is red.
const LIBTEST_FAILED: u8 = 101;

/// What the macro `main!` passes.
#[derive(Debug, Clone, Copy)]
pub struct Main {
    /// The marker that `crossbar run` looks for in test binaries; it only has to be used.
    pub mark: &'static str,
}

/// The `main` of a test binary.
#[must_use]
pub fn main(options: Main) -> ExitCode {
    std::hint::black_box(options.mark);
    let args: Vec<_> = std::env::args_os().skip(1).collect();
    if let Some(code) = session::serve_if_asked(&args) {
        return ExitCode::from(u8::try_from(code).unwrap_or(2));
    }
    if let Some(command) = std::env::var_os("CROSSBAR_ENGINE") {
        return engine::main(&command.to_string_lossy());
    }
    match arguments::parse(&|name| std::env::var(name).ok()) {
        Ok(asked) => test(&asked),
        Err(message) => cannot_run(&message),
    }
}

pub(super) fn cannot_run(message: &str) -> ExitCode {
    eprintln!("{message}");
    ExitCode::from(Exit::CannotRun.code())
}

fn test(asked: &Asked) -> ExitCode {
    let options = match environment() {
        Ok(options) => RunOptions {
            with_ignored: asked.flags.include_ignored || asked.flags.ignored,
            // nextest runs all binaries into one run; here the others have runs of their own.
            alone: !options.shared,
            ..options
        },
        Err(error) => return cannot_run(&error.to_string()),
    };
    let read = read_for(&options, Packs::Run, &[], asked.reading(Runner::here()));
    let (prepared, warnings) = match read {
        Ok(read) => read,
        Err(_) if means_another(asked, &options) => return ExitCode::SUCCESS,
        Err(error) => return cannot_run(&error.to_string()),
    };
    let with_verdict = match verdict_case::is_there(&|name| std::env::var(name).ok()) {
        Ok(true) => WithVerdict::Yes,
        Ok(false) => WithVerdict::No,
        Err(message) => return cannot_run(&message),
    };
    if asked.flags.list {
        say(&warnings);
        list::print(&prepared, with_verdict, asked);
        return ExitCode::SUCCESS;
    }
    let by_nextest = Runner::here() == Runner::Nextest;
    if with_verdict == WithVerdict::Yes && by_nextest && verdict_case::is_asked(asked) {
        return ExitCode::from(conclusion::verdict(&prepared, &options).code());
    }
    let Chosen {
        wanted,
        whole,
        cases,
    } = chosen(&prepared, asked);
    if wanted.is_empty() {
        return conclusion::nothing_wanted(cases, asked);
    }
    // Not before: cargo gives a filter that means another binary's test to this one too.
    say(&warnings);
    if !by_nextest {
        let names = std::env::vars_os().map(|(name, _)| name.to_string_lossy().into_owned());
        say(&session::stray_variables(names));
    }
    if let Err(error) = prepared.must_be_funded() {
        return cannot_run(&error.to_string());
    }
    let withheld = wanted
        .iter()
        .any(|case| case.withheld && case.ignored.is_none());
    if let (true, Some(note)) = (withheld, prepared.left_out()) {
        eprintln!("{note}");
    }
    let nothing = conclusion::nothing_can_run(&prepared, &wanted);
    let swept = sweep(asked, &options, &prepared, wanted);
    match nothing {
        Some(error) => cannot_run(&error.to_string()),
        None => code(&prepared, swept, whole),
    }
}

/// What a sweep ends with; `whole` = no case of it was left out.
fn code(
    prepared: &Prepared,
    (conclusion, executed): (Option<Conclusion>, Swept),
    whole: bool,
) -> ExitCode {
    let ended = |executed| conclusion::ended(prepared, executed, whole);
    let code = executed.map_or(Exit::Done, ended);
    // Nobody saw the lines of the cases where the reader went away, so that is no success either.
    let failed = conclusion.is_none_or(|conclusion| conclusion.has_failed());
    match code {
        Exit::Done if failed => ExitCode::from(LIBTEST_FAILED),
        code => ExitCode::from(code.code()),
    }
}

/// The options of the environment.
pub(super) fn environment() -> Result<RunOptions, SessionError> {
    RunOptions::from_environment(&|name| std::env::var(name).ok())
}

/// Prints warnings.
pub(super) fn say(warnings: &[String]) {
    for warning in warnings {
        eprintln!("{warning}");
    }
}

/// Reads everything, looking for the roster from the package's folder upwards; with it come the
/// warnings. `held` are folders of packs that another executable of the run holds inside.
pub(super) fn read(
    options: &RunOptions,
    packs: Packs,
    held: &[PathBuf],
) -> Result<(Prepared, Vec<String>), SessionError> {
    read_for(options, packs, held, Reading::Whole)
}

fn read_for(
    options: &RunOptions,
    packs: Packs,
    held: &[PathBuf],
    reading: Reading<'_>,
) -> Result<(Prepared, Vec<String>), SessionError> {
    let folder = package();
    let loaded = session::load_for(options, &brought(&folder, packs, held), reading)?;
    let prepared = session::prepare(&loaded, options, &|name| std::env::var(name).ok())?;
    Ok((prepared, loaded.warnings))
}

/// The package's folder.
fn package() -> PathBuf {
    let folder = std::env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from);
    folder
        .or_else(|| std::env::current_dir().ok())
        .unwrap_or_default()
}

fn brought<'a>(from: &'a Path, packs: Packs, held: &'a [PathBuf]) -> Brought<'a> {
    Brought {
        from,
        packs,
        held,
        lookup: &session::variable,
        without_roster: WithoutRoster::ControlsAlone,
    }
}

/// Whether no filter can mean a case of this binary, though not all of its cases are known: then it
/// is another binary's, which is not stopped by what is wrong here.
fn means_another(asked: &Asked, options: &RunOptions) -> bool {
    let folder = package();
    let brought = brought(&folder, Packs::Run, &[]);
    let could = |filter: &String| {
        // A whole name has a cell in it.
        let is_name = !asked.flags.exact || filter.contains('+');
        is_name && session::could_mean(filter, options, &brought)
    };
    let filtered = !asked.flags.list && !asked.filters.is_empty();
    filtered && Runner::here() == Runner::Libtest && !asked.filters.iter().any(could)
}

/// The cases that the command line leaves in.
struct Chosen {
    wanted: Vec<Listed>,
    /// Whether no case that could run is left out.
    whole: bool,
    /// How many cases there are, of tasks that were read.
    cases: usize,
}

fn chosen(prepared: &Prepared, asked: &Asked) -> Chosen {
    let mut chosen = Chosen {
        wanted: Vec::new(),
        whole: true,
        cases: 0,
    };
    let mut name = String::new();
    prepared.each_case_that_was_read(&mut |case| {
        chosen.cases += 1;
        name.clear();
        case.write_name(&mut name);
        if asked.wants(&name, Ignored::of(case)) {
            chosen.wanted.push(Listed {
                id: case.id(),
                withheld: case.withheld,
                ignored: case.ignored.map(ToOwned::to_owned),
            });
        } else {
            chosen.whole &= case.withheld;
        }
    });
    chosen
}

/// What a sweep came to, or why there was none.
pub(super) type SweptAll = Result<session::Executed, SessionError>;
type Swept = Option<SweptAll>;

/// Runs the sweep beside libtest's own threads, which only wait. `None` when all wanted cases are
/// withheld: then nothing is opened and nothing runs.
fn sweep(
    asked: &Asked,
    options: &RunOptions,
    prepared: &Prepared,
    wanted: Vec<Listed>,
) -> (Option<Conclusion>, Swept) {
    let running = wanted.iter().filter(|case| !case.withheld);
    let running = running.map(|case| {
        let waits_for = prepared.rollouts_of(&case.id);
        (case.id.clone(), (waits_for, prepared.floor_of(&case.id)))
    });
    let expected: BTreeMap<CaseId, _> = running.collect();
    let runs = !expected.is_empty();
    let waiting = Arc::new(Waiting::new(expected.clone()));
    let trials = wanted
        .into_iter()
        .map(|case| trial(case, &waiting))
        .collect();
    let (handle, _) = StopHandle::new();
    let wanted = |case: &CaseId| expected.contains_key(case);
    let rest = || {
        let (whole, _) = read(options, Packs::Run, &[])?;
        Ok(whole)
    };
    let watch = Watch {
        listeners: vec![Arc::clone(&waiting) as _],
        stop: handle.clone(),
        log_to: || Box::new(std::io::stderr()),
        wanted: &wanted,
        rest: Some(&rest),
    };
    let work = || {
        let executed = session::execute(prepared, options, &watch);
        waiting.over(executed.as_ref().err().map(ToString::to_string));
        executed
    };
    let _sweeping = Sweeping::begin();
    thread::scope(|scope| {
        let sweep = runs.then(|| {
            session::stop_on_signals(handle);
            scope.spawn(work)
        });
        let conclusion = pipe::run(&asked.flags, trials);
        let crashed = || Err(SessionError::new("the sweep's thread panicked"));
        (
            conclusion,
            sweep.map(|sweep| sweep.join().unwrap_or_else(|_| crashed())),
        )
    })
}

fn trial(case: Listed, waiting: &Arc<Waiting>) -> Trial {
    let name = case.id.to_string();
    if case.withheld {
        let live = "live: set CROSSBAR_LIVE=1 and a budget to run it";
        let says_why = case.ignored.as_ref().is_some_and(|why| !why.is_empty());
        let why = case.ignored.unwrap_or_else(|| live.to_owned());
        if Runner::here() == Runner::Nextest {
            // nextest shows a case that ignores itself at run time as passed.
            return Trial::test(name, move || Err(Failed::from(why))).with_ignored_flag(true);
        }
        // Only a case that was begun can say why it is ignored.
        return Trial::ignorable_test(name, move || Ok(Completion::ignored_with(why)))
            .with_ignored_flag(!says_why);
    }
    let (waiting, ignored) = (Arc::clone(waiting), case.ignored.is_some());
    Trial::test(name, move || waiting.wait(&case.id).map_err(Failed::from))
        .with_ignored_flag(ignored)
}
