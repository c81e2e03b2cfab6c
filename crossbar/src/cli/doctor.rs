//! `crossbar doctor`: what is on this machine and in this project, and what is missing for what.

use super::args::Shared;
use super::output;
use crate::session::{self, Examination, Exit, RunOptions, SessionError};
use clap::Args;
use std::fmt::Write;

/// The widest line.
const COLUMNS: usize = 100;

/// Where the text of a finding begins.
const TEXT: usize = 25;

/// The flags of `doctor`.
#[derive(Args)]
pub(super) struct DoctorArgs {
    /// Print one JSON document instead.
    #[arg(long)]
    json: bool,
}

pub(super) fn main(args: &DoctorArgs, shared: &Shared) -> Result<Exit, SessionError> {
    let lookup = |name: &str| std::env::var(name).ok();
    let flags = RunOptions {
        config: shared.config.clone(),
        ..RunOptions::default()
    };
    let options = flags.over(RunOptions::from_environment(&lookup)?);
    let examination = session::examine(&options, &output::here()?, &session::variable);
    let text = if args.json {
        serde_json::to_string_pretty(&examination)
            .map_err(|error| SessionError::new(error.to_string()))?
    } else {
        said(&examination)
    };
    output::print(&text)?;
    match examination.problem {
        Some(problem) => Err(problem),
        None => Ok(Exit::Done),
    }
}

fn said(examination: &Examination) -> String {
    let mut text = String::new();
    for section in &examination.sections {
        let _ = writeln!(text, "{}", section.title);
        for finding in &section.findings {
            let begin = format!("  {:<22} ", finding.name);
            text.push_str(&wrapped(&begin, &finding.text));
            if let Some(help) = &finding.help {
                text.push_str(&wrapped(&" ".repeat(TEXT), &format!("help: {help}")));
            }
        }
        text.push('\n');
    }
    text.trim_end().to_owned()
}

/// A text after its beginning, broken between words; what follows stands below the text.
fn wrapped(begin: &str, text: &str) -> String {
    let mut out = begin.to_owned();
    let mut used = begin.chars().count().max(TEXT);
    for (at, word) in text.split_whitespace().enumerate() {
        let room = word.chars().count();
        if at > 0 && used + 1 + room > COLUMNS {
            out.push('\n');
            out.push_str(&" ".repeat(TEXT));
            used = TEXT;
        } else if at > 0 {
            out.push(' ');
            used += 1;
        }
        out.push_str(word);
        used += room;
    }
    out + "\n"
}
