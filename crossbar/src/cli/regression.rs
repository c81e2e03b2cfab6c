//! `crossbar regression`: has a cell become worse between two runs?

use super::args::Shared;
use super::output;
use crate::session::{self, Exit, SessionError};
use clap::Args;

/// The flags of `regression`.
#[derive(Args)]
pub(super) struct RegressionArgs {
    /// The earlier run, or its sweep.json; without it the newest earlier run of the same tasks that
    /// measured another configuration of the cells.
    #[arg(long, value_name = "RUN|FILE")]
    reference: Option<String>,
    /// The later run, or its sweep.json: latest, an id or the beginning of one.
    #[arg(long, value_name = "RUN|FILE", default_value = "latest")]
    current: String,
}

pub(super) fn main(args: &RegressionArgs, shared: &Shared) -> Result<Exit, SessionError> {
    let current = output::run_or_file(&args.current, shared)?;
    let reference = match &args.reference {
        Some(named) => output::run_or_file(named, shared)?,
        None => {
            let (options, here) = shared.asked()?;
            session::earlier_run(&session::results_of(&options, &here)?, &current)?
        }
    };
    let found = current.regression(&reference, output::styles(shared))?;
    output::print(&found.text)?;
    Ok(found.exit)
}
