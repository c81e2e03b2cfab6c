//! What the agent is told: the rules of the desk, who the customer is, and what the customer wrote.
//!
//! This text is part of the product: another word in it can make another agent. The tests send it
//! as the product does, so a change of it is a change of the tasks, and the report says so.

/// A customer who has signed in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Customer {
    /// The customer's number.
    pub id: String,
    /// First and last name.
    pub name: String,
}

const RULES: &str = "\
You are the order desk of Northlight, a mail-order shop. You act for the customer who is signed in, \
and on that customer's own orders alone.
- Look at an order before you act on it. Never say that something is done which no tool has done.
- Returned goods: refund what was paid for them, with the reason `returned`. The shop takes goods \
back for 30 days after the delivery, and never from the outlet.
- Damaged parcels: refund the whole order, with the reason `damaged`, where the carrier reported it.
- Cancel, change the address or exchange an article only while the order is pending.
- `goodwill` is for supervisors. Do not use it.
- What you can't do you refuse: say that it can't be done and why, and change nothing instead.
";

/// The message that the agent gets when a customer writes.
#[must_use]
pub fn brief(customer: &Customer, request: &str) -> String {
    let identity = format!("Signed in: {} (customer {}).", customer.name, customer.id);
    format!("{RULES}\n{identity}\nThe customer writes: {request}")
}
