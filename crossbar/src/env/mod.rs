//! The world of one rollout: a fresh workspace, its servers, and what is observed afterwards.
//!
//! For: opening a world that no other rollout can see, offering its tools, answering probes once
//! the agent has ended, and leaving nothing behind.
//!
//! Must not know: models, checks' judgements, scores. It brings evidence and judges nothing.
#![expect(
    clippy::disallowed_methods,
    reason = "an effect room: it makes folders and names the running executable"
)]

mod added;
mod command;
mod error;
mod exec;
mod observe;
mod origin;
mod served;
mod toolbox;
mod tools;
mod workspace;
mod world;

pub use command::ServerCommand;
pub use error::EnvError;
pub(crate) use observe::observed;
pub use served::Served;
pub use tools::{Tool, ToolSet};
pub use workspace::Workspace;
pub use world::World;
