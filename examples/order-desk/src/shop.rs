//! The shop's book of orders and its stock, with the rules that hold whoever asks.

use crate::order::{Line, Order, Reason, Refund, Status};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::Path;
use std::{fmt, fs, io};

/// The last day on which goods are taken back, counted from the delivery.
const RETURN_DAYS: u32 = 30;

/// An article on the shelf.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Article {
    /// What it is called.
    pub title: String,
    /// What it costs.
    pub price_cents: u64,
    /// How many are left.
    pub in_stock: u32,
}

/// All orders, and the stock by article number.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Shop {
    /// The orders.
    pub orders: Vec<Order>,
    /// The shelf.
    pub stock: BTreeMap<String, Article>,
}

/// Why the shop does not do something.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refusal {
    /// There is no such order.
    NoOrder(String),
    /// There is no such article.
    NoArticle(String),
    /// Only an order that has not left the warehouse can be changed.
    HasLeft(Status),
    /// Nothing was handed over yet, so nothing can have come back.
    NotDelivered,
    /// It was handed over too long ago, so many days.
    TooLate(u32),
    /// Outlet goods are not taken back.
    Outlet,
    /// The carrier reported no damage.
    NotDamaged,
    /// No more can go back than these cents.
    TooMuch(u64),
    /// None is left of that article.
    SoldOut(String),
    /// An exchange is for the same price.
    OtherPrice,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoOrder(id) => write!(f, "there is no order {id}"),
            Self::NoArticle(sku) => write!(f, "there is no article {sku}"),
            Self::HasLeft(status) => write!(
                f,
                "the order is {status:?}, only a pending one can be changed"
            ),
            Self::NotDelivered => f.write_str("the order was not delivered yet"),
            Self::TooLate(days) => write!(
                f,
                "delivered {days} days ago, returns end after {RETURN_DAYS}"
            ),
            Self::Outlet => f.write_str("outlet goods are not taken back"),
            Self::NotDamaged => f.write_str("the carrier reported no damage"),
            Self::TooMuch(cents) => write!(f, "between 1 and {cents} cents can go back"),
            Self::SoldOut(sku) => write!(f, "{sku} is sold out"),
            Self::OtherPrice => f.write_str("an exchange is for an article of the same price"),
        }
    }
}

impl std::error::Error for Refusal {}

impl Shop {
    /// Reads the book from a file.
    ///
    /// # Errors
    /// When the file can't be read or is no book.
    pub fn open(path: &Path) -> io::Result<Self> {
        Ok(serde_json::from_slice(&fs::read(path)?)?)
    }

    /// Writes the book to a file.
    ///
    /// # Errors
    /// When the file can't be written.
    pub fn save(&self, path: &Path) -> io::Result<()> {
        fs::write(path, serde_json::to_vec_pretty(self)?)
    }

    /// The orders of a customer.
    #[must_use]
    pub fn orders_of(&self, customer: &str) -> Vec<&Order> {
        let orders = self.orders.iter();
        orders.filter(|order| order.customer == customer).collect()
    }

    /// An order by its number.
    ///
    /// # Errors
    /// `NoOrder`.
    pub fn order(&self, id: &str) -> Result<&Order, Refusal> {
        let found = self.orders.iter().find(|order| order.id == id);
        found.ok_or_else(|| Refusal::NoOrder(id.to_owned()))
    }

    fn order_mut(&mut self, id: &str) -> Result<&mut Order, Refusal> {
        let found = self.orders.iter_mut().find(|order| order.id == id);
        found.ok_or_else(|| Refusal::NoOrder(id.to_owned()))
    }

    /// An order that can still be changed.
    fn pending_mut(&mut self, id: &str) -> Result<&mut Order, Refusal> {
        let order = self.order_mut(id)?;
        match order.status {
            Status::Pending => Ok(order),
            other => Err(Refusal::HasLeft(other)),
        }
    }

