//! From one frozen data set to what people and machines read.
//!
//! What is for here: the verdict card with its sections, report.md, sweep.json, rollouts.csv,
//! junit.xml, traces, their exports for other tools, progress lines, transcripts. Every renderer is pure: a data set and a
//! `Styles` value in, text out, at most 100 columns wide where people read it.
//!
//! What it must not know: files, terminals, environment variables, clocks, how a figure is
//! computed. A rate or a difference is printed with its interval or not at all, and text of an
//! agent never reaches a terminal or an XML reader with its control characters.

mod error;
mod frozen;
mod styles;

mod clip;
mod figures;
mod page;
mod visible;

mod aa;
mod adaptive;
mod card;
mod controls;
mod delta;
mod factors;
mod failures;
mod floors;
mod forecast;
mod gate;
mod matrix;
mod money;
mod noise;
mod notices;
mod open;
mod origin;
mod outlay;
mod own_skills;
mod prune;
mod reach;
mod recommendation;
mod safety;
mod watch;

mod cross_check;
mod details;
mod front;
mod patterns;
mod slices;
mod tasks;
mod times;

mod markdown;
mod text;

mod annotations;
mod comment;
mod csv;
mod json;
mod junit;
mod xml;

#[cfg(feature = "import")]
mod imported;
#[cfg(feature = "import")]
mod imported_json;
#[cfg(feature = "import")]
mod imported_schema;

mod atif;
mod exported;
mod exports;
mod otlp;

mod progress;
mod reference;
mod review;
mod trace;
mod transcript;

mod formats;

#[cfg(test)]
mod fixture;
#[cfg(test)]
mod promises;
#[cfg(test)]
mod unmeasured;

pub use annotations::annotations;
pub use controls::{control_trouble, controls_summary, controls_table};
pub use error::ReportError;
pub use exported::Exported;
pub use exports::{EXPORTS, Export, ExportPlace, export};
pub use figures::counted;
pub use floors::floor_trouble;
pub use forecast::forecast_text;
pub use formats::{FORMATS, Format, Render, format};
pub use frozen::{CellMeta, Frozen, Made, Meta, Records, TaskPlace, narrow_row};
#[cfg(feature = "import")]
pub use imported::{Imported, ImportedFile, imported_text};
#[cfg(feature = "import")]
pub use imported_json::imported_json;
#[cfg(feature = "import")]
pub use imported_schema::imported_schema;
pub use json::{Sweep, read_sweep, summary};
pub use progress::{budget_line, progress_line, reason_line};
pub use reach::reach_line;
pub use reference::{read_references, write_references};
pub use review::{ReviewLine, review, review_task};
pub use styles::Styles;
pub use trace::{HashBytes, TracePaths, trace_text};
pub use transcript::transcript;
