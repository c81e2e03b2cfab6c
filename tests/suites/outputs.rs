//! The files of a run: each says the same as the card, carries the hash of the one data set, and
//! is the same when it is asked for again.

#[path = "outputs/files.rs"]
mod files;
#[path = "outputs/memory.rs"]
mod memory;
#[path = "outputs/traces.rs"]
mod traces;
