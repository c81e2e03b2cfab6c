//! The pages of tests/console: files and commands, each command with its exit code and the whole
//! text that a user sees. The crate trycmd types them, in an environment like that of a terminal
//! which has just been opened.
//!
//! `TRYCMD=overwrite` writes what is really printed into the pages; read the difference before you
//! commit it.

#[path = "console/exports.rs"]
mod exports;
#[path = "console/gate.rs"]
mod gate;
#[path = "console/masks.rs"]
mod masks;
#[path = "console/mistakes.rs"]
mod mistakes;
#[path = "console/page.rs"]
mod page;
#[path = "console/table.rs"]
mod table;
