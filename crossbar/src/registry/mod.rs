//! The only reader of what the linker collected: the tasks, solutions and mistakes written in Rust,
//! and the packs that were built in.
//!
//! The linker's order is nobody's promise, so everything is sorted by id here, and two tasks of
//! one id are an error that names both places. A crate that should have brought tasks along and
//! brought none is an error too: the linker leaves out what nobody names, and says nothing.

mod broken;
mod case;
mod definition;
mod embedded;
mod error;
mod gather;

pub use case::{CaseItem, TaskCase, cases, only};
pub use definition::{
    BrokenDefinition, MainDefinition, SolutionDefinition, TaskAttributes, TaskDefinition,
    TaskMarker, TaskPlace,
};
pub use embedded::{
    EmbeddedFacts, EmbeddedFile, EmbeddedPack, EmbeddedPacks, PackInBinary, embedded_packs,
};
pub use error::RegistryError;
pub use gather::{CodedTask, gather};
