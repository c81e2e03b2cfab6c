//! What was run, as short hashes: of a cell, of a task, of a whole suite; and how two differ.
//!
//! A fingerprint covers every byte that changes behaviour and nothing that does not: no path of
//! this machine, no clock, no order of keys. This room knows no file and no run.

mod canonical;
mod cell;
mod difference;
mod seed;
mod suite;

pub use canonical::{of_bytes, of_list, of_value};
pub use cell::{Driver, PinnedProgram, cell_fingerprint, cell_parts};
pub use difference::differences;
pub use seed::seed_of;
pub use suite::suite_fingerprint;
