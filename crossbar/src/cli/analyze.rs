//! `crossbar analyze FILE..`: the verdict over results that other tools produced.

use super::args::Shared;
use super::output;
use crate::session::{self, Cluster, Exit, ImportOptions, NamedInterval, SessionError};
use clap::builder::PossibleValuesParser;
use clap::{Args, ValueEnum};

/// The flags of `analyze`.
#[derive(Args)]
pub(super) struct AnalyzeArgs {
    /// The results: a CSV file with the columns cell, task, repeat and passed, logs of Inspect
    /// (.eval, .json), the JSON of promptfoo, results.json of tau2, the folder of a job of Harbor, or
    /// the JUnit XML of a test runner. NAME=FILE names the one cell of a file.
    #[arg(value_name = "FILE", required = true)]
    files: Vec<String>,
    /// The scorer that decides, in logs of Inspect that have several, or the reward in jobs of
    /// Harbor.
    #[arg(long, value_name = "NAME")]
    scorer: Option<String>,
    /// The cell used today, as the files name it.
    #[arg(long, value_name = "CELL")]
    baseline: Option<String>,
    /// The loss of pass rate that is still acceptable, in points.
    #[arg(long, value_name = "POINTS")]
    margin: Option<f64>,
    /// The pass rate that the winner must show to be above, in points.
    #[arg(long, value_name = "POINTS")]
    quality_bar: Option<f64>,
    /// Count a family as one unit, and insist that every task names one.
    #[arg(long, value_enum, value_name = "UNIT")]
    cluster: Option<Unit>,
    /// Show another tool's interval too, with what it was measured to hold.
    #[arg(long, value_name = "METHOD", value_parser = methods())]
    ci: Option<String>,
    /// Print one JSON document instead of the card; `crossbar schema analyze` prints its schema.
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum Unit {
    /// The column family.
    Family,
}

/// The words of the named intervals.
fn methods() -> PossibleValuesParser {
    PossibleValuesParser::new(session::NAMED_INTERVALS.iter().map(|method| method.word))
}

pub(super) fn main(args: &AnalyzeArgs, shared: &Shared) -> Result<Exit, SessionError> {
    let results = session::analyze_files(&ImportOptions {
        files: args.files.clone(),
        scorer: args.scorer.clone(),
        baseline: args.baseline.clone(),
        margin: args.margin,
        quality_bar: args.quality_bar,
        cluster: match args.cluster {
            Some(Unit::Family) => Cluster::Family,
            None => Cluster::AsTold,
        },
        named: args.ci.as_deref().and_then(NamedInterval::named),
    })?;
    let text = if args.json {
        results.json()?
    } else {
        results.text(output::styles(shared))
    };
    output::print(text.trim_end_matches('\n'))?;
    Ok(results.exit())
}
