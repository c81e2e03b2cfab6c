//! What a task function and a solution take, as traits: a wrong parameter type is an error there,
//! in words that say what belongs in its place.

use super::{Context, blocking};
use crate::domain::Script;

/// The context of an async task function.
#[diagnostic::on_unimplemented(
    message = "an async task takes `&mut crossbar::Context`, not `&mut {Self}`",
    label = "write `crossbar::Context`",
    note = "a task that is not async takes `&mut crossbar::blocking::Context`"
)]
pub trait AsyncContext {
    /// The context itself.
    fn given(context: &mut Context) -> &mut Self;
}

impl AsyncContext for Context {
    fn given(context: &mut Context) -> &mut Self {
        context
    }
}

/// The context of a task function that is not async.
#[diagnostic::on_unimplemented(
    message = "a task that is not async takes `&mut crossbar::blocking::Context`, not `&mut {Self}`",
    label = "write `crossbar::blocking::Context`",
    note = "or make it an `async fn`, which takes `&mut crossbar::Context`"
)]
pub trait SyncContext {
    /// The context itself.
    fn given(context: &mut blocking::Context) -> &mut Self;
}

impl SyncContext for blocking::Context {
    fn given(context: &mut blocking::Context) -> &mut Self {
        context
    }
}

/// The script that a solution writes.
#[diagnostic::on_unimplemented(
    message = "a solution takes `&mut crossbar::Script`, not `&mut {Self}`",
    label = "write `crossbar::Script`",
    note = "a solution writes the calls and the answer that solve the task"
)]
pub trait SolutionScript {
    /// The script itself.
    fn given(script: &mut Script) -> &mut Self;
}

impl SolutionScript for Script {
    fn given(script: &mut Script) -> &mut Self {
        script
    }
}
