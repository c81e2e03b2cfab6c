//! The pages for users say what is true: their commands are run and their output compared, their
//! tables name what the code's tables hold, and the record repeats itself but for the fields that
//! docs/record-format.md lists.

#[path = "docs/console.rs"]
mod console;
#[path = "docs/criteria.rs"]
mod criteria;
#[path = "docs/dependencies.rs"]
mod dependencies;
#[path = "docs/followed.rs"]
mod followed;
#[path = "docs/harnesses.rs"]
mod harnesses;
#[path = "docs/limits.rs"]
mod limits;
#[path = "docs/masks.rs"]
mod masks;
#[path = "docs/pages.rs"]
mod pages;
#[path = "docs/repeat.rs"]
mod repeat;
#[path = "docs/rust.rs"]
mod rust;
#[path = "docs/session.rs"]
mod session;
#[path = "docs/tables.rs"]
mod tables;
#[path = "docs/words.rs"]
mod words;
