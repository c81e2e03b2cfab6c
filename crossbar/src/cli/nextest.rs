//! `crossbar nextest`: `cargo nextest run`, and then the verdict over what it recorded.

use super::args::Shared;
use super::output;
use crate::session::{self, Exit, RunOptions, SessionError, StopHandle};
use clap::Args;
use std::ffi::OsString;
use std::path::Path;

/// The flags of `nextest`.
#[derive(Args)]
pub(super) struct NextestArgs {
    /// What `cargo nextest run` is given; flags of crossbar itself stand before `nextest`.
    #[arg(
        value_name = "ARGS",
        trailing_var_arg = true,
        allow_hyphen_values = true
    )]
    args: Vec<OsString>,
}

pub(super) fn main(args: &NextestArgs, shared: &Shared) -> Result<Exit, SessionError> {
    let (asked, here) = shared.asked()?;
    let settled = session::settled(&asked, &here)?;
    let options = RunOptions {
        // A roster that nobody named is looked for by each package.
        config: settled.config.filter(|_| asked.config.is_some()),
        ..settled
    };
    unused(&options)?;
    let args = match args.args.split_first() {
        Some((run, rest)) if run == "run" => rest,
        _ => args.args.as_slice(),
    };
    let (handle, stop) = StopHandle::new();
    // nextest has the signal too, and ends its cases in its own way.
    session::stop_on_signals(handle);
    let code = session::nextest(&options, args, &here, &|| !stop.stopped())?;
    match code {
        None => Ok(Exit::Interrupted),
        Some(_) if stop.stopped() => Ok(Exit::Interrupted),
        Some(code) => {
            let code = u8::try_from(code).unwrap_or(u8::MAX);
            conclude(&options, &here, code, shared)
        }
    }
}

/// A name that was used would make every case one that was measured already.
fn unused(options: &RunOptions) -> Result<(), SessionError> {
    let (Some(results_dir), Some(run)) = (&options.results_dir, &options.run_id) else {
        return Ok(());
    };
    if session::is_recorded(results_dir, run)? {
        return Err(SessionError::new(format!("run {run} is recorded already"))
            .help("set CROSSBAR_RUN_ID to another name, or leave it out"));
    }
    Ok(())
}

/// The verdict's code; where that is 0, nextest's own.
fn conclude(
    options: &RunOptions,
    here: &Path,
    code: u8,
    shared: &Shared,
) -> Result<Exit, SessionError> {
    let results_dir = options.results_dir.clone().unwrap_or_default();
    let run = options.run_id.as_deref().unwrap_or("latest");
    if !session::is_recorded(&results_dir, run)? {
        return match code {
            0 => Err(
                SessionError::new("nextest ran no case of crossbar, so there is no verdict")
                    .help("look at what it was given: filters, --no-run, packages"),
            ),
            code => Ok(Exit::Runner(code)),
        };
    }
    let concluded = session::conclude(&results_dir, run, None)?;
    let references = session::references_of(options, here)?;
    let concluded = concluded.held(&references, &session::variable)?;
    for note in concluded.notes() {
        output::note(&note);
    }
    let folder = session::write(&concluded, &results_dir, None)?;
    output::report(&concluded, "text", output::styles(shared))?;
    output::note(&format!("written to {}", folder.display()));
    Ok(match concluded.exit() {
        Exit::Done if code != 0 => Exit::Runner(code),
        exit => exit,
    })
}
