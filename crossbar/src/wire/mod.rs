//! What clients of HTTP share: how this program reaches a host, and how a stream of events is read.
//!
//! For: one kind of client, which follows no redirect and never asks twice by itself, so that
//! nothing is done or paid twice in silence and no key reaches a host that nobody named; events out
//! of bytes.
//!
//! Must not know: models, MCP, keys. What is asked and what an answer means is the caller's.

mod ask;
mod client;
mod excerpt;
mod sse;

pub use ask::{Answer, Ask, Asker, Method, WireError};
pub use client::{causes, client};
pub use excerpt::excerpt;
pub use sse::{LONGEST_EVENT, SseDecoder, SseEvent, SseFault};
