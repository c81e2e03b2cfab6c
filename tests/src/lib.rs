//! What the suites share: the source tree as values, the tables of docs/architecture.md, and
//! tests/rows.tsv.

pub mod page;
pub mod rows;
pub mod scan;
pub mod tree;
