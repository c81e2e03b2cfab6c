//! What a task function may return, and how any error becomes a message.

use crate::domain::LocalFuture;
use std::fmt;
use std::sync::Arc;

/// The result of a task function.
pub type Result<T = ()> = std::result::Result<T, TaskError>;

/// The future of a task function's body.
pub type BodyFuture<'a> = LocalFuture<'a, Result>;

/// The body of a task in Rust, with its case where it has one.
pub type Body = Arc<dyn for<'a> Fn(&'a mut super::Context) -> BodyFuture<'a> + Send + Sync>;

/// Any error, as a message. It is made from whatever can be displayed, so that `?` takes any
/// error type; for that reason it can't be displayed itself.
pub struct TaskError(String);

impl TaskError {
    /// The message.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.0
    }
}

impl<E: fmt::Display> From<E> for TaskError {
    fn from(error: E) -> Self {
        // The long form, in which error types that keep a chain of causes write all of it.
        Self(format!("{error:#}"))
    }
}

impl fmt::Debug for TaskError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// What a task function may return: nothing, or a result whose error can be displayed.
#[diagnostic::on_unimplemented(
    message = "a task returns `crossbar::Result` or nothing, not `{Self}`",
    label = "write `-> crossbar::Result`"
)]
pub trait TaskReturn {
    /// As a result.
    ///
    /// # Errors
    /// The task's own error, as a message.
    fn into_result(self) -> Result;
}

impl TaskReturn for () {
    fn into_result(self) -> Result {
        Ok(())
    }
}

impl TaskReturn for Result {
    fn into_result(self) -> Result {
        self
    }
}

impl<E: fmt::Display> TaskReturn for std::result::Result<(), E> {
    fn into_result(self) -> Result {
        self.map_err(TaskError::from)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An error that shows its cause in the long form alone, as anyhow's does.
    struct Chain;

    impl fmt::Display for Chain {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str(if f.alternate() {
                "no order: no table"
            } else {
                "no order"
            })
        }
    }

    #[test]
    fn an_error_is_told_with_its_causes_and_without_quotes() {
        let told = |result: std::result::Result<(), &str>| result.into_result().unwrap_err();
        assert_eq!(told(Err("plain")).message(), "plain");
        let chain = TaskReturn::into_result(Err::<(), _>(Chain)).unwrap_err();
        assert_eq!(chain.message(), "no order: no table");
    }
}
