//! `crossbar completions SHELL`: what a shell needs to complete commands and flags.

use super::output;
use crate::session::{Exit, SessionError};
use clap::{Args, Command};
use clap_complete::{Shell, generate};

/// The flags of `completions`.
#[derive(Args)]
pub(super) struct CompletionsArgs {
    /// The shell.
    #[arg(value_name = "SHELL")]
    shell: Shell,
}

pub(super) fn main(args: &CompletionsArgs, mut command: Command) -> Result<Exit, SessionError> {
    let mut script = Vec::new();
    generate(args.shell, &mut command, "crossbar", &mut script);
    output::print(String::from_utf8_lossy(&script).trim_end())?;
    Ok(Exit::Done)
}
