//! `crossbar doctor`: what is on this machine and in this project, and what is missing for what.

use super::args::Shared;
use super::output;
use crate::session::{self, Exit, RunOptions, SessionError};
use std::fmt::Write;

pub(super) fn main(shared: &Shared) -> Result<Exit, SessionError> {
    let lookup = |name: &str| std::env::var(name).ok();
    let flags = RunOptions {
        config: shared.config.clone(),
        ..RunOptions::default()
    };
    let options = flags.over(RunOptions::from_environment(&lookup)?);
    let examination = session::examine(&options, &output::here()?, &session::variable);
    let mut text = String::new();
    for section in &examination.sections {
        let _ = writeln!(text, "{}", section.title);
        for (name, found) in &section.findings {
            let _ = writeln!(text, "  {name:<22} {found}");
        }
        text.push('\n');
    }
    output::print(text.trim_end())?;
    match examination.problem {
        Some(problem) => Err(problem),
        None => Ok(Exit::Done),
    }
}
