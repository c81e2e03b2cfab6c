//! What the providers over HTTP share: one POST with its key, and the answer read whole or as a
//! stream.
//!
//! One exchange is one request: no second try, no redirect followed, so that nothing is paid twice
//! in silence and no key reaches a host that the roster does not name. Time is bounded by the
//! caller, who drops the exchange.

mod answer;
mod endpoint;
mod refusal;
mod retry_after;
mod vendor;

pub(super) use answer::{DONE, Protocol, Stream};
pub(super) use endpoint::{Auth, Endpoint, Routes, not_answered};
pub use refusal::costs_nothing;
pub(super) use refusal::said;
pub(super) use vendor::Vendor;

/// More tokens than any request can have: a server that says so does not count.
pub(super) const MOST_TOKENS: u64 = 1_000_000_000_000;
