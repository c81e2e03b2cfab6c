//! Pack: text to `Task`, `TaskPack` and `Roster`, with every problem of a file at once, each at
//! its exact line and column.
//!
//! This room must not know where a text came from nor what is done with what it read: it opens no
//! file and reads no environment variable (a caller's `lookup` answers `${VAR}`), and it starts,
//! runs and judges nothing. Which checks, providers and harnesses exist it learns from tables.

mod elsewhere;
mod names;
mod unbuilt;

mod task_file;

mod pack_file;

mod folder;

mod outline;

mod roster;

mod schema;

mod skill;

pub use folder::{PackTexts, ReadPack, read_texts, task_files};
pub use outline::{Outline, outline};
pub use pack_file::read_pack;
pub use roster::{
    Cell, GateSettings, HarnessPaths, Padding, Placed, Roster, RosterContext, RunSettings,
    StatsSettings, pack_not_there, packs_of, read_roster,
};
pub use schema::{pack_schema, roster_schema, task_schema};
pub use skill::read_skill;
pub use task_file::{TaskContext, read_task};
