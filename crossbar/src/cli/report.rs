//! `crossbar report`: a run again, in any format; `github` tells a workflow of it.

use super::args::Shared;
use super::output;
use crate::session::{self, Concluded, Exit, FORMATS, SessionError};
use clap::Args;
use clap::builder::PossibleValuesParser;
use std::io::Write;
use std::path::{Path, PathBuf};

/// GitHub shows at most this much of a step's summary, in bytes.
const SUMMARY: u64 = 1024 * 1024;

/// The flags of `report`.
#[derive(Args)]
pub(super) struct ReportArgs {
    /// The run (latest, an id or the beginning of one), or a sweep.json.
    #[arg(value_name = "RUN", default_value = "latest")]
    run: String,
    /// The format; `github` writes comment.md and the step summary, prints the commands of a
    /// workflow, and ends with the code of the gate.
    #[arg(long, value_name = "FORMAT", default_value = "text", value_parser = formats())]
    format: String,
    /// Write it to this file instead of printing it.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

fn formats() -> PossibleValuesParser {
    PossibleValuesParser::new(FORMATS.iter().map(|format| format.name))
}

pub(super) fn main(args: &ReportArgs, shared: &Shared) -> Result<Exit, SessionError> {
    let (concluded, folder) = output::held_or_file(&args.run, shared)?;
    let styles = match &args.out {
        Some(_) => session::Styles::Plain,
        None => output::styles(shared),
    };
    let mut text = Vec::new();
    concluded.render(&args.format, styles, &mut text)?;
    let text = String::from_utf8_lossy(&text);
    if args.format == "github" {
        return github(args, &concluded, &text, &folder);
    }
    match &args.out {
        Some(path) => output::write(path, &text)?,
        None => output::print(text.trim_end_matches('\n'))?,
    }
    Ok(Exit::Done)
}

fn github(
    args: &ReportArgs,
    concluded: &Concluded,
    comment: &str,
    folder: &Path,
) -> Result<Exit, SessionError> {
    let path = args
        .out
        .clone()
        .unwrap_or_else(|| folder.join("comment.md"));
    output::write(&path, comment)?;
    if let Some(summary) = std::env::var_os("GITHUB_STEP_SUMMARY").filter(|path| !path.is_empty()) {
        append(Path::new(&summary), comment)?;
    }
    output::print(&concluded.annotations().join("\n"))?;
    output::note(&format!("written to {}", path.display()));
    Ok(concluded.exit())
}

/// Appends to the step's summary, which GitHub drops as a whole once it is too large.
fn append(path: &Path, text: &str) -> Result<(), SessionError> {
    let failed = |error: std::io::Error| {
        SessionError::new(format!("failed to write {}: {error}", path.display()))
    };
    let mut file = std::fs::OpenOptions::new()
        .create(true)
        .append(true)
        .open(path)
        .map_err(failed)?;
    let there = file.metadata().map_err(failed)?.len();
    if there + text.len() as u64 > SUMMARY {
        output::note("note: the step's summary is full, so the comment is not in it");
        return Ok(());
    }
    file.write_all(text.as_bytes()).map_err(failed)
}
