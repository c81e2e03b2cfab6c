//! crossbar answers inside `cargo test`: could a cheaper model, harness or instruction file do
//! this job, and how would we know?
//!
//! A task is a function (or a YAML file): arrange, let the agent act, assert.
//!
//! ```no_run
//! use crossbar::{Context, Script, ServerCommand, json, subset};
//!
//! #[crossbar::task(family = "escalate", forbid = ["tickets.delete_all"])]
//! async fn outage_is_urgent(cx: &mut Context) -> crossbar::Result {
//!     let tickets = cx.server("tickets", ServerCommand::built_in("tickets")).await?;
//!     cx.agent("Ticket T-1001 reports an outage. Set it to urgent.").await?;
//!     let seen = tickets.call("get_ticket", json!({"id": "T-1001"})).await?;
//!     cx.expect("it is urgent", &seen, subset!({"ticket": {"priority": "urgent"}}));
//!     Ok(())
//! }
//!
//! #[crossbar::solution(outage_is_urgent)]
//! fn solve(s: &mut Script) {
//!     s.call("tickets.set_priority", json!({"id": "T-1001", "priority": "urgent"})).say("Done.");
//! }
//!
//! #[crossbar::broken(outage_is_urgent)]
//! fn only_says_so(s: &mut Script) {
//!     s.say("T-1001 is urgent.");
//! }
//!
//! crossbar::main!();
//! ```
//!
//! The harness lists one case per cell (`model+harness`) and task, runs them, and prints the
//! verdict. Which models and harnesses there are stands in `crossbar.yaml`.
//!
//! # Doors
//! What is re-exported at the top is for users. The rooms below are public so that crossbar's own
//! suites can reach them, and promise nothing. `__private` is for the macros' expansions alone.

#[cfg(feature = "run")]
#[doc(hidden)]
pub mod analysis;
#[cfg(feature = "build")]
pub mod build;
#[cfg(feature = "run")]
#[doc(hidden)]
pub mod calibrate;
#[doc(hidden)]
pub mod check;
#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod cli;
#[cfg(feature = "run")]
#[doc(hidden)]
pub mod context;
#[doc(hidden)]
pub mod domain;
#[cfg(feature = "run")]
#[doc(hidden)]
pub mod env;
#[cfg(feature = "run")]
#[doc(hidden)]
pub mod fingerprint;
#[cfg(feature = "http")]
#[doc(hidden)]
pub mod gateway;
#[cfg(feature = "run")]
#[doc(hidden)]
pub mod harness;
#[cfg(feature = "import")]
#[doc(hidden)]
pub mod import;
#[cfg(feature = "run")]
#[doc(hidden)]
pub mod libtest;
#[cfg(feature = "run")]
#[doc(hidden)]
pub mod mcp;
#[doc(hidden)]
pub mod pack;
#[cfg(feature = "run")]
#[doc(hidden)]
pub mod plan;
#[cfg(feature = "run")]
#[doc(hidden)]
pub mod process;
#[cfg(feature = "run")]
#[doc(hidden)]
pub mod provider;
#[cfg(feature = "run")]
#[doc(hidden)]
pub mod redact;
#[cfg(feature = "run")]
#[doc(hidden)]
pub mod registry;
#[cfg(feature = "run")]
#[doc(hidden)]
pub mod report;
#[cfg(feature = "run")]
#[doc(hidden)]
pub mod score;
#[cfg(feature = "run")]
#[doc(hidden)]
pub mod session;
#[doc(hidden)]
pub mod source;
#[cfg(feature = "run")]
#[doc(hidden)]
pub mod stats;
#[cfg(feature = "run")]
#[doc(hidden)]
pub mod store;
#[cfg(feature = "run")]
#[doc(hidden)]
pub mod sweep;
#[doc(hidden)]
pub mod task;
#[cfg(any(feature = "http", feature = "mcp-http"))]
#[doc(hidden)]
pub mod wire;

pub use check::Expectation;
#[cfg(feature = "run")]
pub use context::{Context, Result, ServerHandle, TaskError};
#[cfg(feature = "run")]
pub use crossbar_macros::{broken, solution, task};
pub use domain::Script;
#[cfg(feature = "run")]
pub use env::{ServerCommand, Tool};
pub use serde_json::{Value, json};

#[cfg(feature = "run")]
/// For task functions that are not `async`: the same, but each call waits for its answer.
pub mod blocking {
    pub use crate::context::blocking::{Context, ServerHandle};
}

/// The value contains at least this: more keys are fine, list items may stand anywhere.
#[macro_export]
macro_rules! subset {
    ($($json:tt)+) => { $crate::Expectation::subset($crate::json!($($json)+)) };
}

