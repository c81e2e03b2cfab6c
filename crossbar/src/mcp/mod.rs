//! Client of MCP servers over standard input and output, and over streamable HTTP (feature
//! `mcp-http`).
//!
//! For: starting or reaching a server, learning its tools, calling them, and telling apart what the tool said,
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
mod inbox;
mod line;
mod link;
mod message;
mod noise;
mod question;
#[cfg(feature = "mcp-http")]
mod remote;
mod reply;
mod session;
mod tool;

mod server;

pub use error::McpError;
pub use noise::Noise;
#[cfg(feature = "mcp-http")]
pub use remote::RemoteSpec;
pub use reply::CallResult;
pub use server::{Server, ServerSpec};
pub use tool::ToolInfo;
