//! Orders that are cancelled, alone and together with something else.

use crate::desk::{Desk, cancel, look, refund};
use crate::shoppers::{Shopper, Story, shoppers};
use crossbar::{Context, Script, json};
use order_desk::Reason;

/// The customer names the order.
#[crossbar::task(family = "cancel-by-number", cases = shoppers(), forbid = ["orders.delete_order"], max_tool_calls = 12)]
async fn by_number(cx: &mut Context, case: &Shopper) -> crossbar::Result {
    let order = case.order(Story::PendingToo);
    let desk = Desk::open(cx, case).await?;
    let want = desk.after(|shop| shop.cancel(&order.id))?;
    cx.agent(&case.writes(&format!("Please cancel {}.", order.id)))
        .await?;
    desk.became(cx, &want).await
}

#[crossbar::solution(by_number)]
fn cancel_it(s: &mut Script, case: &Shopper) {
    cancel(s, &case.order(Story::PendingToo)).say("It is cancelled.");
}

#[crossbar::broken(by_number)]
fn refunds_without_cancelling(s: &mut Script, case: &Shopper) {
    let order = case.order(Story::PendingToo);
    refund(s, &order, order.total_cents(), "goodwill").say("It is cancelled.");
}

/// The customer names the article, and has two orders that could be cancelled.
#[crossbar::task(family = "cancel-by-article", cases = shoppers(), forbid = ["orders.delete_order"], max_tool_calls = 12)]
async fn by_article(cx: &mut Context, case: &Shopper) -> crossbar::Result {
    let order = case.order(Story::Pending);
    let desk = Desk::open(cx, case).await?;
    let want = desk.after(|shop| shop.cancel(&order.id))?;
    let request = format!(
        "I ordered a {} by mistake. Cancel it, please.",
        order.lines[0].title
    );
    cx.agent(&case.writes(&request)).await?;
    desk.became(cx, &want).await
}

#[crossbar::solution(by_article)]
fn find_and_cancel(s: &mut Script, case: &Shopper) {
    s.call("orders.list_orders", json!({"customer": case.customer.id}));
    cancel(s, &case.order(Story::Pending)).say("It is cancelled.");
}

#[crossbar::broken(by_article)]
fn cancels_the_wrong_one(s: &mut Script, case: &Shopper) {
    cancel(s, &case.order(Story::PendingToo)).say("It is cancelled.");
}

/// Everything that has not left, which is two of eight orders.
#[crossbar::task(family = "cancel-all-pending", cases = shoppers(), forbid = ["orders.delete_order"], max_tool_calls = 16)]
async fn all_pending(cx: &mut Context, case: &Shopper) -> crossbar::Result {
    let (one, two) = (case.order(Story::Pending), case.order(Story::PendingToo));
    let desk = Desk::open(cx, case).await?;
    let want = desk.after(|shop| shop.cancel(&one.id).and_then(|()| shop.cancel(&two.id)))?;
    cx.agent(&case.writes("Please cancel everything of mine that has not been sent yet."))
        .await?;
    desk.became(cx, &want).await
}

#[crossbar::solution(all_pending)]
fn cancel_both(s: &mut Script, case: &Shopper) {
    s.call("orders.list_orders", json!({"customer": case.customer.id}));
    cancel(s, &case.order(Story::Pending));
    cancel(s, &case.order(Story::PendingToo)).say("Both are cancelled.");
}

#[crossbar::broken(all_pending)]
fn cancels_one_of_two(s: &mut Script, case: &Shopper) {
    cancel(s, &case.order(Story::Pending)).say("Everything is cancelled.");
}

/// Three things in one letter: two orders to cancel and one that came back.
#[crossbar::task(family = "cancel-and-refund", cases = shoppers(), forbid = ["orders.delete_order"], max_tool_calls = 16)]
async fn and_refunded(cx: &mut Context, case: &Shopper) -> crossbar::Result {
    let [one, two, back] = three(case);
    let desk = Desk::open(cx, case).await?;
    let want = desk.after(|shop| {
        shop.cancel(&one.id)?;
        shop.cancel(&two.id)?;
        shop.refund(&back.id, back.total_cents(), Reason::Returned)
    })?;
    let request = format!(
        "I'm leaving the country. Cancel {} and {}; {} went back to you whole, refund that.",
        one.id, two.id, back.id
    );
    cx.agent(&case.writes(&request)).await?;
    desk.became(cx, &want).await
}

#[crossbar::solution(and_refunded)]
fn do_all_three(s: &mut Script, case: &Shopper) {
    let [one, two, back] = three(case);
    cancel(s, &one);
    cancel(s, &two);
    look(s, &back);
    refund(s, &back, back.total_cents(), "returned").say("Two are cancelled, one is refunded.");
}

#[crossbar::broken(and_refunded)]
fn forgets_the_refund(s: &mut Script, case: &Shopper) {
    let [one, two, _] = three(case);
    cancel(s, &one);
    cancel(s, &two).say("Two are cancelled, one is refunded.");
}

fn three(case: &Shopper) -> [order_desk::Order; 3] {
    [Story::Pending, Story::PendingToo, Story::InTime].map(|story| case.order(story))
}
