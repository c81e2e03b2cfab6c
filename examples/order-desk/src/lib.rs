//! The order desk of a small mail-order shop: what staff, and the agent among them, may do with an
//! order, the tools that the agent gets, and what it is told.
//!
//! The binary `orders` serves the tools over MCP. `tests/agents.rs` has the agent's tests.

mod brief;
mod order;
mod shop;
mod tools;

pub use brief::{Customer, brief};
pub use order::{Line, Order, Reason, Refund, Status};
pub use shop::{Article, Refusal, Shop};
pub use tools::{TOOLS, ToolSpec, call};
