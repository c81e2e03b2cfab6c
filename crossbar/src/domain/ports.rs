//! The ports: what the upper floors need from the world, as traits.

use super::{RolloutKey, RunEvent, Usd};
use serde_json::Value;
use std::future::Future;
use std::pin::Pin;
use std::time::Duration;

/// A boxed future that stays on its thread: a rollout runs to its end on one worker.
pub type LocalFuture<'a, T> = Pin<Box<dyn Future<Output = T> + 'a>>;

/// Why a sink could not take an event.
#[derive(Debug, thiserror::Error)]
#[error("failed to record an event: {0}")]
pub struct SinkError(pub String);

/// Something that listens to a run: the store, a progress line.
pub trait Sink: Send + Sync {
    /// Takes one event. When this returns, a recording sink has made it durable.
    ///
    /// # Errors
    /// `SinkError` when the event could not be kept.
    fn on(&self, event: &RunEvent) -> Result<(), SinkError>;
}

/// A tool as the model is told of it.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolDef {
    /// The server that has it.
    pub server: String,
    /// Its own name.
    pub tool: String,
    /// What it does, in the server's words.
    pub description: String,
    /// JSON Schema of its arguments, as the server gave it.
    pub input_schema: Value,
}

/// What a tool answered.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolReply {
    /// What the model is shown.
    pub text: String,
    /// The structured part, where there is one.
    pub structured: Option<Value>,
    /// The tool says that it failed.
    pub is_error: bool,
    /// The server's protocol, not the tool, reported the failure.
    pub protocol_error: bool,
}

/// A failure of the machine under a tool: never the model's fault.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("server `{server}`: {message}")]
pub struct ToolFailure {
    /// The server.
    pub server: String,
    /// What happened, with the end of its standard error.
    pub message: String,
}

/// The tools of one rollout.
pub trait Toolbox {
    /// All tools, in a stable order.
    fn tools(&self) -> Vec<ToolDef>;

    /// Calls a tool that `tools` lists. A tool's own failure is an `Ok` reply that says so.
    fn call<'a>(
        &'a self,
        server: &'a str,
        tool: &'a str,
        args: Value,
    ) -> LocalFuture<'a, Result<ToolReply, ToolFailure>>;
}

/// Money that is held for one paid call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reservation(pub i64);

/// Why money could not be reserved or settled.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BudgetError {
    /// The call could pass the ceiling.
    #[error("the budget is used up: {asked} more could pass it")]
    Refused {
        /// The worst case of the call.
        asked: Usd,
    },
    /// The call fits only once calls that are under way have been settled below their worst case.
    #[error("the budget is held by calls under way: {asked} more has to wait for them")]
    Busy {
        /// The worst case of the call.
        asked: Usd,
    },
    /// The ledger could not be written, so nothing may be sent.
    #[error("failed to write the ledger: {0}")]
    Ledger(String),
}

/// The ledger of a sweep. No reservation, no call.
pub trait Budget: Send + Sync {
    /// Holds the worst case of one call. When this returns, the hold, and the fact that the
    /// attempt has begun to pay, are on the disk.
    ///
    /// # Errors
    /// `BudgetError::Refused` past the ceiling, `Busy` while only other calls' holds are in the
    /// way, `Ledger` when it can't be written.
    fn reserve(&self, key: &RolloutKey, worst_case: Usd) -> Result<Reservation, BudgetError>;

    /// Replaces a hold by what the call really cost. `None` keeps the hold: the cost is unknown.
    ///
    /// # Errors
    /// `BudgetError::Ledger` when it can't be written.
    fn settle(&self, reservation: Reservation, actual: Option<Usd>) -> Result<(), BudgetError>;
}

/// Time, as a parameter.
pub trait Clock: Send + Sync {
    /// Time since some fixed instant; only differences mean something.
    fn monotonic(&self) -> Duration;

    /// Time since 1970-01-01T00:00:00Z.
    fn since_epoch(&self) -> Duration;
}
