//! From a command line to an exit code: list, or sweep the selected cases and conclude.

use super::arguments::{self, Asked, Listed};
use super::list::WithVerdict;
use super::unfinished::Sweeping;
use super::wait::Waiting;
use super::{engine, list, pipe, verdict_case};
use crate::domain::CaseId;
use crate::session::{
    self, Brought, Exit, Packs, Prepared, Proof, RunOptions, SessionError, StopHandle, Styles,
    Watch, WithoutRoster,
};
use libtest_mimic::{Completion, Conclusion, Failed, Trial};
use std::collections::BTreeMap;
use std::io::{IsTerminal, Write};
use std::path::PathBuf;
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

fn cannot_run(message: &str) -> ExitCode {
    eprintln!("{message}");
    ExitCode::from(Exit::CannotRun.code())
}

fn test(asked: &Asked) -> ExitCode {
    let prepared = environment()
        .map(|options| RunOptions {
            with_ignored: asked.flags.include_ignored || asked.flags.ignored,
            // nextest runs all binaries into one run; here the others have runs of their own.
            alone: !options.shared,
            ..options
        })
        .and_then(|options| Ok((read(&options, Packs::Run, &[])?, options)));
    let ((prepared, warnings), options) = match prepared {
        Ok(prepared) => prepared,
        Err(error) => return cannot_run(&error.to_string()),
    };
    let cases = listed(&prepared);
    let with_verdict = match verdict_case::is_there(&|name| std::env::var(name).ok()) {
        Ok(true) => WithVerdict::Yes,
        Ok(false) => WithVerdict::No,
        Err(message) => return cannot_run(&message),
    };
    if asked.flags.list {
        say(&warnings);
        list::print(&cases, with_verdict, asked);
        return ExitCode::SUCCESS;
    }
    if with_verdict == WithVerdict::Yes && is_nextest() && verdict_case::is_asked(asked) {
        return ExitCode::from(verdict(&prepared, &options).code());
    }
    let wanted: Vec<_> = cases
        .iter()
        .filter(|case| case.is_wanted(asked))
        .cloned()
        .collect();
    if wanted.is_empty() {
        return nothing_wanted(&cases, asked);
    }
    // Not before: cargo gives a filter that means another binary's test to this one too.
    say(&warnings);
    if let Err(error) = prepared.must_be_funded() {
        return cannot_run(&error.to_string());
    }
    let withheld = wanted
        .iter()
        .any(|case| case.withheld && case.ignored.is_none());
    if let (true, Some(note)) = (withheld, prepared.left_out()) {
        eprintln!("{note}");
    }
    let whole = cases
        .iter()
        .all(|case| case.withheld || wanted.contains(case));
    let (conclusion, executed) = sweep(asked, &options, &prepared, wanted);
    let code = executed.map_or(Exit::Done, |executed| ended(&prepared, executed, whole));
    // Nobody saw the lines of the cases where the reader went away, so that is no success either.
    let failed = conclusion.is_none_or(|conclusion| conclusion.has_failed());
    match code {
        Exit::Done if failed => ExitCode::from(LIBTEST_FAILED),
        code => ExitCode::from(code.code()),
    }
}

/// The verdict over what the other cases of this run of nextest have recorded.
fn verdict(prepared: &Prepared, options: &RunOptions) -> Exit {
    let run = options.run_id.as_deref().unwrap_or("latest");
    if !prepared.cells.is_empty() {
        return conclude(prepared, run);
    }
    match Proof::read(&prepared.results_dir, run) {
        Ok(proof) => {
            let mut out = std::io::stdout().lock();
            let _ = writeln!(out, "{}", proof.text());
            proof.exit()
        }
        Err(error) => {
            eprintln!("{error}");
            Exit::CannotRun
        }
    }
}

