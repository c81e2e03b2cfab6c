//! Client of MCP servers over standard input and output.
//!
//! For: starting a server, learning its tools, calling them, and telling apart what the tool said,
//! what the protocol said and what the machine did. Real servers print banners, log in JSON, answer
//! with odd ids and die half way; none of that may hang a rollout or be mistaken for the model's
//! fault.
//!
//! Must not know: models, checks, tasks, several servers at once.
#![expect(
    clippy::disallowed_methods,
    reason = "an effect room: it measures how long a server takes to start"
)]

mod error;
mod line;
mod message;
mod noise;
mod reply;
mod session;
mod tool;

mod server;

pub use error::McpError;
pub use noise::Noise;
pub use reply::CallResult;
pub use server::{Server, ServerSpec};
pub use tool::ToolInfo;
