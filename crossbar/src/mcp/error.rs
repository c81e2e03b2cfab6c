//! What can go wrong between us and a server. None of it is the model's fault.

use crate::process::{Exit, SpawnError};
use std::time::Duration;

/// A failure of a server or of its protocol. A tool that fails is no error here.
#[derive(Debug, thiserror::Error)]
pub enum McpError {
    /// It could not be started at all.
    #[error("server `{server}`: {source}")]
    Spawn {
        /// Name of the server.
        server: String,
        /// The system's reason.
        source: SpawnError,
    },
    /// It was not ready in time.
    #[error(
        "server `{server}` was not ready within {limit:?}: {place}raise start_timeout_s or mend its start{}",
        quoted(stderr)
    )]
    StartTimeout {
        /// Name of the server.
        server: String,
        /// A fragment with where it is; empty for one that was started here.
        place: String,
        /// The limit that was passed.
        limit: Duration,
        /// The end of its standard error.
        stderr: String,
    },
    /// It refused the handshake or the list of tools, or answered with something else.
    #[error("server `{server}` can't be used: {detail}{}", quoted(stderr))]
    Refused {
        /// Name of the server.
        server: String,
        /// The step and the reason.
        detail: String,
        /// The end of its standard error.
        stderr: String,
    },
    /// Its process ended.
    #[error("server `{server}` died with {exit}{}", quoted(stderr))]
    Died {
        /// Name of the server.
        server: String,
        /// How it ended.
        exit: Exit,
        /// The end of its standard error.
        stderr: String,
    },
    /// It runs, but can't be talked to any more.
    #[error("server `{server}` can't be reached: {detail}{}", quoted(stderr))]
    Lost {
        /// Name of the server.
        server: String,
        /// Which stream failed, and how.
        detail: String,
        /// The end of its standard error.
        stderr: String,
    },
}

/// How much of a standard error goes into a message; the field has all of it.
const SHOWN: usize = 2000;

fn quoted(stderr: &str) -> String {
    let text = stderr.trim_end();
    if text.is_empty() {
        return String::new();
    }
    let cut = text.ceil_char_boundary(text.len().saturating_sub(SHOWN));
    format!("; its stderr ends with:\n{}", &text[cut..])
}
