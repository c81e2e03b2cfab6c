//! `crossbar schema [task|roster|pack]`: what an editor completes and flags a file by.

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
}

pub(super) fn main(args: &SchemaArgs) -> Result<Exit, SessionError> {
    output::print(&session::schema(match args.of {
        Of::Task => SchemaOf::Task,
        Of::Roster => SchemaOf::Roster,
        Of::Pack => SchemaOf::Pack,
    }))?;
    Ok(Exit::Done)
}
