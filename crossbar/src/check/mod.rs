//! Checks: what evidence each kind needs and how it judges, and the match modes they share.
//!
//! A check never does I/O. It names the probes that it needs, the environment observes them once
//! after the agent ended, and judging is a function of the trajectory and that evidence. So an old
//! run can be judged again, and a check is tested without a process.
//!
//! This room must not know text files or their places (the reader of packs does), nor how a score
//! is made, nor how an observation comes about.
//!
//! A new kind is one file here and one line in [`KINDS`].

mod fields;
mod judgement;
mod kinds;
mod spec;

mod matching;

mod expectation;
mod tool_pattern;

mod final_text;
mod mcp_state;
mod no_tool_errors;
mod tool_called;

pub use expectation::Expectation;
pub use fields::{FieldError, FieldKind, FieldSpec, Fields};
pub use judgement::{Check, Judgement};
pub use kinds::{CheckKind, GuardByKind, KINDS, kind};
pub use matching::{MatchMode, Mismatch, matches};
pub use spec::{COMMON_FIELDS, CheckSpec};
pub use tool_pattern::{PatternError, ToolPattern};
