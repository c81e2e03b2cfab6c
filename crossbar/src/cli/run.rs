//! `crossbar run`: the packs of the roster, and the tasks in the test binaries of its packages.

use super::args::Shared;
use super::{export, output};
use crate::domain::BudgetLimit;
use crate::session::{
    self, AdHoc, Brought, Concluded, EngineCommand, EngineJob, Exit, Packs, Progress, RunOptions,
    SecondLook, SessionError, StopHandle, TestBinary, Watch, WithoutRoster,
};
use clap::Args;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;

/// The flags of `run`.
#[derive(Args)]
pub(super) struct RunArgs {
    /// Run this pack and nothing else.
    #[arg(long, value_name = "DIR")]
    pack: Option<PathBuf>,
    /// Rollouts per cell and task.
    #[arg(long, visible_alias = "trials", value_name = "N", allow_negative_numbers = true, value_parser = parse_count)]
    repeats: Option<u32>,
    /// Give cells that are settled early no more repeats: begin with --repeats, look, and go on with
    /// those that are open, up to --max-repeats. Looks are fixed beforehand and share the error.
    #[arg(long)]
    adaptive: bool,
    /// The most rollouts per cell and task of an adaptive run.
    #[arg(long, value_name = "N", requires = "adaptive", allow_negative_numbers = true, value_parser = parse_count)]
    max_repeats: Option<u32>,
    /// Report pass@K and pass^K too.
    #[arg(long, value_name = "K", allow_negative_numbers = true, value_parser = parse_count)]
    k: Option<u32>,
    /// Run this cell only; may be given several times.
    #[arg(long = "agent", value_name = "CELL")]
    agents: Vec<String>,
    /// Run one cell that stands in no roster: this kind of provider, with the model of --model.
    #[arg(long, value_name = "KIND", requires = "model", conflicts_with_all = ["agents", "aa", "adaptive"])]
    provider: Option<String>,
    /// The model to ask the --provider for; its harness is the first that goes with the provider.
    #[arg(long, value_name = "NAME", requires = "provider")]
    model: Option<String>,
    /// Where the --provider listens.
    #[arg(long, value_name = "URL", requires = "provider")]
    base_url: Option<String>,
    /// The name of the environment variable that holds the --provider's key; never the key.
    #[arg(long, value_name = "NAME", requires = "provider")]
    api_key_env: Option<String>,
    /// Run the baseline (or the one --agent) alone and twice as often, and hold it against itself:
    /// what gap can a gate over these tasks show?
    #[arg(long)]
    aa: bool,
    /// Let live models be called; needs a budget.
    #[arg(long)]
    live: bool,
    /// The ceiling in dollars for live models, or `unlimited`.
    #[arg(long, value_name = "USD", allow_negative_numbers = true, value_parser = parse_budget)]
    budget: Option<BudgetLimit>,
    /// Keep what passes between the agents and live models in the run's folder, its secrets masked,
    /// so that it can be replayed.
    #[arg(long, conflicts_with = "adaptive")]
    record: bool,
    /// Answer live models out of a recording (of the newest recorded run where none is named, or in
    /// a folder): nothing is sent, no key and no budget is needed, and nothing is said about the
    /// models. A request that was not recorded makes its rollout invalid.
    #[arg(long, value_name = "RUN", num_args = 0..=1, default_missing_value = "latest",
        conflicts_with_all = ["record", "live", "budget", "repeats", "adaptive", "aa", "resume"])]
    replay: Option<String>,
    /// Print one JSON document instead of the card.
    #[arg(long)]
    json: bool,
    /// Write the files of the run to this folder too.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Write what agents did for another tool too, as `crossbar export` does; may be given several
    /// times. What can't be written is a warning.
    #[arg(long = "export", value_name = "FORMAT", value_parser = export::formats())]
    exports: Vec<String>,
    /// Go on with a run (the newest where none is named) instead of beginning one.
    #[arg(long, value_name = "RUN", num_args = 0..=1, default_missing_value = "latest")]
    resume: Option<String>,
}

pub(super) fn parse_count(text: &str) -> Result<u32, String> {
    let number = text
        .parse()
        .ok()
        .filter(|number| (1..=1000).contains(number));
    number.ok_or_else(|| "give a whole number from 1 to 1000".to_owned())
}

pub(super) fn parse_budget(text: &str) -> Result<BudgetLimit, String> {
    session::budget(text).map_err(|error| {
        let told = error.to_string();
        told.trim_start_matches("error: ").to_owned()
    })
}

