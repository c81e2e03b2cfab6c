//! What a test binary says at the end: the verdict, or why there is none.

use super::arguments::{Asked, Listed, Runner};
use super::run::{SweptAll, cannot_run, say};
use crate::domain::unmet_lines;
use crate::session::{self, Exit, Prepared, Proof, RunOptions, SessionError, Styles};
use std::io::{IsTerminal, Write};
use std::process::ExitCode;

/// The verdict over what the other cases of this run of nextest have recorded.
pub(super) fn verdict(prepared: &Prepared, options: &RunOptions) -> Exit {
    let run = options.run_id.as_deref().unwrap_or("latest");
    if !prepared.cells.is_empty() {
        return conclude(prepared, run);
    }
    match Proof::read(&prepared.results_dir, run) {
        Ok(proof) => {
            let mut out = std::io::stdout().lock();
            let _ = writeln!(out, "{}", proof.text());
            proof.exit()
        }
        Err(error) => {
            eprintln!("{error}");
            Exit::CannotRun
        }
    }
}

/// What a sweep comes to; `whole` = no case of it was left out.
pub(super) fn ended(prepared: &Prepared, executed: SweptAll, whole: bool) -> Exit {
    match executed {
        Err(error) => {
            eprintln!("{error}");
            Exit::CannotRun
        }
        Ok(executed) if executed.interrupted => Exit::Interrupted,
        Ok(_) if Runner::here() == Runner::Nextest => Exit::Done,
        Ok(executed) if !whole => {
            let mut out = std::io::stdout().lock();
            let run = executed.run;
            let _ = writeln!(out, "partial: no verdict (run {run} holds these cases)");
            Exit::Done
        }
        Ok(executed) => {
            let run = executed.run.as_str();
            let exit = match prepared.cells.is_empty() {
                true => controls_alone(prepared, run),
                false => conclude(prepared, run),
            };
            if let Some(line) = session::last_live(prepared, &session::SystemClock::running()) {
                let _ = writeln!(std::io::stdout().lock(), "{line}");
            }
            exit
        }
    }
}

/// cargo passes every filter to every binary, so a filter that means nothing here is no error.
/// nextest asks for exactly one case that it was told of: not knowing it must not be green.
pub(super) fn nothing_wanted(cases: usize, asked: &Asked) -> ExitCode {
    match (asked.filters.first(), cases) {
        (Some(name), _) if asked.flags.exact && Runner::here() == Runner::Nextest => {
            cannot_run(&format!(
                "error: there is no case `{name}`\nhelp: list again: the roster or a task has changed since"
            ))
        }
        (_, 0) if !asked.selects() => cannot_run(
            "error: there is no case to run\nhelp: write a task, and name a model and a harness in crossbar.yaml",
        ),
        _ => ExitCode::SUCCESS,
    }
}

/// That all cases that were asked for are left out, and some of them because they can't run at all:
/// cargo would count that as success. A live cell or an ignored task waits for somebody to ask.
pub(super) fn nothing_can_run(prepared: &Prepared, wanted: &[Listed]) -> Option<SessionError> {
    let unmet = prepared.unmet();
    let is_unmet = |case: &Listed| unmet.contains_key(&case.id.task);
    let nothing = wanted.iter().all(|case| case.withheld) && wanted.iter().any(is_unmet);
    nothing.then(|| {
        let lines = unmet_lines(&unmet).join("\n");
        let what = "nothing ran: no case that was asked for can run here";
        SessionError::new(format!("{what}\n{lines}"))
            .help("ask for a task whose servers are started by a `command`")
    })
}

/// The smallest roster, for a project without one.
const SMALLEST: &str =
    "  models: [{id: mock, provider: mock}]\n  harnesses: [{id: react, kind: react}]";

/// Says how many controls hold where no cell ran. Whether one is red is the cases' to say.
fn controls_alone(prepared: &Prepared, run: &str) -> Exit {
    let proof = match Proof::read(&prepared.results_dir, run) {
        Ok(proof) => proof,
        Err(error) => {
            eprintln!("{error}");
            return Exit::CannotRun;
        }
    };
    let mut out = std::io::stdout().lock();
    let _ = writeln!(out, "controls: {}", proof.held());
    if prepared.has_no_model() {
        let _ = writeln!(
            out,
            "there is no model to run: `crossbar init` writes a crossbar.yaml to begin with, which \
             at its smallest is\n{SMALLEST}"
        );
    }
    Exit::Done
}

/// Prints the verdict of a whole sweep, read back out of the record.
fn conclude(prepared: &Prepared, run: &str) -> Exit {
    let styles = match std::io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none() {
        true => Styles::Coloured,
        false => Styles::Plain,
    };
    let concluded = session::conclude(&prepared.results_dir, run, None).and_then(|concluded| {
        let concluded = concluded.held(&prepared.references_dir, &session::variable)?;
        say(&concluded.notes());
        let folder = session::write(&concluded, &prepared.results_dir, None)?;
        let mut card = Vec::new();
        concluded.render("text", styles, &mut card)?;
        // A gate does not speak of a sweep that is left short of its live cells.
        let exit = match prepared.withheld.is_empty() {
            true => concluded.exit(),
            false => concluded.measured(),
        };
        Ok((card, folder, exit))
    });
    match concluded {
        Ok((card, folder, exit)) => {
            let mut out = std::io::stdout().lock();
            let _ = out.write_all(&card);
            let _ = writeln!(out, "\nwritten to {}", folder.display());
            exit
        }
        Err(error) => {
            eprintln!("{error}");
            Exit::CannotRun
        }
    }
}
