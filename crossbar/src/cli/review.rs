//! `crossbar review`: a run beside the accepted references, and a decision on each change: accept,
//! reject, or keep it for later. It asks where a person sits, and lists where none does.

use super::args::Shared;
use super::{output, validate};
use crate::domain::{CellId, TaskId};
use crate::session::{
    self, AcceptOptions, Concluded, Decision, Exit, PendingTask, ReferencePlaces, SessionError,
};
use clap::Args;
use std::collections::BTreeMap;
use std::io::{self, BufRead, IsTerminal, Write};

/// The flags of `review`.
#[derive(Args)]
pub(super) struct ReviewArgs {
    /// The run: latest, an id or the beginning of one, or its sweep.json. Several are the parts of
    /// one run, as of `verdict`.
    #[arg(value_name = "RUN", default_value = "latest")]
    runs: Vec<String>,
    /// Review this cell; may be given several times.
    #[arg(long = "cell", value_name = "CELL")]
    cells: Vec<String>,
    /// Accept these tasks (`*` stands for any characters) without asking.
    #[arg(long, value_name = "GLOB")]
    accept: Vec<String>,
    /// Reject these tasks without asking: their references stay as they are.
    #[arg(long, value_name = "GLOB")]
    reject: Vec<String>,
    /// Why a drop among the accepted tasks is meant.
    #[arg(long, value_name = "TEXT", requires = "accept")]
    reason: Option<String>,
    /// Let fewer rollouts take the place of more.
    #[arg(long)]
    fewer: bool,
    /// Accept a run of cells or tasks that have changed since: what was measured then.
    #[arg(long)]
    outdated: bool,
}

type Decided = BTreeMap<(CellId, TaskId), Decision>;

pub(super) fn main(args: &ReviewArgs, shared: &Shared) -> Result<Exit, SessionError> {
    let (options, here) = shared.asked()?;
    let concluded = output::runs_or_file(&args.runs, shared)?;
    let places = session::reference_places(&options, &here, concluded.run())?;
    let styles = output::styles(shared);
    let named = !args.accept.is_empty() || !args.reject.is_empty();
    let sits = io::stdin().is_terminal() && io::stdout().is_terminal() && !session::in_ci();
    if !named {
        output::print(&concluded.review(&places, &args.cells, styles)?)?;
    }
    if !named && !sits {
        return listed(&concluded, &places, args);
    }
    let pending = concluded.pending(&places, &args.cells)?;
    let decided = match named {
        true => by_flags(args, &pending)?,
        false => asked(&pending, styles)
            .map_err(|error| SessionError::new(format!("failed to ask: {error}")))?,
    };
    let accepts = decided.values().any(|one| *one != Decision::Reject);
    let accepting = AcceptOptions {
        ci: session::in_ci(),
        fewer: args.fewer,
        now: match accepts && !args.outdated && !session::in_ci() {
            true => Some(validate::project_now(&concluded, &options, &here)?),
            false => None,
        },
        ..AcceptOptions::default()
    };
    let mut said = concluded.decide(&places, &decided, &accepting)?;
    said.push(format!("{} kept for later", pending.len() - decided.len()));
    output::print(&said.join("\n"))?;
    Ok(Exit::Done)
}

/// What nobody has decided on, and how to.
fn listed(
    concluded: &Concluded,
    places: &ReferencePlaces,
    args: &ReviewArgs,
) -> Result<Exit, SessionError> {
    let pending = concluded.pending(places, &args.cells)?;
    if pending.is_empty() {
        output::print("nothing is pending")?;
        return Ok(Exit::Done);
    }
    let tasks = pending.iter();
    let tasks: Vec<String> = tasks
        .map(|one| format!("  {} {}", one.cell, one.task))
        .collect();
    output::print(&format!(
        "pending:\n{}\nhelp: no terminal to ask in: decide with --accept GLOB and --reject GLOB \
         (--reason TEXT for a drop)",
        tasks.join("\n")
    ))?;
    Ok(Exit::Done)
}

fn by_flags(args: &ReviewArgs, pending: &[PendingTask]) -> Result<Decided, SessionError> {
    let mut decided = Decided::new();
    for one in pending {
        let decision = match (one.is_named(&args.accept), one.is_named(&args.reject)) {
            (true, true) => {
                return Err(SessionError::new(format!(
                    "{} is accepted and rejected at once",
                    one.task
                ))
                .help("name it in one of --accept and --reject"));
            }
            (true, false) => Decision::Accept {
                reason: args.reason.clone().filter(|_| one.fell),
            },
            (false, true) => Decision::Reject,
            (false, false) => continue,
        };
        decided.insert((one.cell.clone(), one.task.clone()), decision);
    }
    if decided.is_empty() {
        return Err(SessionError::new("no pending task is named")
            .help("crossbar review without flags lists what is pending"));
    }
    Ok(decided)
}

/// Asks about every change; the end of the input stops it.
fn asked(pending: &[PendingTask], styles: session::Styles) -> io::Result<Decided> {
    let mut decided = Decided::new();
    let mut input = io::stdin().lock();
    for (at, one) in (1..).zip(pending) {
        say(&format!("\n[{at}/{}] {}", pending.len(), one.text(styles)))?;
        match decision(one, &mut input)? {
            Said::Stop => break,
            Said::Keep => {}
            Said::Decide(it) => drop(decided.insert((one.cell.clone(), one.task.clone()), it)),
        }
    }
    Ok(decided)
}

/// What a person says of one change.
enum Said {
    Decide(Decision),
    Keep,
    Stop,
}

fn decision(one: &PendingTask, input: &mut dyn BufRead) -> io::Result<Said> {
    loop {
        say("\naccept (a), reject (r), keep for later (k), stop here (q)? ")?;
        let Some(letter) = answer(input)? else {
            return Ok(Said::Stop);
        };
        match letter.as_str() {
            "a" if one.fell => {
                say("a drop is shown; why is it meant (empty: keep it for later)? ")?;
                let reason = answer(input)?.filter(|text| !text.is_empty());
                return Ok(reason.map_or(Said::Keep, |reason| {
                    let reason = Some(reason);
                    Said::Decide(Decision::Accept { reason })
                }));
            }
            "a" => return Ok(Said::Decide(Decision::Accept { reason: None })),
            "r" => return Ok(Said::Decide(Decision::Reject)),
            "k" => return Ok(Said::Keep),
            "q" => return Ok(Said::Stop),
            _ => {}
        }
    }
}

/// The next line; `None` at the end of the input.
fn answer(input: &mut dyn BufRead) -> io::Result<Option<String>> {
    let mut line = String::new();
    let read = input.read_line(&mut line)?;
    Ok((read > 0).then(|| line.trim().to_owned()))
}

fn say(text: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()
}
