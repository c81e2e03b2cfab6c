//! A model behind an address on this machine, for programs that ask it by themselves.
//!
//! One gateway belongs to one rollout. It listens on loopback, answers only who shows the rollout's
//! own token, puts the real key in, passes the request on, and writes down what it took. The first
//! request waits until its harness has looked at the tools that it offers, if it wants to. Before each
//! request the worst case is reserved, and a ceiling that is reached ends all further passing: so a
//! program without a turn limit has one, and a cut answer is metered as far as it came.
//!
//! Must not know: tasks, harnesses, what a program makes of an answer. It changes no request and no
//! answer, but for the key, for a ceiling on a paid answer where a program names none (without one no
//! worst case exists), for the wish that a stream tells its tokens, and for a tool call that is one too
//! many, which it cuts off.

mod answer;
mod chat;
mod first;
mod gemini;
mod messages;
mod pass;
mod pieces;
mod protocol;
mod responses;
mod server;
mod state;
mod token;

pub use protocol::{Protocol, protocol};
pub use server::{Gateway, GatewayError, Terms};
