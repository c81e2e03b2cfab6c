//! examples/order-desk, a product with its agent's tests, as a project of its own: what its readers
//! are promised of the list, the run, the doors and the findings.

#[path = "order_desk/alone.rs"]
mod alone;
#[path = "order_desk/doors.rs"]
mod doors;
#[path = "order_desk/findings.rs"]
mod findings;
