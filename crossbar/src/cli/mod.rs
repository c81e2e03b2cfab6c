//! The face of the command line: one file per command.
//!
//! A command turns flags into the session's options, calls the session, and prints. What is not
//! built has no flag here.
#![expect(
    clippy::disallowed_methods,
    reason = "a face reads the command line and the environment"
)]

mod accept;
mod analyze;
mod args;
mod calibrate;
mod completions;
mod doctor;
mod export;
mod init;
mod nextest;
mod output;
mod plan;
mod regression;
mod report;
mod review;
mod run;
mod schema;
mod show;
mod validate;
mod verdict;

pub use args::main;
