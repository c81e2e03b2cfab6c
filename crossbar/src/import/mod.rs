//! Import: results that other tools wrote, as rollouts with nothing added to them.
//!
//! What is for here: one file per format, each from text to what a rollout's figures are made of,
//! and the check that several of them make one matrix. What a file does not say stays unknown; a
//! line that can't be read, a rollout that stands twice or a task that is two things is an error
//! at its place, and what is missing is counted, never filled in.
//!
//! What it must not know: how figures are made of the rollouts, and where a text came from: it
//! reads no file itself.

mod error;
mod found;

mod time;
mod values;

mod archive;
mod json;

mod csv;
mod harbor;
mod inspect;
mod junit;
mod promptfoo;
mod tau2;

mod formats;

mod costs;
mod gather;
mod repeats;
mod strata;

pub use csv::{COLUMNS, Column, Need};
pub use error::ImportError;
pub use formats::{FORMATS, Format, read};
pub use found::{Found, Given, Member, Numbering, Place, Read, Stratum};
pub use gather::{Imported, ImportedTask, gather};
pub use harbor::HARBOR_RESULT;
pub use junit::{PROPERTIES, Property};
