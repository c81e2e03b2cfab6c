//! Which rollouts a sweep holds, in which order, with which seeds. All of it values.
//!
//! This room knows no clock and no outcome: the same matrix and seed give the same plan on any
//! machine. Order is repeat by repeat; inside a repeat the tasks are shuffled and the cells
//! follow a cyclic Latin square over them, so that no cell runs in one stretch of time and each
//! comes first equally often.

mod matrix;
mod order;

pub use matrix::Matrix;
pub use order::{PlannedRollout, order};
