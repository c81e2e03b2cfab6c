//! A command that `crossbar run` gives a test binary: it runs the tasks of this binary and
//! records them; the verdict is read out of the record by whoever asked.

use super::run::{read, say};
use crate::domain::{CaseId, Sink};
use crate::session::{
    self, EngineCommand, EngineJob, Exit, Outlook, Packs, Prepared, Progress, SessionError,
    StopHandle, Watch,
};
use std::io::Write;
use std::process::ExitCode;
use std::sync::Arc;

/// Carries out one command, written as JSON.
pub(super) fn main(command: &str) -> ExitCode {
    match run(command) {
        Ok(exit) => ExitCode::from(exit.code()),
        Err(error) => {
            eprintln!("{error}");
            ExitCode::from(Exit::CannotRun.code())
        }
    }
}

fn run(command: &str) -> Result<Exit, SessionError> {
    let command = EngineCommand::parse(command)?;
    let packs = if command.with_packs {
        Packs::Run
    } else {
        Packs::Elsewhere
    };
    let (prepared, warnings) = read(&command.options, packs, &command.held)?;
    if command.job != EngineJob::Controls {
        // Whoever asks for controls has asked for the outlook before, and was told then.
        say(&warnings);
    }
    match command.job {
        EngineJob::Validate => return answer(&Outlook::of(&prepared)),
        EngineJob::Controls => {
            let nobody = Vec::new();
            return sweep(&prepared, &command, nobody, &session::is_control_case);
        }
        EngineJob::Run => {}
    }
    if let Some(note) = passed_over(&prepared, &command) {
        eprintln!("{note}");
        return Ok(Exit::Done);
    }
    prepared.must_run()?;
    let notes = prepared.left_out().into_iter();
    let notes = notes.chain(prepared.tasks_left_out());
    for note in notes.chain(session::first_runs(&prepared)) {
        eprintln!("{note}");
    }
    let progress = Progress::new(Box::new(std::io::stderr()));
    sweep(&prepared, &command, vec![Arc::new(progress)], &|_| true)
}

/// That this binary has no task while there are others that may have some; `None` where it has to
/// have one.
fn passed_over(prepared: &Prepared, command: &EngineCommand) -> Option<String> {
    let none = prepared.tasks.is_empty() && prepared.tasks_left_out().is_empty();
    (none && command.others > 0).then(|| {
        let path = std::env::current_exe().unwrap_or_default();
        let name = path.file_name().unwrap_or_default().display();
        format!("note: the test binary {name} has no task: passed over")
    })
}

fn answer(outlook: &Outlook) -> Result<Exit, SessionError> {
    let text = serde_json::to_string(outlook);
    let text = text.map_err(|error| SessionError::new(format!("failed to answer: {error}")))?;
    let mut out = std::io::stdout().lock();
    writeln!(out, "{text}")
        .map_err(|error| SessionError::new(format!("failed to answer: {error}")))?;
    Ok(Exit::Done)
}

fn sweep(
    prepared: &Prepared,
    command: &EngineCommand,
    listeners: Vec<Arc<dyn Sink>>,
    wanted: &(dyn Fn(&CaseId) -> bool + Sync),
) -> Result<Exit, SessionError> {
    let (stop, _) = StopHandle::new();
    stop_at_end_of_input(stop.clone());
    session::stop_on_signals(stop.clone());
    let watch = Watch {
        listeners,
        stop,
        log_to: || Box::new(std::io::stderr()),
        wanted,
        rest: None,
    };
    let executed = session::execute(prepared, &command.options, &watch)?;
    Ok(if executed.interrupted {
        Exit::Interrupted
    } else {
        Exit::Done
    })
}

/// Whoever gave the command holds our standard input open for as long as it lives and wants the
/// sweep; so no sweep goes on, and spends, after its `crossbar run` was killed.
fn stop_at_end_of_input(stop: StopHandle) {
    let listener = move || {
        let _ = std::io::copy(&mut std::io::stdin().lock(), &mut std::io::sink());
        stop.stop();
    };
    // Without the thread signals still stop the sweep.
    let _ = std::thread::Builder::new()
        .name("input".to_owned())
        .spawn(listener);
}
