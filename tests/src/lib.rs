//! What the suites share: a user's project with its commands, what drives a
//! harness in process, results as values, the source tree as values, the fenced blocks of pages, the tables
//! of docs/architecture.md, the validator of trajectories, and tests/rows.tsv.

pub mod blocks;
pub mod counting_server;
pub mod crowd;
pub mod http_mcp_server;
pub mod in_process;
pub mod marked;
pub mod page;
pub mod project;
pub mod results;
pub mod rows;
pub mod scan;
pub mod scripted_model;
pub mod trajectories;
pub mod tree;
