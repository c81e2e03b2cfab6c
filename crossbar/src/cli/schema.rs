//! `crossbar schema [task|roster|pack|analyze]`: what an editor completes and flags a file by, and
//! what a program may expect of a document.

use super::output;
use crate::session::{self, Exit, SchemaOf, SessionError};
use clap::{Args, ValueEnum};

/// The flags of `schema`.
#[derive(Args)]
pub(super) struct SchemaArgs {
    /// The file that the schema is of.
    #[arg(value_enum, value_name = "FILE", default_value = "task")]
    of: Of,
}

#[derive(Clone, Copy, ValueEnum)]
enum Of {
    /// A task, NAME.task.yaml.
    Task,
    /// The roster, crossbar.yaml.
    Roster,
    /// What a pack says of itself, pack.yaml.
    Pack,
    /// What `analyze --json` prints.
    Analyze,
}

pub(super) fn main(args: &SchemaArgs) -> Result<Exit, SessionError> {
    output::print(&session::schema(match args.of {
        Of::Task => SchemaOf::Task,
        Of::Roster => SchemaOf::Roster,
        Of::Pack => SchemaOf::Pack,
        Of::Analyze => SchemaOf::Analyze,
    }))?;
    Ok(Exit::Done)
}
