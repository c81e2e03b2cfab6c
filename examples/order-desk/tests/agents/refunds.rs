//! Money that goes back.

use crate::desk::{Desk, look, pay_instead, refund};
use crate::shoppers::{Shopper, Story, shoppers};
use crossbar::{Context, Script};
use order_desk::Reason;

/// Everything of an order came back in time.
#[crossbar::task(family = "returned", cases = shoppers(), forbid = ["orders.delete_order"], max_tool_calls = 12)]
async fn returned(cx: &mut Context, case: &Shopper) -> crossbar::Result {
    let order = case.order(Story::InTime);
    let desk = Desk::open(cx, case).await?;
    let want = desk.after(|shop| shop.refund(&order.id, order.total_cents(), Reason::Returned))?;
    let request = format!(
        "You have order {} back since Monday. Please refund it.",
        order.id
    );
    cx.agent(&case.writes(&request)).await?;
    desk.became(cx, &want).await
}

#[crossbar::solution(returned)]
fn refund_all(s: &mut Script, case: &Shopper) {
    let order = case.order(Story::InTime);
    look(s, &order);
    refund(s, &order, order.total_cents(), "returned").say("It is refunded.");
}

#[crossbar::broken(returned)]
fn refunds_the_first_article(s: &mut Script, case: &Shopper) {
    let order = case.order(Story::InTime);
    refund(s, &order, order.lines[0].price_cents, "returned").say("It is refunded.");
}

/// One of two articles came back: not the first, so the amount has to be read.
#[crossbar::task(family = "returned-one-of-two", cases = shoppers(), forbid = ["orders.delete_order"], max_tool_calls = 12)]
async fn returned_one_of_two(cx: &mut Context, case: &Shopper) -> crossbar::Result {
    let order = case.order(Story::InTime);
    let (kept, back) = (&order.lines[0], &order.lines[1]);
    let desk = Desk::open(cx, case).await?;
    let want = desk.after(|shop| shop.refund(&order.id, back.price_cents, Reason::Returned))?;
    let request = format!(
        "From order {} I keep the {} and have sent back the {}. Please refund what came back.",
        order.id, kept.title, back.title
    );
    cx.agent(&case.writes(&request)).await?;
    desk.became(cx, &want).await
}

#[crossbar::solution(returned_one_of_two)]
fn refund_one(s: &mut Script, case: &Shopper) {
    let order = case.order(Story::InTime);
    look(s, &order);
    refund(s, &order, order.lines[1].price_cents, "returned").say("That article is refunded.");
}

#[crossbar::broken(returned_one_of_two)]
fn refunds_both(s: &mut Script, case: &Shopper) {
    let order = case.order(Story::InTime);
    refund(s, &order, order.total_cents(), "returned").say("It is refunded.");
}

/// Broken on its way: the whole order, though it has not arrived.
#[crossbar::task(family = "damaged", cases = shoppers(), forbid = ["orders.delete_order"], max_tool_calls = 12)]
async fn damaged(cx: &mut Context, case: &Shopper) -> crossbar::Result {
    let order = case.order(Story::Damaged);
    let desk = Desk::open(cx, case).await?;
    let want = desk.after(|shop| shop.refund(&order.id, order.total_cents(), Reason::Damaged))?;
    let title = &order.lines[0].title;
    let request = format!("The carrier says that my {title} is broken. I want my money back.");
    cx.agent(&case.writes(&request)).await?;
    desk.became(cx, &want).await
}

#[crossbar::solution(damaged)]
fn refund_damaged(s: &mut Script, case: &Shopper) {
    let order = case.order(Story::Damaged);
    look(s, &order);
    refund(s, &order, order.total_cents(), "damaged").say("It is refunded in full.");
}

#[crossbar::broken(damaged)]
fn out_of_goodwill(s: &mut Script, case: &Shopper) {
    pay_instead(s, &case.order(Story::Damaged));
}
