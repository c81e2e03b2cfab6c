//! The attribute macros of crossbar: they register a function, and leave it as it was written.
//!
//! What they emit names `::crossbar` alone, so that a user's crate needs no import; a renamed
//! dependency says `crate = its_name`. This crate knows no YAML and nothing of the runtime.

mod attributes;
mod solution;
mod task;

use proc_macro::TokenStream;

/// Makes an `async fn(cx: &mut crossbar::Context) -> crossbar::Result` a task.
///
/// Keys: `id`, `family`, `version`, `weight`, `timeout_s`, `max_steps`, `budget_tokens`,
/// `max_tool_calls`, `forbid = ["server.tool", "server.*"]`, `crate`.
#[proc_macro_attribute]
pub fn task(attributes: TokenStream, item: TokenStream) -> TokenStream {
    task::expand(attributes.into(), item.into())
        .unwrap_or_else(syn::Error::into_compile_error)
        .into()
}

/// Makes a `fn(s: &mut crossbar::Script)` the solution of the task that it names: what mock and
/// scripted models play, and what a control plays to show that the task can be solved.
#[proc_macro_attribute]
pub fn solution(attributes: TokenStream, item: TokenStream) -> TokenStream {
    solution::expand(solution::Role::Solution, attributes.into(), item.into())
        .unwrap_or_else(syn::Error::into_compile_error)
        .into()
}

/// Makes a `fn(s: &mut crossbar::Script)` a mistake that the task that it names must not accept:
/// only a control plays it. A task may have several.
#[proc_macro_attribute]
pub fn broken(attributes: TokenStream, item: TokenStream) -> TokenStream {
    solution::expand(solution::Role::Broken, attributes.into(), item.into())
        .unwrap_or_else(syn::Error::into_compile_error)
        .into()
}
