//! `crossbar review`: a run beside the accepted references, before somebody accepts it.

use super::args::Shared;
use super::output;
use crate::session::{self, Exit, SessionError};
use clap::Args;

/// The flags of `review`.
#[derive(Args)]
pub(super) struct ReviewArgs {
    /// The run: latest, an id or the beginning of one.
    #[arg(value_name = "RUN", default_value = "latest")]
    run: String,
    /// Review this cell; may be given several times.
    #[arg(long = "cell", value_name = "CELL")]
    cells: Vec<String>,
}

pub(super) fn main(args: &ReviewArgs, shared: &Shared) -> Result<Exit, SessionError> {
    let (options, here) = shared.asked()?;
    let results_dir = session::results_of(&options, &here)?;
    let concluded = session::conclude(&results_dir, &args.run, None)?;
    let folder = session::references_of(&options, &here)?;
    output::print(&concluded.review(&folder, &args.cells, output::styles(shared))?)?;
    Ok(Exit::Done)
}
