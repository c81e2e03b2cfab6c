//! The product. Its agent tests are in `tests/agents.rs` and `tasks/`.
