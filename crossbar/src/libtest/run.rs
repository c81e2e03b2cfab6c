//! From a command line to an exit code: list, or sweep the selected cases and conclude.

use super::arguments::{self, Listed};
use super::wait::Waiting;
use super::{engine, list};
use crate::domain::CaseId;
use crate::session::{
    self, Brought, Exit, Packs, Prepared, RunOptions, SessionError, StopHandle, Styles, Watch,
};
use libtest_mimic::{Arguments, Completion, Failed, Trial};
use std::collections::BTreeMap;
use std::io::{IsTerminal, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::thread;

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
    match arguments::parse() {
        Ok(arguments) => test(&arguments),
        Err(message) => cannot_run(&message),
    }
}

fn cannot_run(message: &str) -> ExitCode {
    eprintln!("{message}");
    ExitCode::from(Exit::CannotRun.code())
}

fn test(arguments: &Arguments) -> ExitCode {
    let prepared = environment()
        .and_then(|options| prepare(&options, Packs::Run).map(|prepared| (options, prepared)));
    let (options, prepared) = match prepared {
        Ok(prepared) => prepared,
        Err(error) => return cannot_run(&error.to_string()),
    };
    let cases = listed(&prepared);
    if arguments.list {
        list::print(&cases, arguments);
        return ExitCode::SUCCESS;
    }
    let wanted: Vec<_> = cases
        .iter()
        .filter(|case| case.is_wanted(arguments))
        .cloned()
        .collect();
    if wanted.is_empty() {
        return nothing_wanted(&cases, arguments);
    }
    if let Err(error) = prepared.must_be_funded() {
        return cannot_run(&error.to_string());
    }
    let withheld = wanted.iter().any(|case| case.withheld);
    if let (true, Some(note)) = (withheld, prepared.left_out()) {
        eprintln!("{note}");
    }
    let whole = cases
        .iter()
        .all(|case| case.withheld || wanted.contains(case));
    let (conclusion, executed) = sweep(arguments, &options, &prepared, wanted);
    let code = match executed {
        None => Exit::Done,
        Some(Err(error)) => {
            eprintln!("{error}");
            Exit::CannotRun
        }
        Some(Ok(executed)) if executed.interrupted => Exit::Interrupted,
        Some(Ok(_)) if is_nextest() => Exit::Done,
        Some(Ok(executed)) if !whole => {
            println!(
                "partial: no verdict (run {} holds these cases)",
                executed.run
            );
            Exit::Done
        }
        Some(Ok(executed)) => conclude(&prepared, executed.run.as_str()),
    };
    match (code, conclusion.has_failed()) {
        (Exit::Done, true) => conclusion.exit_code(),
        (code, _) => ExitCode::from(code.code()),
    }
}

/// The options of the environment.
pub(super) fn environment() -> Result<RunOptions, SessionError> {
    RunOptions::from_environment(&|name| std::env::var(name).ok())
}

/// Reads everything, looking for the roster from the package's folder upwards.
pub(super) fn prepare(options: &RunOptions, packs: Packs) -> Result<Prepared, SessionError> {
    let folder = std::env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from);
    let folder = folder
        .or_else(|| std::env::current_dir().ok())
        .unwrap_or_default();
    let lookup = session::variable;
    let loaded = session::load(
        options,
        &Brought {
            from: &folder,
            packs,
            lookup: &lookup,
        },
    )?;
    for warning in &loaded.warnings {
        eprintln!("{warning}");
    }
    session::prepare(&loaded, options, &|name| std::env::var(name).ok())
}

fn listed(prepared: &Prepared) -> Vec<Listed> {
    let mut cases: Vec<_> = prepared
        .cases()
        .into_iter()
        .map(|(id, withheld)| Listed { id, withheld })
        .collect();
    cases.sort_by(|a, b| a.id.cmp(&b.id));
    cases
}

