//! `crossbar validate`: reads everything and says what would run; with `--controls` the tasks prove
//! themselves. Neither calls a model.

use super::args::Shared;
use super::output;
use crate::session::{
    self, Brought, Concluded, EngineCommand, EngineJob, Exit, Outlook, Packs, Prepared, Proof,
    RunOptions, SessionError, StopHandle, TestBinary, Watch, WithoutRoster,
};
use clap::Args;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The run in which the controls are played; it is thrown away afterwards.
const RUN: &str = "validate";

/// The flags of `validate`.
#[derive(Args)]
pub(super) struct ValidateArgs {
    /// Run the controls too: doing nothing must score 0.00, the solution 1.00, and no broken
    /// script may be accepted.
    #[arg(long)]
    controls: bool,
    /// Look at this pack and nothing else.
    #[arg(long, value_name = "DIR")]
    pack: Option<PathBuf>,
}

pub(super) fn main(args: &ValidateArgs, shared: &Shared) -> Result<Exit, SessionError> {
    let here = output::here()?;
    let environment = RunOptions::from_environment(&|name| std::env::var(name).ok())?;
    let flags = RunOptions {
        config: shared.config.as_ref().map(|config| here.join(config)),
        pack: args.pack.as_ref().map(|pack| here.join(pack)),
        ..RunOptions::default()
    };
    let place = session::Scratch::new()?;
    let options = RunOptions {
        results_dir: Some(place.path().to_owned()),
        run_id: Some(RUN.to_owned()),
        resume: None,
        ..flags.over(environment)
    };
    let binaries = match options.pack {
        Some(_) => Vec::new(),
        None => session::test_binaries(&options, &here)?,
    };
    let (outlook, prepared) = looked_at(&options, &binaries, &here)?;
    outlook.must_have_tasks()?;
    if !args.controls {
        output::print(&format!("{}; nothing was run", said(&outlook)))?;
        return Ok(Exit::Done);
    }
    output::print(&said(&outlook))?;
    let ended = match &prepared {
        Some(prepared) => played_here(prepared, &options)?,
        None => played_there(&binaries, &options)?,
    };
    if ended != Exit::Done {
        return Ok(ended);
    }
    let proof = Proof::read(place.path(), RUN)?;
    output::print(&format!("\n{}", proof.text()))?;
    Ok(proof.exit())
}

/// What the project holds now, as far as a run needs it: the roster's packs, those that the run was
/// given beside them (`run --pack`), and test binaries, which are only asked for tasks that this
/// process can't see.
pub(super) fn project_now(
    concluded: &Concluded,
    options: &RunOptions,
    here: &Path,
) -> Result<Outlook, SessionError> {
    let options = RunOptions {
        cells: Vec::new(),
        live: false,
        ..options.clone()
    };
    let mut own = Outlook::of(&prepared(&options, here)?);
    for pack in packs_outside(concluded, &own, &options, here)? {
        let alone = RunOptions {
            pack: Some(pack),
            ..options.clone()
        };
        own = own.and(Outlook::of(&prepared(&alone, here)?));
    }
    if concluded.tasks_are_in(&own) {
        return Ok(own);
    }
    let binaries = session::test_binaries(&options, here)?;
    Ok(own.and(looked_at(&options, &binaries, here)?.0))
}

/// The folders of a run's tasks that the project does not name, as far as their files are there.
fn packs_outside(
    concluded: &Concluded,
    own: &Outlook,
    options: &RunOptions,
    here: &Path,
) -> Result<BTreeSet<PathBuf>, SessionError> {
    let references = session::references_of(options, here)?;
    let root = references.parent().unwrap_or(here);
    let files = concluded.files_outside(own);
    let is_task = |path: &&PathBuf| path.to_string_lossy().ends_with(".task.yaml");
    let there = |path: &PathBuf| {
        let places = [here.join(path), root.join(path)];
        places.into_iter().find(|path| path.is_file())
    };
    let found = files.iter().filter(is_task).filter_map(there);
    let folders = found.filter_map(|path| path.parent().map(Path::to_owned));
    Ok(folders.collect())
}

/// What would run; with it, what this process itself would run, where no test binary does.
pub(super) fn looked_at(
    options: &RunOptions,
    binaries: &[TestBinary],
    here: &Path,
) -> Result<(Outlook, Option<Prepared>), SessionError> {
    if binaries.is_empty() {
        let prepared = prepared(options, here)?;
        return Ok((Outlook::of(&prepared), Some(prepared)));
    }
    let mut outlook = Outlook::default();
    let mut broken = false;
    for (at, binary) in binaries.iter().enumerate() {
        let packs = Packs::of_binary(at);
        let command = EngineCommand::new(options.clone(), packs).to(EngineJob::Validate);
        match binary.ask::<Outlook>(&command)? {
            Some(other) => outlook = outlook.and(other),
            None => broken = true,
        }
    }
    if broken {
        return Err(SessionError::new("the tasks can't be read").help("the problems are above"));
    }
    Ok((outlook, None))
}

fn prepared(options: &RunOptions, here: &Path) -> Result<Prepared, SessionError> {
    let lookup = session::variable;
    let brought = Brought {
        from: here,
        packs: Packs::Run,
        held: &[],
        lookup: &lookup,
        without_roster: WithoutRoster::ControlsAlone,
    };
    let loaded = session::load(options, &brought)?;
    for warning in &loaded.warnings {
        output::note(warning);
    }
    session::prepare(&loaded, options, &|name| std::env::var(name).ok())
}

/// What would run, for a person.
fn said(outlook: &Outlook) -> String {
    let counted = |count: usize, noun: &str| match count {
        1 => format!("1 {noun}"),
        _ => format!("{count} {noun}s"),
    };
    let names = |names: &BTreeSet<String>| {
        let names: Vec<_> = names.iter().map(String::as_str).collect();
        names.join(", ")
    };
    let mut lines = vec![match outlook.cells.len() {
        0 => "no cell".to_owned(),
        count => format!("{}: {}", counted(count, "cell"), names(&outlook.cells)),
    }];
    if !outlook.withheld.is_empty() {
        let text = names(&outlook.withheld);
        lines.push(format!("left out, since they are live: {text}"));
    }
    lines.push(format!("{}:", counted(outlook.tasks.len(), "task")));
    lines.extend(outlook.tasks.iter().map(|task| format!("  {task}")));
    lines.extend(outlook.not_run());
    lines.extend(outlook.reach());
    lines.extend(outlook.second_look());
    lines.push(format!(
        "planned: {}, and {}",
        counted(outlook.rollouts, "rollout"),
        counted(outlook.controls, "control")
    ));
    lines.join("\n")
}

/// The packs alone need no test binary.
fn played_here(prepared: &Prepared, options: &RunOptions) -> Result<Exit, SessionError> {
    let (stop, _) = StopHandle::new();
    session::stop_on_signals(stop.clone());
    let watch = Watch {
        listeners: Vec::new(),
        stop,
        log_to: || Box::new(std::io::stderr()),
        wanted: &session::is_control_case,
        rest: None,
    };
    let executed = session::execute(prepared, options, &watch)?;
    Ok(if executed.interrupted {
        Exit::Interrupted
    } else {
        Exit::Done
    })
}

/// Every marked binary plays the controls of its own tasks; the first those of the packs too.
fn played_there(binaries: &[TestBinary], options: &RunOptions) -> Result<Exit, SessionError> {
    super::run::in_test_binaries(options, binaries, EngineJob::Controls)
}
