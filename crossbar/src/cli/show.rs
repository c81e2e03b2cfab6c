//! `crossbar show CELL TASK`: the transcript of one rollout in the terminal.

use super::args::Shared;
use super::output;
use crate::session::{Exit, SessionError};
use clap::Args;

/// The flags of `show`.
#[derive(Args)]
pub(super) struct ShowArgs {
    /// The cell, `model+harness`.
    #[arg(value_name = "CELL")]
    cell: String,
    /// The task, `pack::task`, or the task alone where only one pack has it.
    #[arg(value_name = "TASK")]
    task: String,
    /// The repeat.
    #[arg(short, long, value_name = "N", default_value_t = 1)]
    repeat: u32,
    /// The run: latest, an id or the beginning of one, or its sweep.json. Given several times: the
    /// parts of one run, as of `verdict`.
    #[arg(long = "run", value_name = "RUN", default_value = "latest")]
    runs: Vec<String>,
}

pub(super) fn main(args: &ShowArgs, shared: &Shared) -> Result<Exit, SessionError> {
    let concluded = output::runs_or_file(&args.runs, shared)?;
    let text = concluded.transcript(&args.cell, &args.task, args.repeat, output::styles(shared))?;
    output::print(&text)?;
    Ok(Exit::Done)
}
