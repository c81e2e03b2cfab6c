//! The attribute macros of crossbar: they register a function, and leave it as it was written.
//!
//! What they emit names `::crossbar` alone, so that a user's crate needs no import; a renamed
//! dependency says `crate = its_name`. This crate knows no YAML and nothing of the runtime.
//!
//! Every mistake is an error at the tokens that are wrong, with a line `help:`. Types are checked
//! by the compiler, in expressions that carry the span of the type that the user wrote.

mod attributes;
mod cases;
mod ignored;
mod nearest;
mod pack;
mod signature;
mod solution;
mod task;
mod value;

use proc_macro::TokenStream;

/// Makes an `async fn(cx: &mut crossbar::Context) -> crossbar::Result` a task, or a plain
/// `fn(cx: &mut crossbar::blocking::Context)`.
///
/// Keys: `id`, `name`, `family`, `tags`, `weight`, `version`, `min_pass_rate`, `timeout_s`,
/// `max_steps`, `budget_tokens`, `max_tool_calls`, `forbid = ["server.tool", "server.*"]`, `on_blocked`,
/// `cases = [("NAME", value)]` (each a task of its own, passed as `case: &T`), `crate`.
#[proc_macro_attribute]
pub fn task(attributes: TokenStream, item: TokenStream) -> TokenStream {
    let item = proc_macro2::TokenStream::from(item);
    task::expand(attributes.into(), item.clone())
        .unwrap_or_else(|error| with(&error, task::as_written(&item)))
        .into()
}

/// Makes a `fn(s: &mut crossbar::Script)` the solution of the task that it names: what mock and
/// scripted models play, and what a control plays to show that the task can be solved. For a task
/// with `cases` it may take the case too: `case: &T`.
#[proc_macro_attribute]
pub fn solution(attributes: TokenStream, item: TokenStream) -> TokenStream {
    let item = proc_macro2::TokenStream::from(item);
    solution::expand(solution::SOLUTION, attributes.into(), item.clone())
        .unwrap_or_else(|error| with(&error, item))
        .into()
}

/// Makes a `fn(s: &mut crossbar::Script)` a mistake that the task that it names must not accept:
/// only a control plays it. A task may have several; for a task with `cases` it may take the case
/// too: `case: &T`.
#[proc_macro_attribute]
pub fn broken(attributes: TokenStream, item: TokenStream) -> TokenStream {
    let item = proc_macro2::TokenStream::from(item);
    solution::expand(solution::BROKEN, attributes.into(), item.clone())
        .unwrap_or_else(|error| with(&error, item))
        .into()
}

/// The error beside the item: what else names the item does not fail too.
fn with(error: &syn::Error, item: proc_macro2::TokenStream) -> proc_macro2::TokenStream {
    let mut tokens = error.to_compile_error();
    tokens.extend(item);
    tokens
}
/// The files of a task pack as texts, for `crossbar::taskpack!`, which is what to write.
#[doc(hidden)]
#[proc_macro]
pub fn embed_pack(input: TokenStream) -> TokenStream {
    pack::expand(input.into())
        .unwrap_or_else(syn::Error::into_compile_error)
        .into()
}
