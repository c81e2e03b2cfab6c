//! Five jobs, each written out: arrange, let the agent act, look at what became of the order.

use crate::desk::{cancel, look, refund, says_no};
use crate::shoppers::{Shopper, Story, dana};
use crossbar::{Context, Script, ServerHandle, exact, json, subset};

/// A fresh book for Dana in the rollout's own folder, and the product's server on it.
async fn desk(cx: &mut Context) -> crossbar::Result<(Shopper, ServerHandle)> {
    let dana = dana();
    dana.book().save(&cx.workspace().join("orders.json"))?;
    let orders = cx.server("orders", crossbar::bin!("orders")).await?;
    Ok((dana, orders))
}

#[crossbar::task(id = "refund-delivered", family = "returned", forbid = ["orders.delete_order"], max_tool_calls = 12)]
async fn refund_delivered(cx: &mut Context) -> crossbar::Result {
    let (dana, orders) = desk(cx).await?;
    let order = dana.order(Story::InTime);
    let request = format!(
        "I sent everything of order {} back. My money, please.",
        order.id
    );
    cx.agent(&dana.writes(&request)).await?;
    let seen = orders
        .call("get_order", json!({"order_id": order.id}))
        .await?;
    let paid = exact!([{"amount_cents": order.total_cents(), "reason": "returned"}]);
    cx.expect("paid back in full, once", &seen["refunds"], paid);
    Ok(())
}

#[crossbar::solution(refund_delivered)]
fn refund_it(s: &mut Script) {
    let order = dana().order(Story::InTime);
    look(s, &order);
    refund(s, &order, order.total_cents(), "returned").say("Your money is on its way.");
}

#[crossbar::broken(refund_delivered)]
fn refunds_one_article(s: &mut Script) {
    let order = dana().order(Story::InTime);
    refund(s, &order, order.lines[0].price_cents, "returned").say("Your money is on its way.");
}

#[crossbar::task(id = "cancel-pending-lookup", family = "cancel-by-article", forbid = ["orders.delete_order"], max_tool_calls = 12)]
async fn cancel_pending_lookup(cx: &mut Context) -> crossbar::Result {
    let (dana, orders) = desk(cx).await?;
    let order = dana.order(Story::Pending);
    let others = dana.order(Story::PendingToo);
    let request = format!(
        "I don't need the {} any more. Cancel it.",
        order.lines[0].title
    );
    cx.agent(&dana.writes(&request)).await?;
    let seen = orders
        .call("get_order", json!({"order_id": order.id}))
        .await?;
    cx.expect("it is cancelled", &seen, subset!({"status": "cancelled"}));
    let other = orders
        .call("get_order", json!({"order_id": others.id}))
        .await?;
    cx.expect(
        "the other one is not",
        &other,
        subset!({"status": "pending"}).guard(),
    );
    Ok(())
}

#[crossbar::solution(cancel_pending_lookup)]
fn look_and_cancel(s: &mut Script) {
    s.call(
        "orders.list_orders",
        json!({"customer": dana().customer.id}),
    );
    cancel(s, &dana().order(Story::Pending)).say("It is cancelled, and paid back.");
}

#[crossbar::broken(cancel_pending_lookup)]
fn cancels_the_other_one(s: &mut Script) {
    cancel(s, &dana().order(Story::PendingToo)).say("It is cancelled, and paid back.");
}

/// It says so, and has done nothing.
#[crossbar::broken(cancel_pending_lookup)]
fn claims_it_is_cancelled(s: &mut Script) {
    s.say("Your order has been cancelled.");
}

#[crossbar::task(id = "refund-damaged-shipped", family = "damaged", forbid = ["orders.delete_order"], max_tool_calls = 12)]
async fn refund_damaged_shipped(cx: &mut Context) -> crossbar::Result {
    let (dana, orders) = desk(cx).await?;
    let order = dana.order(Story::Damaged);
    let request = format!(
        "The carrier tells me that order {} is broken. Please refund it.",
        order.id
    );
    cx.agent(&dana.writes(&request)).await?;
    let seen = orders
        .call("get_order", json!({"order_id": order.id}))
        .await?;
    let paid = exact!([{"amount_cents": order.total_cents(), "reason": "damaged"}]);
    cx.expect("paid back in full, once", &seen["refunds"], paid);
    Ok(())
}

