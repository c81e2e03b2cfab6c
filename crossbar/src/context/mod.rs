//! What a task function holds: the servers it starts, the agent it drives, what it asserts.
//!
//! Arrange, act, assert, with the agent in the middle. The same context runs a declared task, so
//! there is one path for both. It must not know plans, stores or scores: what it leaves behind
//! is a [`Finished`], which is facts.

mod arguments;
pub mod blocking;
mod body;
mod error;
mod finished;
mod observation;
mod server;
mod setup;
mod world;

#[cfg(test)]
mod tests;

pub use arguments::{AsyncContext, SolutionScript, SyncContext};
pub use blocking::on_a_thread;
pub use body::{BodyEnd, run_body};
pub use error::{Body, BodyFuture, Result, TaskError, TaskReturn};
pub use finished::{Finished, Phase, Trouble};
use observation::own_observation;
pub use server::ServerHandle;
pub use setup::Setup;
pub use world::Context;
