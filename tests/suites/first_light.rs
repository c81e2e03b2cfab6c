//! The whole path, from a task to a verdict, as a user walks it: cargo test, cargo nextest,
//! `crossbar run`, a kill in the middle, and worlds in which the answer must be another one.

#[path = "first_light/doors.rs"]
mod doors;
#[path = "first_light/environments.rs"]
mod environments;
#[path = "first_light/record.rs"]
mod record;
#[path = "first_light/silence.rs"]
mod silence;
#[path = "first_light/worlds.rs"]
mod worlds;
