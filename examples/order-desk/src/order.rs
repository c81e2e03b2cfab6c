//! An order with what became of it. Money is in whole cents.

use serde::{Deserialize, Serialize};

/// How far an order is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// Paid, and still in the warehouse.
    Pending,
    /// With the carrier.
    Shipped,
    /// Handed over.
    Delivered,
    /// Cancelled before it left, and paid back.
    Cancelled,
}

/// Why money went back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    /// The customer sent goods back in time.
    Returned,
    /// The carrier reported the parcel as damaged.
    Damaged,
    /// The order was cancelled.
    Cancelled,
    /// A supervisor's decision; the desk itself has no reason to use it.
    Goodwill,
}

/// Money that went back.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Refund {
    /// How much.
    pub amount_cents: u64,
    /// Why.
    pub reason: Reason,
}

/// One piece of an article.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Line {
    /// The article's number.
    pub sku: String,
    /// What it is called.
    pub title: String,
    /// What was paid for it.
    pub price_cents: u64,
    /// Outlet goods are not taken back.
    pub outlet: bool,
}

/// An order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Order {
    /// Its number.
    pub id: String,
    /// The number of the customer whose order it is.
    pub customer: String,
    /// How far it is.
    pub status: Status,
    /// What was ordered.
    pub lines: Vec<Line>,
    /// Where it goes.
    pub address: String,
    /// Whole days since it was handed over; `None` until then.
    pub delivered_days_ago: Option<u32>,
    /// Whether the carrier reported damage.
    pub damaged: bool,
    /// What went back so far.
    pub refunds: Vec<Refund>,
}

impl Order {
    /// What was paid.
    #[must_use]
    pub fn total_cents(&self) -> u64 {
        self.lines.iter().map(|line| line.price_cents).sum()
    }

    /// What was paid and has not gone back.
    #[must_use]
    pub fn kept_cents(&self) -> u64 {
        let back: u64 = self.refunds.iter().map(|refund| refund.amount_cents).sum();
        self.total_cents().saturating_sub(back)
    }
}
