//! The only reader of what the linker collected: the tasks, solutions and mistakes
//! written in Rust.
//!
//! The linker's order is nobody's promise, so everything is sorted by id here, and two tasks of
//! one id are an error that names both places.

mod definition;
mod gather;

pub use definition::{
    BrokenDefinition, SolutionDefinition, TaskAttributes, TaskDefinition, TaskMarker, TaskPlace,
};
pub use gather::{CodedTask, RegistryError, gather};
