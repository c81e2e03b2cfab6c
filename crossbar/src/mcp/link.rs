//! What leads to a server: the streams of a child of ours, or an address.

use super::inbox::{End, Reply};
use super::noise::Noise;
#[cfg(feature = "mcp-http")]
use super::remote::Remote;
use super::session::Session;
use crate::process::{Child, Exit, Grace};
use serde_json::Value;

/// A process of ours with the conversation over its streams. Dropping it kills the whole tree.
#[derive(Debug)]
pub(super) struct Started {
    // Before `child`: its standard input is closed first.
    pub(super) session: Session,
    pub(super) child: Child,
    pub(super) grace: Grace,
}

/// The way to a server.
#[derive(Debug)]
pub(super) enum Link {
    Started(Started),
    #[cfg(feature = "mcp-http")]
    Remote(Remote),
}

impl Link {
    /// Asks and waits.
    pub(super) async fn request(&self, method: &str, params: Value) -> Reply {
        match self {
            Self::Started(started) => started.session.request(method, params).await,
            #[cfg(feature = "mcp-http")]
            Self::Remote(remote) => remote.request(method, params).await,
        }
    }

    /// Goes on after the reply to `initialize`.
    pub(super) async fn begun(&mut self, initialized: &Value) -> Result<(), End> {
        match self {
            Self::Started(started) => {
                let _ = initialized;
                started.session.notify("notifications/initialized");
                Ok(())
            }
            #[cfg(feature = "mcp-http")]
            Self::Remote(remote) => remote.begun(initialized).await,
        }
    }

    /// What it said that is no message.
    pub(super) fn noise(&self) -> Noise {
        match self {
            Self::Started(started) => started.session.noise(),
            #[cfg(feature = "mcp-http")]
            Self::Remote(remote) => remote.noise(),
        }
    }

    /// The end of its standard error; empty for one at an address.
    pub(super) fn stderr(&self) -> String {
        match self {
            Self::Started(started) => started.child.stderr_tail(),
            #[cfg(feature = "mcp-http")]
            Self::Remote(_) => String::new(),
        }
    }

    /// A fragment with where it is, for messages that do not say; empty for a child.
    pub(super) fn place(&self) -> String {
        match self {
            Self::Started(_) => String::new(),
            #[cfg(feature = "mcp-http")]
            Self::Remote(remote) => format!("at {}: ", remote.place()),
        }
    }

    /// Ends the conversation, and the process where it is ours.
    pub(super) async fn stop(self) -> Exit {
        match self {
            Self::Started(Started {
                session,
                child,
                grace,
            }) => {
                drop(session);
                child.stop(grace).await
            }
            #[cfg(feature = "mcp-http")]
            Self::Remote(remote) => {
                remote.end().await;
                Exit::Unseen
            }
        }
    }
}
