//! The face of `cargo test` and nextest: one case per cell and task.
//!
//! A case is *measured*: it is red when its rollouts could not be measured, never because a
//! challenger loses. The sweep owns order and concurrency; a case only waits for its rollouts.
#![expect(
    clippy::disallowed_methods,
    reason = "a face reads the command line and the environment"
)]
#![expect(clippy::print_stderr, reason = "a face prints")]

mod arguments;
mod conclusion;
mod engine;
mod flags;
mod list;
mod pipe;
mod run;
mod unfinished;
mod verdict_case;
mod wait;

pub use flags::flags;
pub use run::{Main, main};
