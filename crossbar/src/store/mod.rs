//! Durable runs: one SQLite file that many processes write at once.
//!
//! The store is the state. It keeps what was planned, one terminal record per
//! rollout, the attempts that led to it, and the ledger of the money; a report is
//! a function of what [`Store::read`] or [`Store::view`] brings back. Each process has one writer
//! thread with acknowledged group commit: a call returns when its transaction is
//! committed, so a killed process loses nothing that was acknowledged. Free
//! rollouts are written with `synchronous=NORMAL`; whatever touches money with
//! `FULL`, which also outlives a power cut.
//!
//! It must not know: what a sweep, a statistic or a report is; clocks (callers
//! pass their times as text); which process ids exist (a process is alive while it
//! holds the lock on its file under `workers/`).

#![expect(clippy::disallowed_methods, reason = "an effect room: it opens files")]

mod attempt;
mod connection;
mod error;
mod ledger;
mod open;
mod plan;
mod read;
mod recorder;
mod recover;
mod schema;
mod shapes;
mod view;
mod worker;
mod writer;
mod writing;

pub use error::StoreError;
pub use open::Store;
pub use plan::{NewRun, Plan, PlannedCell, PlannedTask};
pub use read::{RunHead, RunRecord, RunState, RunSummary};
pub use recorder::Recorder;
pub use recover::{InfrastructureFailures, Recovery};
pub use view::RunView;
pub use writing::Writing;
