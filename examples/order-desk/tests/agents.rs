//! The agent's tests: five jobs written out, 136 more by family, and two whose tools are plain
//! functions. `shoppers` is the world that they begin in, `desk` what they have in common.

#[path = "agents/cancellations.rs"]
mod cancellations;
#[path = "agents/changes.rs"]
mod changes;
#[path = "agents/desk.rs"]
mod desk;
#[path = "agents/five.rs"]
mod five;
#[path = "agents/functions.rs"]
mod functions;
#[path = "agents/refunds.rs"]
mod refunds;
#[path = "agents/refusals.rs"]
mod refusals;
#[path = "agents/shoppers.rs"]
mod shoppers;

crossbar::main!();
