//! Build: the build script's face. It reads a task pack while the crate is built, fails the build
//! for every problem at its place, and leaves the texts behind for the test binary.
//!
//! This room must not know how a task is run. It is the whole of crossbar that a build script
//! compiles, so it reaches for no room that brings a crate along.
#![expect(
    clippy::disallowed_methods,
    reason = "a build script reads the package's files and cargo's variables, and writes to OUT_DIR"
)]
#![expect(
    clippy::print_stdout,
    reason = "cargo is told by lines on standard output"
)]

mod collect;
mod taskpack;

pub use taskpack::taskpack;
