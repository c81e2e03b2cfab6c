//! Runs a plan: opens a world, drives the harness, observes, judges, scores, masks secrets once,
//! and emits one event per ended rollout.
//!
//! The sweep owns order, concurrency and the stop. Outcomes are data; an error here means that
//! crossbar itself could not go on. It must not know how anything is printed, nor what the
//! rollouts add up to.

mod entry;
mod judge;
mod queue;
mod relay;
mod rollout;
mod run;
mod stop;
#[cfg(test)]
mod tests;
mod told_as_text;
mod traffic;

pub use entry::{CellEntry, Job, TaskEntry, Work};
pub use run::{Earlier, Ports, SweepEnd, SweepError, of_the_matrix, run};
pub use stop::{StopHandle, StopWatch};
pub use traffic::Traffic;