/// cargo passes every filter to every binary, so a filter that means nothing here is no error.
/// nextest asks for exactly one case that it was told of: not knowing it must not be green.
fn nothing_wanted(cases: &[Listed], arguments: &Arguments) -> ExitCode {
    let filtered = arguments.filter.is_some() || !arguments.skip.is_empty() || arguments.ignored;
    match (&arguments.filter, cases) {
        (Some(name), _) if arguments.exact && is_nextest() => cannot_run(&format!(
            "error: there is no case `{name}`\nhelp: list again: the roster or a task has changed since"
        )),
        (_, []) if !filtered => cannot_run(
            "error: there is no case to run\nhelp: write a task, and name a model and a harness in crossbar.yaml",
        ),
        _ => ExitCode::SUCCESS,
    }
}

fn is_nextest() -> bool {
    std::env::var_os("NEXTEST_EXECUTION_MODE").is_some_and(|mode| mode == "process-per-test")
}

type Swept = Option<Result<session::Executed, SessionError>>;

/// Runs the sweep beside libtest's own threads, which only wait. `None` when all wanted cases are
/// withheld: then nothing is opened and nothing runs.
fn sweep(
    arguments: &Arguments,
    options: &RunOptions,
    prepared: &Prepared,
    wanted: Vec<Listed>,
) -> (libtest_mimic::Conclusion, Swept) {
    let expected: BTreeMap<CaseId, usize> = wanted
        .iter()
        .filter(|case| !case.withheld)
        .map(|case| (case.id.clone(), prepared.repeats() as usize))
        .collect();
    let runs = !expected.is_empty();
    let waiting = Arc::new(Waiting::new(expected.clone()));
    let trials = wanted
        .into_iter()
        .map(|case| trial(case, &waiting))
        .collect();
    let (handle, stop) = StopHandle::new();
    let wanted = |case: &CaseId| expected.contains_key(case);
    let watch = Watch {
        listeners: vec![Arc::clone(&waiting) as _],
        stop,
        wanted: &wanted,
    };
    let work = || {
        let executed = session::execute(prepared, options, &watch);
        waiting.over(executed.as_ref().err().map(ToString::to_string));
        executed
    };
    thread::scope(|scope| {
        let sweep = runs.then(|| {
            session::stop_on_signals(handle);
            scope.spawn(work)
        });
        let conclusion = libtest_mimic::run(arguments, trials);
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
        let why = "live: set CROSSBAR_LIVE=1 and a budget to run it";
        if is_nextest() {
            // nextest shows a case that ignores itself at run time as passed.
            return Trial::test(name, move || Err(Failed::from(why))).with_ignored_flag(true);
        }
        return Trial::ignorable_test(name, move || Ok(Completion::ignored_with(why)))
            .with_ignored_flag(true);
    }
    let waiting = Arc::clone(waiting);
    Trial::test(name, move || waiting.wait(&case.id).map_err(Failed::from))
}

/// Prints the verdict of a whole sweep, read back out of the record.
fn conclude(prepared: &Prepared, run: &str) -> Exit {
    let styles = match std::io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none() {
        true => Styles::Coloured,
        false => Styles::Plain,
    };
    let concluded = session::conclude(&prepared.results_dir, run, None).and_then(|concluded| {
        let concluded = concluded.held(&prepared.references_dir, &session::variable)?;
        let folder = session::write(&concluded, &prepared.results_dir, None)?;
        // A gate does not speak of a sweep that is left short of its live cells.
        let exit = match prepared.withheld.is_empty() {
            true => concluded.exit(),
            false => concluded.measured(),
        };
        Ok((concluded.render("text", styles)?, folder, exit))
    });
    match concluded {
        Ok((text, folder, exit)) => {
            let mut out = std::io::stdout().lock();
            let _ = writeln!(out, "{text}\nwritten to {}", folder.display());
            exit
        }
        Err(error) => {
            eprintln!("{error}");
            Exit::CannotRun
        }
    }
}
