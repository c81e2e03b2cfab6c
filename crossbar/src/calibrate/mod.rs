//! Worlds whose truth is known, and how often the shipped statistics are right in them.
//!
//! What is for here: the simulated worlds, the table of promises that docs/statistics.md makes,
//! the verdict's own functions asked about each world, and the table of what was measured beside
//! what was promised. Pure: a sweep is a function of its setting and its number, so the same
//! figures come out however the work is dealt out.
//!
//! What it must not know: threads, clocks, terminals, how a statistic is computed. It asks
//! `analysis::analyze`, as every run does; only where no verdict prints a method yet does it ask
//! `stats` itself.

mod answer;
mod asks;
mod bench;
mod design;
mod error;
mod figure;
mod judgement;
mod method;
mod outcome;
mod parts;
mod promise;
mod setting;
mod table;
mod truth;
mod worlds;

pub use error::CalibrateError;
pub use figure::{Figure, Tally};
pub use judgement::{Judgement, Word, judge, visible};
pub use method::{METHODS, Method};
pub use outcome::{Calibration, Measured};
pub use promise::{Bound, PROMISES, Promise, promise};
pub use setting::{Effort, Measure, Setting, Stand};
pub use table::text;
pub use worlds::{WORLDS, World, settings};
