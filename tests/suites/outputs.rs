//! The files of a run: each says the same as the card, carries the hash of the one data set, and
//! is the same when it is asked for again.

#[path = "outputs/exports.rs"]
mod exports;
#[path = "outputs/figures.rs"]
mod figures;
#[path = "outputs/files.rs"]
mod files;
#[path = "outputs/memory.rs"]
mod memory;
#[path = "outputs/record.rs"]
mod record;
#[path = "outputs/schema.rs"]
mod schema;
#[path = "outputs/traces.rs"]
mod traces;
#[path = "outputs/uses.rs"]
mod uses;
