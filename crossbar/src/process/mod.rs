//! The only place that starts programs.
//!
//! For: a child in a process group of its own, with an allow-listed environment, captured standard
//! error, and the certainty that nothing of its tree is left afterwards, whether it exits, is
//! stopped, or is dropped by a panic, a cancellation or a timeout.
//!
//! Must not know: protocols, tasks, models. It moves bytes and ends processes.
#![expect(
    clippy::disallowed_methods,
    reason = "an effect room: it spawns, and it reads the environment and /proc"
)]

mod child;
mod environment;
mod found;
mod live;
mod scan;
mod spec;
mod tail;
mod tool;
mod tree;

pub use child::{Child, Exit, ExitWatch, Grace, SpawnError, spawn};
pub use environment::inherited;
pub use found::on_path;
pub use live::kill_everything;
pub use spec::{CommandSpec, MARKER};
pub use tool::Tool;