impl RunArgs {
    fn ad_hoc(&self) -> Option<AdHoc> {
        Some(AdHoc {
            provider: self.provider.clone()?,
            model: self.model.clone()?,
            base_url: self.base_url.clone(),
            api_key_env: self.api_key_env.clone(),
        })
    }

    fn options(&self, shared: &Shared) -> RunOptions {
        RunOptions {
            config: shared.config.clone(),
            ad_hoc: self.ad_hoc(),
            pack: self.pack.clone(),
            alone: self.pack.is_some(),
            repeats: self.repeats,
            adaptive: self.adaptive,
            max_repeats: self.max_repeats,
            k: self.k,
            aa: self.aa,
            cells: self.agents.clone(),
            live: self.live,
            budget: self.budget,
            record: self.record,
            replay: self.replay.clone(),
            resume: self.resume.clone(),
            out: self.out.clone(),
            ..RunOptions::default()
        }
    }
}

pub(super) fn main(args: &RunArgs, shared: &Shared) -> Result<Exit, SessionError> {
    let environment = RunOptions::from_environment(&|name| std::env::var(name).ok())?;
    let options = args.options(shared).over(environment);
    let here = output::here()?;
    let options = session::settled(&options, &here)?;
    let binaries = match options.pack {
        Some(_) => Vec::new(),
        None => session::test_binaries(&options, &here)?,
    };
    let ended = match options.adaptive {
        true => look_by_look(&options, &binaries, &here)?,
        false => once(&options, &binaries, &here)?,
    };
    let first = concluded(&options, &here, ended)?;
    let again = match ended {
        Exit::Done => second_look(&first, &options, &binaries, &here)?,
        _ => None,
    };
    match again {
        Some(ended) => {
            let both = concluded(&options, &here, ended)?;
            told(args, shared, (&options, &both), ended)
        }
        None => told(args, shared, (&options, &first), ended),
    }
}

/// Runs the second look that follows on a red one, or goes on with it. Comes back with how it ended;
/// `None` where there was nothing to run.
fn second_look(
    first: &Concluded,
    options: &RunOptions,
    binaries: &[TestBinary],
    here: &std::path::Path,
) -> Result<Option<Exit>, SessionError> {
    match first.second_look(options)? {
        Some(SecondLook::Due { options, note }) => {
            output::note(&note);
            once(&options, binaries, here).map(Some)
        }
        Some(SecondLook::Unpaid { note }) => {
            output::note(&note);
            Ok(None)
        }
        None => Ok(None),
    }
}

fn once(
    options: &RunOptions,
    binaries: &[TestBinary],
    here: &std::path::Path,
) -> Result<Exit, SessionError> {
    match binaries.is_empty() {
        true => in_this_process(options, here),
        false => in_test_binaries(options, binaries, EngineJob::Run),
    }
}

/// Runs up to each look in turn. What comes next follows from the record, so a run that was killed
/// goes on where it stopped.
fn look_by_look(
    options: &RunOptions,
    binaries: &[TestBinary],
    here: &std::path::Path,
) -> Result<Exit, SessionError> {
    let results_dir = options.results_dir.clone().unwrap_or_default();
    let mut options = options.clone();
    if let Some(run) = options.resume.clone() {
        options.upto = session::ran_upto(&results_dir, &run)?;
    }
    loop {
        let ended = once(&options, binaries, here)?;
        if ended != Exit::Done {
            return Ok(ended);
        }
        let run = options.resume.take().or(options.run_id.take());
        let run = run.unwrap_or_else(|| "latest".to_owned());
        let next = session::next_upto(&results_dir, &run)?;
        // The same again would run nothing: what is missing stays missing.
        if next.is_none() || next == options.upto {
            return Ok(ended);
        }
        (options.resume, options.upto) = (Some(run), next);
    }
}