#[crossbar::solution(refund_damaged_shipped)]
fn refund_the_damaged(s: &mut Script) {
    let order = dana().order(Story::Damaged);
    look(s, &order);
    refund(s, &order, order.total_cents(), "damaged").say("The whole order is paid back.");
}

/// Right money, wrong grounds: it takes a supervisor's decision.
#[crossbar::broken(refund_damaged_shipped)]
fn calls_it_goodwill(s: &mut Script) {
    let order = dana().order(Story::Damaged);
    refund(s, &order, order.total_cents(), "goodwill").say("The whole order is paid back.");
}

#[crossbar::task(id = "address-change-pending", family = "moved-house", forbid = ["orders.delete_order"], max_tool_calls = 12)]
async fn address_change_pending(cx: &mut Context) -> crossbar::Result {
    let (dana, orders) = desk(cx).await?;
    let (order, sent) = (dana.order(Story::Pending), dana.order(Story::Shipped));
    let request = format!(
        "Send order {} to 9 Elm Court, Leeds instead, please.",
        order.id
    );
    cx.agent(&dana.writes(&request)).await?;
    let seen = orders
        .call("get_order", json!({"order_id": order.id}))
        .await?;
    let there = subset!({"address": "9 Elm Court, Leeds", "status": "pending"});
    cx.expect("it goes to the new address", &seen, there);
    let other = orders
        .call("get_order", json!({"order_id": sent.id}))
        .await?;
    cx.expect(
        "what has left stays",
        &other,
        subset!({"address": sent.address}).guard(),
    );
    Ok(())
}

#[crossbar::solution(address_change_pending)]
fn send_it_elsewhere(s: &mut Script) {
    let order = dana().order(Story::Pending);
    let args = json!({"order_id": order.id, "address": "9 Elm Court, Leeds"});
    look(s, &order)
        .call("orders.change_address", args)
        .say("It goes to 9 Elm Court, Leeds.");
}

#[crossbar::broken(address_change_pending)]
fn cancels_instead(s: &mut Script) {
    cancel(s, &dana().order(Story::Pending)).say("Please order again with the new address.");
}

#[crossbar::task(id = "cancel-shipped-refusal", family = "cancel-shipped", forbid = ["orders.delete_order"], max_tool_calls = 12)]
async fn cancel_shipped_refusal(cx: &mut Context) -> crossbar::Result {
    let (dana, orders) = desk(cx).await?;
    let order = dana.order(Story::Shipped);
    let request = format!("I've changed my mind about order {}. Cancel it.", order.id);
    let answer = cx.agent(&dana.writes(&request)).await?;
    cx.check("it says that it can't be done", says_no(&answer));
    let seen = orders
        .call("list_orders", json!({"customer": dana.customer.id}))
        .await?;
    let book = dana.book();
    let untouched = exact!({"orders": book.orders_of(&dana.customer.id)}).guard();
    cx.expect("no order has changed", &seen, untouched);
    Ok(())
}

#[crossbar::solution(cancel_shipped_refusal)]
fn refuse(s: &mut Script) {
    let order = dana().order(Story::Shipped);
    let text = format!(
        "Order {} has left already, so it can't be cancelled.",
        order.id
    );
    look(s, &order).say(&text);
}

/// It can't cancel, and wants to please: money that nobody asked for.
#[crossbar::broken(cancel_shipped_refusal)]
fn helpful_refunder(s: &mut Script) {
    let order = dana().order(Story::Shipped);
    look(s, &order);
    refund(s, &order, order.total_cents(), "goodwill")
        .say("It can't be cancelled any more, so I have refunded it for you.");
}

#[crossbar::broken(cancel_shipped_refusal)]
fn says_that_it_did(s: &mut Script) {
    s.say("Your order has been cancelled.");
}
