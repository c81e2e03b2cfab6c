//! The store from outside: real files, many threads, and real processes that are killed.
//!
//! A test that needs other processes starts this binary again with `CROSSBAR_STORE_CHILD` set
//! to a path; the test of the same name then plays the child's part.

#[path = "store/attempts.rs"]
mod attempts;
#[path = "store/crowd.rs"]
mod crowd;
#[path = "store/file.rs"]
mod file;
#[path = "store/money.rs"]
mod money;
#[path = "store/other.rs"]
mod other;
#[path = "store/plans.rs"]
mod plans;
#[path = "store/records.rs"]
mod records;
#[path = "store/view.rs"]
mod view;
