//! What the suites share: a user's project with its commands, the source tree as values, the tables
//! of docs/architecture.md, and tests/rows.tsv.

pub mod counting_server;
pub mod marked;
pub mod page;
pub mod project;
pub mod rows;
pub mod scan;
pub mod tree;
