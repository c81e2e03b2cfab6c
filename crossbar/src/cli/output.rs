//! Where the commands print, and with what colours.

use super::args::Shared;
use crate::session::{self, Concluded, RecordedRuns, SessionError, Styles};
use clap::ColorChoice;
use std::io::{self, BufWriter, ErrorKind, IsTerminal, StdoutLock, Write};
use std::path::{Path, PathBuf};

/// Plain or coloured: `--color`, else NO_COLOR, CLICOLOR_FORCE, else whether a person is reading.
pub(super) fn styles(shared: &Shared) -> Styles {
    let says = |name: &str| std::env::var_os(name).is_some_and(|v| !v.is_empty() && v != "0");
    let coloured = match shared.color {
        ColorChoice::Always => true,
        ColorChoice::Never => false,
        ColorChoice::Auto if says("NO_COLOR") => false,
        ColorChoice::Auto => says("CLICOLOR_FORCE") || io::stdout().is_terminal(),
    };
    if coloured {
        Styles::Coloured
    } else {
        Styles::Plain
    }
}

/// Prints to standard output; a reader that has seen enough is no error.
pub(super) fn print(text: &str) -> Result<(), SessionError> {
    let mut out = io::stdout().lock();
    match writeln!(out, "{text}").and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(SessionError::new(format!("failed to print: {error}")))
        }
        _ => Ok(()),
    }
}

/// Prints a line beside the output, to standard error; a reader that has gone is no error.
pub(super) fn note(text: &str) {
    let _ = writeln!(io::stderr().lock(), "{text}");
}

/// Prints one output of a run, as it is made.
pub(super) fn report(
    concluded: &Concluded,
    format: &str,
    styles: Styles,
) -> Result<(), SessionError> {
    let mut out = BufWriter::new(Patient {
        out: io::stdout().lock(),
        gone: false,
    });
    concluded.render(format, styles, &mut out)?;
    writeln!(out)
        .and_then(|()| out.flush())
        .map_err(|error| SessionError::new(format!("failed to print: {error}")))
}

/// Standard output, which takes everything once nobody reads any more.
struct Patient {
    out: StdoutLock<'static>,
    gone: bool,
}

impl Patient {
    fn unless_gone<T>(
        &mut self,
        whole: T,
        act: impl FnOnce(&mut StdoutLock<'static>) -> io::Result<T>,
    ) -> io::Result<T> {
        if self.gone {
            return Ok(whole);
        }
        match act(&mut self.out) {
            Err(error) if error.kind() == ErrorKind::BrokenPipe => {
                self.gone = true;
                Ok(whole)
            }
            done => done,
        }
    }
}

impl Write for Patient {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.unless_gone(bytes.len(), |out| out.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.unless_gone((), StdoutLock::flush)
    }
}

/// A run of the results folder, or what its sweep.json says.
pub(super) fn run_or_file(named: &str, shared: &Shared) -> Result<Concluded, SessionError> {
    let file = Path::new(named);
    if file.extension().is_some_and(|ending| ending == "json") {
        let text = std::fs::read_to_string(file).map_err(|error| {
            SessionError::new(format!("failed to read {}: {error}", file.display()))
        })?;
        return session::from_sweep(&text);
    }
    let (options, here) = shared.asked()?;
    session::conclude(&session::results_of(&options, &here)?, named, None)
}

/// A run, its gate asked, or what its sweep.json says; and the folder in which its files are.
pub(super) fn held_or_file(
    named: &str,
    shared: &Shared,
) -> Result<(Concluded, PathBuf), SessionError> {
    let file = Path::new(named);
    if file
        .extension()
        .is_some_and(|extension| extension == "json")
    {
        let text = std::fs::read_to_string(file).map_err(|error| {
            SessionError::new(format!("failed to read {}: {error}", file.display()))
        })?;
        let folder = file.parent().unwrap_or(Path::new("")).to_owned();
        return Ok((session::from_sweep(&text)?, folder));
    }
    let (options, here) = shared.asked()?;
    let results_dir = session::results_of(&options, &here)?;
    let concluded = session::conclude(&results_dir, named, None)?;
    let references = session::references_of(&options, &here)?;
    let concluded = concluded.held(&references, &session::variable)?;
    let folder = results_dir.join(concluded.run().as_str());
    Ok((concluded, folder))
}

/// A run, or the parts of one, or what its sweep.json says.
pub(super) fn runs_or_file(named: &[String], shared: &Shared) -> Result<Concluded, SessionError> {
    if let [one] = named {
        return run_or_file(one, shared);
    }
    if let Some(file) = named.iter().find(|name| name.ends_with(".json")) {
        return Err(SessionError::new(format!("{file} is no part of a run"))
            .help("a sweep.json is a whole run: name it alone; parts are records (store.db)"));
    }
    let (options, here) = shared.asked()?;
    let results_dir = session::results_of(&options, &here)?;
    RecordedRuns::find(&results_dir, named)?.conclude(None)
}

/// The folder in which the command was given.
pub(super) fn here() -> Result<PathBuf, SessionError> {
    std::env::current_dir()
        .map_err(|error| SessionError::new(format!("failed to find the current folder: {error}")))
}

/// Writes a file, making its folder.
pub(super) fn write(path: &Path, text: &str) -> Result<(), SessionError> {
    let failed = |error: io::Error| {
        SessionError::new(format!("failed to write {}: {error}", path.display()))
    };
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).map_err(failed)?;
    }
    std::fs::write(path, text).map_err(failed)
}
