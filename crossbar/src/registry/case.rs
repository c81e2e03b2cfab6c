//! The cases of a task function: one, or one for each value of `cases = ..`.

use crate::context::{Body, BodyFuture, Context};
use std::any::Any;
use std::fmt;
use std::sync::Arc;

/// A task function with the value that it is run with.
pub struct TaskCase {
    /// The case's name; `None` for a task without cases.
    pub name: Option<String>,
    /// The value as text, for the fingerprint; empty for a task without cases.
    pub shown: String,
    /// The value, for the solution.
    pub value: Arc<dyn Any + Send + Sync>,
    /// The function.
    pub body: Body,
}

/// The only case of a task function without `cases`.
#[must_use]
pub fn only(body: for<'a> fn(&'a mut Context) -> BodyFuture<'a>) -> Vec<TaskCase> {
    vec![TaskCase {
        name: None,
        shown: String::new(),
        value: Arc::new(()),
        body: Arc::new(body),
    }]
}

/// The cases of a task function with `cases = list`.
pub fn cases<T, I, L>(
    list: L,
    body: for<'a> fn(&'a mut Context, Arc<T>) -> BodyFuture<'a>,
) -> Vec<TaskCase>
where
    T: fmt::Debug + Send + Sync + 'static,
    I: CaseItem<T>,
    L: IntoIterator<Item = I>,
{
    let case = |item: I| {
        let (name, value) = item.parts();
        let shown = format!("{value:?}");
        let value = Arc::new(value);
        let given = Arc::clone(&value);
        TaskCase {
            name: Some(name),
            shown,
            value,
            body: Arc::new(move |context| body(context, Arc::clone(&given))),
        }
    };
    list.into_iter().map(case).collect()
}

/// A case as a user writes it: a name with a value, or a text that is both.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no case of a task that takes `&{T}`",
    label = "write `(\"NAME\", value)`",
    note = "the value is what the task takes as `case`, by reference"
)]
pub trait CaseItem<T> {
    /// The name and the value.
    fn parts(self) -> (String, T);
}

impl<N: fmt::Display, T> CaseItem<T> for (N, T) {
    fn parts(self) -> (String, T) {
        (self.0.to_string(), self.1)
    }
}

impl<N: fmt::Display, T: Clone> CaseItem<T> for &(N, T) {
    fn parts(self) -> (String, T) {
        (self.0.to_string(), self.1.clone())
    }
}

impl CaseItem<Self> for String {
    fn parts(self) -> (Self, Self) {
        (self.clone(), self)
    }
}

impl CaseItem<String> for &str {
    fn parts(self) -> (String, String) {
        (self.to_owned(), self.to_owned())
    }
}

impl CaseItem<String> for &&str {
    fn parts(self) -> (String, String) {
        (*self).parts()
    }
}
