//! Score: Security x Completion x Process, the terminal record, and the failure taxonomy.
//!
//! Everything here is arithmetic over a trajectory and the rows of its checks. This room must not
//! know how a check judges, what a task file looks like, or which models and harnesses there are;
//! it calls nothing and nobody, so a stored run that is scored again gives the same figures.

mod conduct;
mod violation;

mod parts;

mod outcome;

mod forbidden;

mod taxonomy;

mod reached;

pub use forbidden::forbidden_calls;
pub use outcome::outcome;
pub use parts::score;
pub use reached::hold_to_all_checks;
pub use taxonomy::{ToolsOffered, failure_mode};

/// The version of the rules in this room and of the checks that feed it; it is stored with every
/// rollout, and is raised when the same trajectory would get another score, outcome or mode.
pub const EVALUATOR: &str = "1";

#[cfg(test)]
mod fixtures;
