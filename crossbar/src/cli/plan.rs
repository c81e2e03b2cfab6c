//! `crossbar plan`: what a sweep of this size can show, what it would take, and what it would cost,
//! before anything is run or paid.

use super::args::Shared;
use super::{output, validate};
use crate::session::{self, Exit, RunOptions, SessionError};
use clap::Args;
use std::path::PathBuf;

/// The flags of `plan`.
#[derive(Args)]
pub(super) struct PlanArgs {
    /// The drop of the pass rate to detect, in points; the margin unless said.
    #[arg(long, value_name = "PP", allow_negative_numbers = true, value_parser = parse_points)]
    mde: Option<f64>,
    /// An earlier run (or its sweep.json) that tells how tasks vary, and what rollouts cost.
    #[arg(long, value_name = "RUN|FILE")]
    pilot: Option<String>,
    /// What a new task costs you before its first rollout, in dollars: then the plan says how many
    /// repeats are worth their money.
    #[arg(long, value_name = "USD", requires = "pilot", allow_negative_numbers = true, value_parser = parse_dollars)]
    task_cost: Option<f64>,
    /// Plan this pack and nothing else.
    #[arg(long, value_name = "DIR")]
    pack: Option<PathBuf>,
    /// Rollouts per cell and task.
    #[arg(long, visible_alias = "trials", value_name = "N", allow_negative_numbers = true, value_parser = super::run::parse_count)]
    repeats: Option<u32>,
    /// Plan this cell only; may be given several times.
    #[arg(long = "agent", value_name = "CELL")]
    agents: Vec<String>,
    /// The ceiling in dollars that the sweep would have, or `unlimited`.
    #[arg(long, value_name = "USD", allow_negative_numbers = true, value_parser = super::run::parse_budget)]
    budget: Option<crate::domain::BudgetLimit>,
}

/// Points to a fraction.
fn parse_points(text: &str) -> Result<f64, String> {
    let points = text.parse::<f64>().ok();
    let points = points.filter(|points| *points > 0.0 && *points <= 100.0);
    points
        .map(|points| points / 100.0)
        .ok_or_else(|| "give points above 0, at most 100".to_owned())
}

fn parse_dollars(text: &str) -> Result<f64, String> {
    let dollars = text.parse::<f64>().ok();
    dollars
        .filter(|dollars| (0.0..=1e9).contains(dollars))
        .ok_or_else(|| "give dollars, 0 or more".to_owned())
}

pub(super) fn main(args: &PlanArgs, shared: &Shared) -> Result<Exit, SessionError> {
    let here = output::here()?;
    let environment = RunOptions::from_environment(&|name| std::env::var(name).ok())?;
    let flags = RunOptions {
        config: shared.config.as_ref().map(|config| here.join(config)),
        pack: args.pack.as_ref().map(|pack| here.join(pack)),
        repeats: args.repeats,
        cells: args.agents.clone(),
        budget: args.budget,
        ..RunOptions::default()
    };
    let options = RunOptions {
        // Nothing runs, so no live cell needs its key.
        live: false,
        ..flags.over(environment)
    };
    let binaries = match options.pack {
        Some(_) => Vec::new(),
        None => session::test_binaries(&options, &here)?,
    };
    let (outlook, _) = validate::looked_at(&options, &binaries, &here)?;
    let pilot = args.pilot.as_deref();
    let pilot = pilot
        .map(|named| output::run_or_file(named, shared))
        .transpose()?;
    let text = outlook.plan(
        args.mde,
        (pilot.as_ref(), args.task_cost),
        output::styles(shared),
    )?;
    output::print(&text)?;
    let not_run = outlook.not_run().into_iter();
    let not_run = not_run.map(|line| format!("note: {line}"));
    for note in outlook.beside().into_iter().chain(not_run) {
        output::print(&note)?;
    }
    Ok(Exit::Done)
}
