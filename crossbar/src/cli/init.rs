//! `crossbar init`: the first files of a project.

use super::output;
use crate::session::{self, Exit, SessionError};
use clap::Args;
use std::fmt::Write;
use std::path::PathBuf;

/// The flags of `init`.
#[derive(Args)]
pub(super) struct InitArgs {
    /// The project's folder.
    #[arg(value_name = "DIR", default_value = ".")]
    folder: PathBuf,
}

pub(super) fn main(args: &InitArgs) -> Result<Exit, SessionError> {
    let begun = session::init(&output::here()?.join(&args.folder))?;
    let mut text = String::new();
    for path in begun.written {
        let path = match args.folder.to_str() {
            Some(".") => PathBuf::from(path),
            _ => args.folder.join(path),
        };
        let _ = writeln!(text, "wrote {}", path.display());
    }
    match begun.manifest {
        Some(lines) => {
            let _ = write!(
                text,
                "\nCargo.toml needs these lines:\n\n{lines}\nthen: cargo test"
            );
        }
        None => text.push_str("\nthen, in that folder: crossbar run"),
    }
    output::print(&text)?;
    Ok(Exit::Done)
}
