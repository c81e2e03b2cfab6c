//! `crossbar verdict`: the verdict of a run that is recorded already, by whoever ran it.

use super::args::Shared;
use super::output;
use crate::session::{self, Exit, SessionError, Styles};
use clap::Args;
use std::path::PathBuf;

/// The flags of `verdict`.
#[derive(Args)]
pub(super) struct VerdictArgs {
    /// The run: latest, an id or the beginning of one.
    #[arg(value_name = "RUN", default_value = "latest")]
    run: String,
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

pub(super) fn main(args: &VerdictArgs, shared: &Shared) -> Result<Exit, SessionError> {
    let (options, here) = shared.asked()?;
    let results_dir = session::results_of(&options, &here)?;
    let concluded = session::conclude(&results_dir, &args.run, args.k)?;
    let concluded = concluded.held(
        &session::references_of(&options, &here)?,
        &session::variable,
    )?;
    session::write(&concluded, &results_dir, args.out.as_deref())?;
    if args.json {
        output::report(&concluded, "json", Styles::Plain)?;
    } else {
        output::report(&concluded, "text", output::styles(shared))?;
    }
    Ok(concluded.exit())
}
