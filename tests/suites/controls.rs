//! Controls: every task proves itself, in `cargo test`, under nextest and on the command line, and
//! a control that does not hold says so.

#[path = "controls/alone.rs"]
mod alone;
#[path = "controls/cases.rs"]
mod cases;
#[path = "controls/criteria.rs"]
mod criteria;
#[path = "controls/packs.rs"]
mod packs;
#[path = "controls/record.rs"]
mod record;
#[path = "controls/validate.rs"]
mod validate;
