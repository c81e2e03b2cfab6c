//! What the tests of the desk have in common: a fresh book with the server on it, and what is
//! asserted of the book afterwards.

use crate::shoppers::Shopper;
use crossbar::{Context, Expectation, Script, ServerHandle, Value, json};
use order_desk::{Order, Refusal, Shop, TOOLS};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// A desk in one rollout.
pub struct Desk {
    orders: ServerHandle,
    book: PathBuf,
    before: Shop,
}

impl Desk {
    /// Writes the shopper's book into the rollout's own folder and starts the product's server there.
    pub async fn open(cx: &mut Context, shopper: &Shopper) -> crossbar::Result<Self> {
        let book = cx.workspace().join("orders.json");
        let before = shopper.book();
        before.save(&book)?;
        let orders = cx.server("orders", crossbar::bin!("orders")).await?;
        Ok(Self {
            orders,
            book,
            before,
        })
    }

    /// The book as it should be in the end: what the shop itself makes of the right change. The
    /// agent has no part in it, so an error here is one of the test.
    pub fn after(
        &self,
        change: impl FnOnce(&mut Shop) -> Result<(), Refusal>,
    ) -> crossbar::Result<Shop> {
        let mut want = self.before.clone();
        change(&mut want)?;
        Ok(want)
    }

    /// Asserts that the book is now as it should be: each entry that had to change is an assertion
    /// of its own, and that no other one has changed is a guard.
    pub async fn became(&self, cx: &mut Context, want: &Shop) -> crossbar::Result {
        let now = cx.observe("book", async { Shop::open(&self.book) }).await?;
        let (before, now, want) = (entries(&self.before), entries(&now), entries(want));
        let asked = |name: &str| before.get(name) != want.get(name);
        for (name, entry) in want.iter().filter(|(name, _)| asked(name)) {
            let is = now.get(name).unwrap_or(&Value::Null);
            let name = format!("{name} is as it should be");
            cx.expect(&name, is, Expectation::exact(entry.clone()));
        }
        let others = |book: &BTreeMap<String, Value>| {
            let kept = book.iter().filter(|(name, _)| !asked(name));
            Value::Object(
                kept.map(|(name, entry)| (name.clone(), entry.clone()))
                    .collect(),
            )
        };
        let untouched = Expectation::exact(others(&before)).guard();
        cx.expect("nothing else has changed", &others(&now), untouched);
        Ok(())
    }

    /// Asserts a refusal: the book is as it was, and the answer says that it can't be done.
    pub async fn refused(&self, cx: &mut Context, answer: &str) -> crossbar::Result {
        cx.check("it says that it can't be done", says_no(answer));
        self.became(cx, &self.before).await
    }

    /// Whether the agent asked the shop anything at all. A refusal whose reason only the book knows
    /// is a guess without it.
    pub fn was_asked(&self) -> bool {
        TOOLS.iter().any(|tool| self.orders.calls(tool.name) > 0)
    }
}

/// Orders and articles by their number.
fn entries(shop: &Shop) -> BTreeMap<String, Value> {
    let orders = shop
        .orders
        .iter()
        .map(|order| (order.id.clone(), json!(order)));
    let stock = shop
        .stock
        .iter()
        .map(|(sku, article)| (sku.clone(), json!(article)));
    orders.chain(stock).collect()
}

/// Whether an answer says that something is not done.
pub fn says_no(answer: &str) -> bool {
    const WORDS: [&str; 7] = [
        "can't",
        "cannot",
        "can not",
        "unable",
        "not able",
        "not possible",
        "no longer",
    ];
    let answer = answer.to_lowercase().replace('\u{2019}', "'");
    WORDS.iter().any(|word| answer.contains(word))
}

/// A step of a solution: looks at an order.
pub fn look<'s>(s: &'s mut Script, order: &Order) -> &'s mut Script {
    s.call("orders.get_order", json!({"order_id": order.id}))
}

/// A step: sends money back.
pub fn refund<'s>(
    s: &'s mut Script,
    order: &Order,
    amount_cents: u64,
    reason: &str,
) -> &'s mut Script {
    let args = json!({"order_id": order.id, "amount_cents": amount_cents, "reason": reason});
    s.call("orders.refund_order", args)
}

/// A step: cancels an order.
pub fn cancel<'s>(s: &'s mut Script, order: &Order) -> &'s mut Script {
    s.call("orders.cancel_order", json!({"order_id": order.id}))
}

/// A mistake: money, where the right answer is a refusal.
pub fn pay_instead(s: &mut Script, order: &Order) {
    look(s, order);
    refund(s, order, order.lines[0].price_cents, "goodwill")
        .say("I'm sorry for the trouble. I've sent you the money instead.");
}
