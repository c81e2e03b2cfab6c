//! The one path of all faces: read files, plan, sweep, record, analyse, write outputs, exit code.
//!
//! A face parses what a person wrote and prints what comes back; everything between is here, so
//! that `cargo test`, nextest and the command line can't come to different figures.
#![expect(
    clippy::disallowed_methods,
    reason = "it reads the files and the clock for the pure rooms, and listens for signals"
)]

mod aa;
mod accept;
mod accept_cell;
mod ad_hoc;
mod adaptive;
mod additions;
mod base_branch;
mod binaries;
mod calibrate;
mod cases;
mod clock;
mod conclude;
mod controls;
mod doctor;
mod engine;
mod error;
mod executables;
mod execute;
mod exit;
mod export;
mod first_run;
mod floors;
mod gate;
mod glob;
#[cfg(feature = "import")]
mod imported;
#[cfg(feature = "import")]
mod imported_files;
mod known;
mod last_live;
mod load;
mod locate;
mod log;
mod merged;
mod missing;
mod named;
mod nextest;
mod options;
mod outdated;
mod outputs;
mod own_program;
mod packs;
mod parts;
mod pending;
mod plan;
mod preflight;
mod prepare;
mod progress;
mod reached;
mod recorded;
mod recording;
mod references;
mod regression;
mod replay;
mod reread;
mod review;
mod run_id;
mod schema;
mod scratch;
mod second_look;
mod sentinel;
mod serve;
mod settings;
mod settle;
mod signals;
mod sketch;
mod starter;
mod stored;
mod stray;
mod validate;

pub use accept::{AcceptOptions, Decision};
pub use ad_hoc::AdHoc;
pub use adaptive::{next_upto, ran_upto};
pub use binaries::{TestBinary, test_binaries};
pub use calibrate::{CalibrateOptions, Calibrated, calibrate};
pub use cases::Case;
pub use clock::SystemClock;
pub use conclude::{Concluded, conclude};
pub use controls::{is_control, is_control_case, trouble_of_control};
pub use doctor::{Examination, Finding, Section, State, examine};
pub use engine::{EngineCommand, EngineJob};
pub use error::SessionError;
pub use execute::{Executed, Watch, execute};
pub use exit::Exit;
pub use export::Written;
pub use first_run::first_runs;
pub use gate::in_ci;
#[cfg(feature = "import")]
pub use imported::{Cluster, ImportOptions, ImportedResults, analyze_files};
pub use known::could_mean;
pub use last_live::last_live;
pub use load::{Brought, Loaded, Packs, WithoutRoster, load, load_for, variable};
pub use log::LogLevel;
pub use nextest::nextest;
pub use options::{ENVIRONMENT, RunOptions, budget};
pub use outputs::write;
pub use pending::ReferencePlaces;
pub use prepare::{Prepared, prepare};
pub use progress::Progress;
pub use recorded::RecordedRuns;
pub use regression::{Regression, earlier_run};
pub use reread::from_sweep;
pub use review::PendingTask;
pub use schema::{SchemaOf, schema};
pub use scratch::Scratch;
pub use second_look::SecondLook;
pub use serve::serve_if_asked;
pub use settle::{is_recorded, reference_places, references_of, results_of, settled};
pub use signals::stop_on_signals;
pub use sketch::{Reading, Sketch};
pub use starter::{Begun, init};
pub use stray::stray_variables;
pub use validate::{Outlook, Proof};

pub use crate::analysis::Floor;
#[cfg(feature = "import")]
pub use crate::analysis::{NAMED_INTERVALS, NamedInterval};
pub use crate::calibrate::Effort;
pub use crate::report::{EXPORTS, FORMATS, Styles, floor_trouble};
pub use crate::source::closest;
pub use crate::sweep::{StopHandle, StopWatch};