/// The value is exactly this.
#[macro_export]
macro_rules! exact {
    ($($json:tt)+) => { $crate::Expectation::exact($crate::json!($($json)+)) };
}

#[cfg(feature = "run")]
/// A binary of the package under test, as the command of a server: `bin!("orders")`.
///
/// It is looked for when the task runs, so it is found in an archive of nextest too.
#[macro_export]
macro_rules! bin {
    ($name:literal) => {
        $crate::ServerCommand::binary(
            $name,
            ::core::option_env!(::core::concat!("CARGO_BIN_EXE_", $name)),
        )
    };
}

/// Puts the packs that the package's build script collected into this test binary.
#[cfg(feature = "run")]
#[macro_export]
macro_rules! include_taskpack {
    () => {
        $crate::__embed!(include!(concat!(env!("OUT_DIR"), "/crossbar-packs.rs")));
    };
}

/// Puts the pack in a folder, as a path from the package on, into this test binary without a build
/// script. A file that is added later is not noticed by cargo; the binary says so when it starts.
#[cfg(feature = "run")]
#[macro_export]
macro_rules! taskpack {
    ($folder:literal) => {
        $crate::__embed!($crate::__private::embed_pack!($folder));
    };
}

/// What both ways have in common.
#[cfg(feature = "run")]
#[doc(hidden)]
#[macro_export]
macro_rules! __embed {
    ($packs:expr) => {
        const _: () = {
            $crate::__private::inventory::submit! {
                $crate::__private::EmbeddedPacks {
                    package: env!("CARGO_PKG_NAME"),
                    manifest_dir: env!("CARGO_MANIFEST_DIR"),
                    file: file!(),
                    packs: $packs,
                }
            }
        };
    };
}

/// The `main` of a test target with `harness = false`.
///
/// - `main!(pack = "refunds")`: the pack of this package's tasks, instead of the package's name.
/// - `main!(packs = [shared_tasks])`: crates whose tasks run here too. Without it the linker leaves
///   out a crate that nothing names; with it, a crate that brings no task is an error.
#[cfg(feature = "run")]
#[macro_export]
macro_rules! main {
    () => { $crate::main!(packs = []); };
    (packs = [$($name:ident),* $(,)?] $(,)?) => {
        $crate::main!(@with ::core::option::Option::None, [$($name),*]);
    };
    (pack = $pack:literal $(,)?) => { $crate::main!(pack = $pack, packs = []); };
    (pack = $pack:literal, packs = [$($name:ident),* $(,)?] $(,)?) => {
        const _: () = ::core::assert!(
            $crate::__private::is_id($pack),
            "a pack's id is made of A-Z a-z 0-9 _ . -"
        );
        $crate::main!(@with ::core::option::Option::Some($pack), [$($name),*]);
    };
    (@with $pack:expr, [$($name:ident),*]) => {
        const _: () = {
            $(use ::$name as _;)*

            $crate::__private::inventory::submit! {
                $crate::__private::MainDefinition {
                    package: ::core::env!("CARGO_PKG_NAME"),
                    pack: $pack,
                    crates: &[$(::core::stringify!($name)),*],
                    file: ::core::file!(),
                    line: ::core::line!(),
                }
            }
        };

        fn main() -> ::std::process::ExitCode {
            $crate::__private::main($crate::__private::Main {
                mark: $crate::__private::MARK,
            })
        }

        #[cfg(test)]
        #[test]
        fn crossbar_needs_harness_false() {
            panic!(
                "crossbar runs its own harness: write `harness = false` under this [[test]] in \
                 Cargo.toml"
            );
        }
    };
    ($($other:tt)*) => {
        ::core::compile_error!(
            "main! takes nothing, `pack = \"..\"`, `packs = [my_crate]`, or both in this order"
        );
        fn main() {}
    };
}

/// For the expansions of crossbar's macros, and for nobody else.
#[cfg(feature = "run")]
#[doc(hidden)]
pub mod __private {
    #[cfg(feature = "cli")]
    pub use crate::cli::main as cli_main;
    pub use crate::context::{AsyncContext, SolutionScript, SyncContext, TaskReturn, on_a_thread};
    pub use crate::domain::is_id;
    pub use crate::libtest::{Main, main};
    pub use crate::registry::{
        BrokenDefinition, EmbeddedPacks, MainDefinition, SolutionDefinition, TaskAttributes,
        TaskCase, TaskDefinition, TaskMarker, TaskPlace, cases, only,
    };
    pub use crossbar_macros::embed_pack;
    pub use inventory;

    /// What `crossbar run` looks for in a test binary: it has to stand in the user's own code.
    pub const MARK: &str = concat!("\u{2}crossbar-engine:", env!("CARGO_PKG_VERSION"), "\u{3}");
}
