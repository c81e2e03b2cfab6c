//! `crossbar verdict`: the verdict of a run that is recorded already, by whoever ran it.

use super::args::Shared;
use super::output;
use crate::session::{self, Exit, RecordedRuns, SessionError, Styles};
use clap::Args;
use std::path::PathBuf;
use std::time::Duration;

/// The flags of `verdict`.
#[derive(Args)]
pub(super) struct VerdictArgs {
    /// The run: latest, an id or the beginning of one, a results folder or its store.db. Several
    /// are the parts of one run: partitions, shards.
    #[arg(value_name = "RUN", default_value = "latest")]
    runs: Vec<String>,
    /// Wait until no process records the run any more, or SECONDS have passed.
    #[arg(long, value_name = "SECONDS", num_args = 0..=1, require_equals = true, value_parser = seconds)]
    wait: Option<Option<u32>>,
    /// Report pass@K and pass^K too.
    #[arg(long, value_name = "K")]
    k: Option<u32>,
    /// Print one JSON document instead of the card.
    #[arg(long)]
    json: bool,
    /// Write the files of the run to this folder too.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

fn seconds(text: &str) -> Result<u32, String> {
    let seconds = text
        .parse()
        .map_err(|_| "give whole seconds, like --wait=60");
    seconds.map_err(str::to_owned)
}

pub(super) fn main(args: &VerdictArgs, shared: &Shared) -> Result<Exit, SessionError> {
    let (options, here) = shared.asked()?;
    let results_dir = session::results_of(&options, &here)?;
    let runs = RecordedRuns::find(&results_dir, &args.runs)?;
    if let Some(limit) = args.wait {
        let limit = limit.map(|seconds| Duration::from_secs(seconds.into()));
        runs.wait(limit, &mut output::note)?;
    }
    let concluded = runs.conclude(args.k)?;
    let concluded = concluded.held(
        &session::references_of(&options, &here)?,
        &session::variable,
    )?;
    for note in concluded.notes() {
        output::note(&note);
    }
    session::write(&concluded, &results_dir, args.out.as_deref())?;
    if args.json {
        output::report(&concluded, "json", Styles::Plain)?;
    } else {
        output::report(&concluded, "text", output::styles(shared))?;
    }
    Ok(concluded.exit())
}
