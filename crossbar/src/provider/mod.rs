//! Models behind one trait: what a harness asks, what a model answers, and one file for each
//! provider.
//!
//! A provider turns one [`ChatRequest`] into one [`ChatReply`]. It knows nothing of tasks, checks
//! or loops, it executes no tool, and it reads neither the environment nor the clock: a key is
//! given to it as a value. It never tries again by itself, so that no request is paid twice in
//! silence: `patient` does, around the ledger, so each try is paid for on its own.
//!
//! The trait has one method to write, so a model of your own joins with a few lines:
//!
//! ```
//! use crossbar::domain::LocalFuture;
//! use crossbar::provider::{ChatReply, ChatRequest, Message, Provider, ProviderError};
//!
//! /// Repeats what it is told.
//! struct Echo;
//!
//! impl Provider for Echo {
//!     fn chat<'a>(&'a self, request: &'a ChatRequest) -> LocalFuture<'a, Result<ChatReply, ProviderError>> {
//!         Box::pin(async move {
//!             let heard = request.messages.iter().rev().find_map(|message| match message {
//!                 Message::User(text) => Some(text.as_str()),
//!                 _ => None,
//!             });
//!             Ok(ChatReply::text(heard.unwrap_or_default()))
//!         })
//!     }
//! }
//!
//! let request = ChatRequest { messages: vec![Message::User("hello".to_owned())], ..ChatRequest::default() };
//! # let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
//! # let reply = runtime.block_on(Echo.chat(&request)).unwrap();
//! # assert_eq!(reply.text, "hello");
//! ```

#[cfg(feature = "http")]
mod bounds;
#[cfg(feature = "http")]
mod by_program;
#[cfg(feature = "http")]
mod carrier;
mod chat;
#[cfg(feature = "http")]
mod claude_cli;
#[cfg(feature = "http")]
mod codex_cli;
mod error;
#[cfg(feature = "http")]
mod gemini_cli;
#[cfg(feature = "http")]
mod gemini_usage;
mod naming;

#[cfg(feature = "http")]
mod anthropic;
#[cfg(feature = "http")]
mod http;
mod kinds;
#[cfg(feature = "http")]
mod line;
mod metered;
mod mock;
#[cfg(feature = "http")]
mod openai;
#[cfg(feature = "http")]
mod opencode_cli;
#[cfg(feature = "http")]
mod pace;
mod player;
#[cfg(feature = "http")]
mod qwen_cli;
#[cfg(feature = "http")]
mod retry;
mod sameness;
mod scripted;
mod tape;
#[cfg(feature = "http")]
mod upstream;
mod work_clock;

#[cfg(feature = "http")]
pub use anthropic::usage as messages_usage;
#[cfg(feature = "http")]
pub use bounds::{Bounds, UnderWay};
pub use chat::{ChatReply, ChatRequest, Message, Provider, ReplyForm, ToolCallRequest, ToolSpec};
pub use error::{ProviderError, ProviderErrorKind, RetryAfter};
#[cfg(feature = "http")]
pub use gemini_usage::usage as gemini_usage;
#[cfg(feature = "http")]
pub use http::costs_nothing;
pub use kinds::{KINDS, Setup, behind_feature, build, kind};
#[cfg(feature = "http")]
pub use line::Lines;
pub use metered::{DEFAULT_MAX_OUTPUT_TOKENS, Meter, is_paid, metered, no_budget, worst_case};
pub use naming::{NameMap, wire_safe};
#[cfg(feature = "http")]
pub use openai::{chat_usage, responses_usage};
#[cfg(feature = "http")]
pub use retry::{Patience, Waits, patient};
pub use scripted::Scripted;
pub use tape::Tape;
#[cfg(feature = "http")]
pub use upstream::{Upstream, UpstreamReply, UpstreamRequest, is_of_the_connection};
pub use work_clock::WorkClock;
