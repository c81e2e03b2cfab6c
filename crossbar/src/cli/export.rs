//! `crossbar export`: what agents did in a run, as files for other tools.

use super::args::Shared;
use super::output;
use crate::session::{EXPORTS, Exit, SessionError, Written};
use clap::Args;
use clap::builder::PossibleValuesParser;
use std::path::PathBuf;

/// The flags of `export`.
#[derive(Args)]
pub(super) struct ExportArgs {
    /// The run (latest, an id or the beginning of one), or a sweep.json.
    #[arg(value_name = "RUN", default_value = "latest")]
    run: String,
    /// The format: a trajectory in ATIF per rollout, or spans of OpenTelemetry as lines of OTLP/JSON.
    #[arg(long, value_name = "FORMAT", default_value = "atif", value_parser = formats())]
    format: String,
    /// Write into this folder instead of the run's own.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

/// The words after `--format`, and after `run --export`.
pub(super) fn formats() -> PossibleValuesParser {
    PossibleValuesParser::new(EXPORTS.iter().map(|export| export.name))
}

pub(super) fn main(args: &ExportArgs, shared: &Shared) -> Result<Exit, SessionError> {
    let (concluded, folder) = output::held_or_file(&args.run, shared)?;
    let folder = args.out.as_ref().unwrap_or(&folder);
    let written = concluded.export(&args.format, folder)?;
    output::print(&line(&written))?;
    Ok(Exit::Done)
}

/// What was written where.
pub(super) fn line(written: &Written) -> String {
    let rollouts = match written.rollouts {
        1 => "1 rollout".to_owned(),
        many => format!("{many} rollouts"),
    };
    format!("{rollouts} written to {}", written.path.display())
}
