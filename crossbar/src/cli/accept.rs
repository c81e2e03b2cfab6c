//! `crossbar accept`: a run's results become the reference that later runs are held against.

use super::args::Shared;
use super::{output, validate};
use crate::session::{self, AcceptOptions, Exit, SessionError};
use clap::Args;

/// The flags of `accept`.
#[derive(Args)]
pub(super) struct AcceptArgs {
    /// The run: latest, an id or the beginning of one, or its sweep.json. Several are the parts of
    /// one run, as of `verdict`.
    #[arg(value_name = "RUN", default_value = "latest")]
    runs: Vec<String>,
    /// Accept this cell; may be given several times. Without it: the cell that the gate holds, or
    /// the baseline, the sentinel, and every cell that has a reference.
    #[arg(long = "cell", value_name = "CELL")]
    cells: Vec<String>,
    /// Accept these tasks only (`*` stands for any characters); may be given several times.
    #[arg(long = "task", value_name = "GLOB")]
    tasks: Vec<String>,
    /// Accept the drop of these tasks; needs a reason.
    #[arg(long = "regression", value_name = "GLOB", requires = "reason")]
    drops: Vec<String>,
    /// Why the drop is meant; kept in the reference and shown in later reports.
    #[arg(long, value_name = "TEXT", requires = "drops")]
    reason: Option<String>,
    /// Let fewer rollouts take the place of more.
    #[arg(long)]
    fewer: bool,
    /// Accept a run of cells or tasks that have changed since: what was measured then.
    #[arg(long)]
    outdated: bool,
}

pub(super) fn main(args: &AcceptArgs, shared: &Shared) -> Result<Exit, SessionError> {
    let (options, here) = shared.asked()?;
    let concluded = output::runs_or_file(&args.runs, shared)?;
    let asked = AcceptOptions {
        cells: args.cells.clone(),
        tasks: args.tasks.clone(),
        drops: args
            .drops
            .iter()
            .map(|glob| (glob.clone(), args.reason.clone().unwrap_or_default()))
            .collect(),
        fewer: args.fewer,
        ci: session::in_ci(),
        now: match args.outdated || session::in_ci() {
            true => None,
            false => Some(validate::project_now(&concluded, &options, &here)?),
        },
    };
    let places = session::reference_places(&options, &here, concluded.run())?;
    let said = concluded.accept(&places, &asked)?;
    output::print(&said.join("\n"))?;
    Ok(Exit::Done)
}