/// What a sweep comes to; `whole` = no case of it was left out.
fn ended(prepared: &Prepared, executed: SweptAll, whole: bool) -> Exit {
    match executed {
        Err(error) => {
            eprintln!("{error}");
            Exit::CannotRun
        }
        Ok(executed) if executed.interrupted => Exit::Interrupted,
        Ok(_) if is_nextest() => Exit::Done,
        Ok(executed) if !whole => {
            let mut out = std::io::stdout().lock();
            let run = executed.run;
            let _ = writeln!(out, "partial: no verdict (run {run} holds these cases)");
            Exit::Done
        }
        Ok(executed) => {
            let run = executed.run.as_str();
            let exit = match prepared.cells.is_empty() {
                true => controls_alone(prepared, run),
                false => conclude(prepared, run),
            };
            if let Some(line) = session::last_live(prepared) {
                let _ = writeln!(std::io::stdout().lock(), "{line}");
            }
            exit
        }
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
            held,
            lookup: &lookup,
            without_roster: WithoutRoster::ControlsAlone,
        },
    )?;
    let prepared = session::prepare(&loaded, options, &|name| std::env::var(name).ok())?;
    Ok((prepared, loaded.warnings))
}

fn listed(prepared: &Prepared) -> Vec<Listed> {
    let mut cases: Vec<_> = prepared
        .cases()
        .into_iter()
        .map(|(id, withheld)| Listed {
            ignored: prepared.why_ignored(&id.task).map(ToOwned::to_owned),
            id,
            withheld,
        })
        .collect();
    cases.sort_by(|a, b| a.id.cmp(&b.id));
    cases
}

/// cargo passes every filter to every binary, so a filter that means nothing here is no error.
/// nextest asks for exactly one case that it was told of: not knowing it must not be green.
fn nothing_wanted(cases: &[Listed], asked: &Asked) -> ExitCode {
    match (asked.filters.first(), cases) {
        (Some(name), _) if asked.flags.exact && is_nextest() => cannot_run(&format!(
            "error: there is no case `{name}`\nhelp: list again: the roster or a task has changed since"
        )),
        (_, []) if !asked.selects() => cannot_run(
            "error: there is no case to run\nhelp: write a task, and name a model and a harness in crossbar.yaml",
        ),
        _ => ExitCode::SUCCESS,
    }
}

fn is_nextest() -> bool {
    std::env::var_os("NEXTEST_EXECUTION_MODE").is_some_and(|mode| mode == "process-per-test")
}

type SweptAll = Result<session::Executed, SessionError>;
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
    let (handle, stop) = StopHandle::new();
    let wanted = |case: &CaseId| expected.contains_key(case);
    let watch = Watch {
        listeners: vec![Arc::clone(&waiting) as _],
        stop,
        log_to: || Box::new(std::io::stderr()),
        wanted: &wanted,
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
        if is_nextest() {
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

/// The smallest roster, for a project without one.
const SMALLEST: &str =
    "  models: [{id: mock, provider: mock}]\n  harnesses: [{id: react, kind: react}]";

/// Says how many controls hold where no cell ran. Whether one is red is the cases' to say.
fn controls_alone(prepared: &Prepared, run: &str) -> Exit {
    let proof = match Proof::read(&prepared.results_dir, run) {
        Ok(proof) => proof,
        Err(error) => {
            eprintln!("{error}");
            return Exit::CannotRun;
        }
    };
    let mut out = std::io::stdout().lock();
    let _ = writeln!(out, "controls: {}", proof.held());
    if prepared.has_no_model() {
        let _ = writeln!(
            out,
            "there is no model to run: `crossbar init` writes a crossbar.yaml to begin with, which \
             at its smallest is\n{SMALLEST}"
        );
    }
    Exit::Done
}

/// Prints the verdict of a whole sweep, read back out of the record.
fn conclude(prepared: &Prepared, run: &str) -> Exit {
    let styles = match std::io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none() {
        true => Styles::Coloured,
        false => Styles::Plain,
    };
    let concluded = session::conclude(&prepared.results_dir, run, None).and_then(|concluded| {
        let concluded = concluded.held(&prepared.references_dir, &session::variable)?;
        say(&concluded.notes());
        let folder = session::write(&concluded, &prepared.results_dir, None)?;
        let mut card = Vec::new();
        concluded.render("text", styles, &mut card)?;
        // A gate does not speak of a sweep that is left short of its live cells.
        let exit = match prepared.withheld.is_empty() {
            true => concluded.exit(),
            false => concluded.measured(),
        };
        Ok((card, folder, exit))
    });
    match concluded {
        Ok((card, folder, exit)) => {
            let mut out = std::io::stdout().lock();
            let _ = out.write_all(&card);
            let _ = writeln!(out, "\nwritten to {}", folder.display());
            exit
        }
        Err(error) => {
            eprintln!("{error}");
            Exit::CannotRun
        }
    }
}
