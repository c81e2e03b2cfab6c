//! A command that `crossbar run` gives a test binary: it runs the tasks of this binary and
//! records them; the verdict is read out of the record by whoever asked.

use super::run::prepare;
use crate::session::{self, EngineCommand, Exit, Packs, Progress, SessionError, StopHandle, Watch};
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
    let prepared = prepare(&command.options, packs)?;
    prepared.must_run()?;
    for note in [prepared.left_out(), prepared.ignored_tasks()] {
        note.into_iter().for_each(|note| eprintln!("{note}"));
    }
    let (handle, stop) = StopHandle::new();
    stop_at_end_of_input(handle.clone());
    session::stop_on_signals(handle);
    let progress = Progress::new(Box::new(std::io::stderr()));
    let watch = Watch {
        listeners: vec![Arc::new(progress)],
        stop,
        wanted: &|_| true,
    };
    let executed = session::execute(&prepared, &command.options, &watch)?;
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
