//! Controls: every task proves itself, in `cargo test` and under nextest, and a control that does not hold says so.

#[path = "controls/cases.rs"]
mod cases;
#[path = "controls/record.rs"]
mod record;