/// The packs alone need no test binary.
fn in_this_process(options: &RunOptions, here: &std::path::Path) -> Result<Exit, SessionError> {
    let lookup = session::variable;
    let brought = Brought {
        from: here,
        packs: Packs::Run,
        held: &[],
        lookup: &lookup,
        without_roster: WithoutRoster::Refuse,
    };
    let loaded = session::load(options, &brought)?;
    for warning in &loaded.warnings {
        output::note(warning);
    }
    let prepared = session::prepare(&loaded, options, &|name| std::env::var(name).ok())?;
    prepared.must_run()?;
    let notes = prepared.left_out().into_iter();
    let notes = notes.chain(prepared.tasks_left_out());
    for note in notes.chain(session::first_runs(&prepared)) {
        output::note(&note);
    }
    let (stop, _) = StopHandle::new();
    session::stop_on_signals(stop.clone());
    let progress = Progress::new(Box::new(io::stderr()));
    let watch = Watch {
        listeners: vec![Arc::new(progress)],
        stop,
        log_to: || Box::new(std::io::stderr()),
        wanted: &|_| true,
        rest: None,
    };
    let executed = session::execute(&prepared, options, &watch)?;
    // Who names a pack or a cell leaves the others out on purpose.
    if options.pack.is_none() && options.cells.is_empty() && !executed.gone.is_empty() {
        output::note(&format!(
            "note: run {} has {} too, and they are not here now: what is missing of them stays missing",
            executed.run,
            executed.gone.join(", ")
        ));
    }
    Ok(if executed.interrupted {
        Exit::Interrupted
    } else {
        Exit::Done
    })
}

/// Every marked binary runs its own tasks into the same run; the first runs the packs too.
pub(super) fn in_test_binaries(
    options: &RunOptions,
    binaries: &[TestBinary],
    job: EngineJob,
) -> Result<Exit, SessionError> {
    let (handle, stop) = StopHandle::new();
    // A binary is told by the end of its input; this process waits for it to end.
    session::stop_on_signals(handle);
    for (at, binary) in binaries.iter().enumerate() {
        if stop.stopped() {
            return Ok(Exit::Interrupted);
        }
        let command = EngineCommand::new(options.clone(), Packs::of_binary(at)).to(job);
        let go_on = || !stop.stopped();
        let others = binaries.iter().filter(|other| *other != binary);
        let command = EngineCommand {
            held: others.flat_map(|other| other.packs().to_vec()).collect(),
            others: binaries.len() - 1,
            ..command
        };
        let code = binary.run(&command, &go_on)?;
        match code {
            Some(0) => {}
            Some(130) | None => return Ok(Exit::Interrupted),
            Some(code) => {
                return Err(SessionError::new(format!(
                    "{} ended with exit code {code}",
                    binary.path().display()
                ))
                .help("its message is above"));
            }
        }
    }
    Ok(Exit::Done)
}

/// The verdict is read out of the record, whoever ran the rollouts.
fn concluded(
    options: &RunOptions,
    here: &std::path::Path,
    ended: Exit,
) -> Result<Concluded, SessionError> {
    let results_dir = options.results_dir.clone().unwrap_or_default();
    let run = options
        .resume
        .as_deref()
        .or(options.run_id.as_deref())
        .unwrap_or("latest");
    if ended == Exit::Done && run != "latest" && !session::is_recorded(&results_dir, run)? {
        return Err(SessionError::new("no test binary has a task to run")
            .help("write a `#[crossbar::task]` or a `*.task.yaml`, or name a pack: --pack"));
    }
    let concluded = session::conclude(&results_dir, run, options.k)?;
    concluded.held(&session::references_of(options, here)?, &session::variable)
}

/// Writes the files of the run and prints it.
fn told(
    args: &RunArgs,
    shared: &Shared,
    (options, concluded): (&RunOptions, &Concluded),
    ended: Exit,
) -> Result<Exit, SessionError> {
    let results_dir = options.results_dir.clone().unwrap_or_default();
    let folder = session::write(concluded, &results_dir, options.out.as_deref())?;
    for format in &args.exports {
        export_or_warn(concluded, format, &folder);
    }
    if args.json {
        output::report(concluded, "json", session::Styles::Plain)?;
    } else {
        output::report(concluded, "text", output::styles(shared))?;
        output::note(&format!("written to {}", folder.display()));
    }
    Ok(match ended {
        Exit::Done => concluded.exit(),
        other => other,
    })
}

/// A run does not end otherwise because another tool can't be told of it.
fn export_or_warn(concluded: &Concluded, format: &str, folder: &std::path::Path) {
    match concluded.export(format, folder) {
        Ok(written) => output::note(&export::line(&written)),
        Err(error) => {
            let told = error.to_string();
            let told = told.trim_start_matches("error: ");
            output::note(&format!(
                "warning: the run is not exported to {format}: {told}"
            ));
        }
    }
}