    /// An article by its number.
    ///
    /// # Errors
    /// `NoArticle`.
    pub fn article(&self, sku: &str) -> Result<&Article, Refusal> {
        let found = self.stock.get(sku);
        found.ok_or_else(|| Refusal::NoArticle(sku.to_owned()))
    }

    /// Sends money back: for goods that came back within 30 days of their delivery, for what the
    /// carrier damaged, or by a supervisor's decision.
    ///
    /// # Errors
    /// What the reason does not allow, and more than was kept.
    pub fn refund(&mut self, id: &str, amount_cents: u64, reason: Reason) -> Result<(), Refusal> {
        let order = self.order_mut(id)?;
        match reason {
            Reason::Returned => returnable(order)?,
            Reason::Damaged if !order.damaged => return Err(Refusal::NotDamaged),
            Reason::Damaged | Reason::Goodwill | Reason::Cancelled => {}
        }
        if amount_cents == 0 || amount_cents > order.kept_cents() {
            return Err(Refusal::TooMuch(order.kept_cents()));
        }
        order.refunds.push(Refund {
            amount_cents,
            reason,
        });
        Ok(())
    }

    /// Cancels an order that has not left: the money goes back, the goods stay on the shelf.
    ///
    /// # Errors
    /// `HasLeft`.
    pub fn cancel(&mut self, id: &str) -> Result<(), Refusal> {
        let order = self.pending_mut(id)?;
        order.status = Status::Cancelled;
        let amount_cents = order.kept_cents();
        order.refunds.push(Refund {
            amount_cents,
            reason: Reason::Cancelled,
        });
        let back: Vec<_> = order.lines.iter().map(|line| line.sku.clone()).collect();
        for sku in &back {
            if let Some(article) = self.stock.get_mut(sku) {
                article.in_stock += 1;
            }
        }
        Ok(())
    }

    /// Sends an order that has not left elsewhere.
    ///
    /// # Errors
    /// `HasLeft`.
    pub fn change_address(&mut self, id: &str, address: &str) -> Result<(), Refusal> {
        address.clone_into(&mut self.pending_mut(id)?.address);
        Ok(())
    }

    /// Takes another article of the same price instead, in an order that has not left.
    ///
    /// # Errors
    /// `HasLeft`, `NoArticle`, `SoldOut`, `OtherPrice`.
    pub fn exchange(&mut self, id: &str, sku: &str, new_sku: &str) -> Result<(), Refusal> {
        let new = self.article(new_sku)?.clone();
        let order = self.pending_mut(id)?;
        let line = order.lines.iter_mut().find(|line| line.sku == sku);
        let line = line.ok_or_else(|| Refusal::NoArticle(sku.to_owned()))?;
        if line.price_cents != new.price_cents {
            return Err(Refusal::OtherPrice);
        }
        if new.in_stock == 0 {
            return Err(Refusal::SoldOut(new_sku.to_owned()));
        }
        *line = Line {
            sku: new_sku.to_owned(),
            title: new.title,
            ..line.clone()
        };
        self.move_stock(new_sku, sku);
        Ok(())
    }

    /// Removes an order with its history.
    ///
    /// # Errors
    /// `NoOrder`.
    pub fn delete(&mut self, id: &str) -> Result<(), Refusal> {
        self.order(id)?;
        self.orders.retain(|order| order.id != id);
        Ok(())
    }

    /// One piece leaves the shelf and another comes back to it.
    fn move_stock(&mut self, out: &str, back: &str) {
        if let Some(article) = self.stock.get_mut(out) {
            article.in_stock = article.in_stock.saturating_sub(1);
        }
        if let Some(article) = self.stock.get_mut(back) {
            article.in_stock += 1;
        }
    }
}

fn returnable(order: &Order) -> Result<(), Refusal> {
    match order.delivered_days_ago {
        None => Err(Refusal::NotDelivered),
        Some(days) if days > RETURN_DAYS => Err(Refusal::TooLate(days)),
        Some(_) if order.lines.iter().any(|line| line.outlet) => Err(Refusal::Outlet),
        Some(_) => Ok(()),
    }
}

#[cfg(test)]
mod tests;
