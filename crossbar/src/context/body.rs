//! Running a task function so that a panic is a finding and not the end of the sweep.

use super::{Body, Context, TaskError};
use std::any::Any;
use std::future::poll_fn;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// How a task function ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BodyEnd {
    /// It returned without an error.
    Returned,
    /// It returned an error, or panicked, with this message.
    Failed(String),
}

/// Runs a task function to its end; the context stays usable after a panic.
pub async fn run_body(body: &Body, context: &mut Context) -> BodyEnd {
    let begun = catch_unwind(AssertUnwindSafe(move || {
        // Moved, not borrowed again: the future keeps it.
        let context = context;
        body(context)
    }));
    let mut future = match begun {
        Ok(future) => future,
        Err(panic) => return BodyEnd::Failed(message(panic.as_ref())),
    };
    // The context is only read for facts afterwards, and each of its parts is whole between two
    // awaits, so a caught panic can't show a half-made one.
    let ended = poll_fn(
        |cx| match catch_unwind(AssertUnwindSafe(|| future.as_mut().poll(cx))) {
            Ok(poll) => poll.map(Ok),
            Err(panic) => std::task::Poll::Ready(Err(message(panic.as_ref()))),
        },
    )
    .await;
    match ended {
        Ok(Ok(())) => BodyEnd::Returned,
        Ok(Err(error)) => BodyEnd::Failed(TaskError::message(&error).to_owned()),
        Err(panic) => BodyEnd::Failed(panic),
    }
}

fn message(panic: &(dyn Any + Send)) -> String {
    if let Some(text) = panic.downcast_ref::<&str>() {
        (*text).to_owned()
    } else if let Some(text) = panic.downcast_ref::<String>() {
        text.clone()
    } else {
        "panicked with a value that is no text".to_owned()
    }
}
