//! The loops around a model, behind one trait: one file for each.
//!
//! A harness gets a prompt and a [`Session`], and drives the model until it answers or something
//! ends it. What it did stands in the session's [`Conversation`]: the trajectory is data, whatever
//! came out. It knows no checks and no score, starts no process, and reads no clock of its own.
//!
//! **What is fixed for every harness**: the prompt, the tools and their order, the limits, the
//! security policy, the clock, and everything that judges afterwards. The session holds these, so
//! a loop can't have more of them than another.
//!
//! **What varies, and is the harness's own**: its system prompt (or the roster's `instructions` in
//! its place), the form in which it offers tools and reads actions, what it says after an error,
//! how often it asks for a correction, and its self-check turn. crossbar alters none of that for a
//! model or a task.
//!
//! | kind | tools | reads | recovers |
//! |---|---|---|---|
//! | react | as functions | tool calls | errors go back as results; an optional self-check turn |
//! | single-shot | none | text | never: one request |
//! | claude-code | its own way | its own events | its own loop: two retries of a request, three of a cut answer |
//! | codex | its own way | its own events | its own loop: two retries of a request |
//! | command | its own way, through crossbar | what an executable says, line by line | its own loop |
//! | gemini | its own way | its own events | its own loop: two retries of a request, and of a cut answer |
//! | opencode | its own way | its own events | its own loop: two retries of a request |
//! | qwen | its own way | its own events | its own loop: two retries of a request, none of a cut answer |
//! | text-json | described in the system prompt | one JSON action a turn | at most two corrections of the form a prompt |

mod conversation;
mod error;
mod limits;
mod session;

mod calls;
mod command;

#[cfg(feature = "http")]
mod claude_code;
#[cfg(feature = "http")]
mod codex;
#[cfg(feature = "http")]
mod gemini;
mod kinds;
#[cfg(feature = "http")]
mod opencode;
mod places;
#[cfg(feature = "http")]
mod program;
mod programs;
#[cfg(feature = "http")]
mod qwen;
mod react;
mod single_shot;
mod text_json;

#[cfg(test)]
mod test_bench;

pub use conversation::Conversation;
pub use error::{BuildError, DriveError};
pub use kinds::{Harness, KINDS, behind_feature, build, kind};
pub use places::PLACES;
pub use programs::{AgentProgram, PROGRAMS, VersionIs, program_of};
pub use session::{Ports, ProgramPorts, Session};
