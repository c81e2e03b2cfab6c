//! Orders that are changed before they leave.

use crate::desk::Desk;
use crate::shoppers::{Shopper, Story, shoppers};
use crossbar::{Context, Script, json};

const NEW_ADDRESS: &str = "22 Harbour Road, Cork";

/// Both pending orders go elsewhere, and those that have left do not.
#[crossbar::task(family = "moved-house", cases = shoppers(), forbid = ["orders.delete_order"], max_tool_calls = 16)]
async fn moved_house(cx: &mut Context, case: &Shopper) -> crossbar::Result {
    let (one, two) = (case.order(Story::Pending), case.order(Story::PendingToo));
    let desk = Desk::open(cx, case).await?;
    let want = desk.after(|shop| {
        shop.change_address(&one.id, NEW_ADDRESS)?;
        shop.change_address(&two.id, NEW_ADDRESS)
    })?;
    let request = format!("I'm moving. Whatever is not on its way yet goes to {NEW_ADDRESS}.");
    cx.agent(&case.writes(&request)).await?;
    desk.became(cx, &want).await
}

#[crossbar::solution(moved_house)]
fn send_both_there(s: &mut Script, case: &Shopper) {
    s.call("orders.list_orders", json!({"customer": case.customer.id}));
    for story in [Story::Pending, Story::PendingToo] {
        let args = json!({"order_id": case.order(story).id, "address": NEW_ADDRESS});
        s.call("orders.change_address", args);
    }
    s.say("Both go to the new address.");
}

#[crossbar::broken(moved_house)]
fn sends_one_there(s: &mut Script, case: &Shopper) {
    let args = json!({"order_id": case.order(Story::Pending).id, "address": NEW_ADDRESS});
    s.call("orders.change_address", args)
        .say("Both go to the new address.");
}

/// Another colour, which is there.
#[crossbar::task(family = "exchanged", cases = shoppers(), forbid = ["orders.delete_order"], max_tool_calls = 12)]
async fn exchanged(cx: &mut Context, case: &Shopper) -> crossbar::Result {
    let order = case.order(Story::PendingToo);
    let (blue, green) = (&order.lines[0].sku, in_green(&order.lines[0].sku));
    let desk = Desk::open(cx, case).await?;
    let want = desk.after(|shop| shop.exchange(&order.id, blue, &green))?;
    let request = format!("In {}, could I have {green} instead of {blue}?", order.id);
    cx.agent(&case.writes(&request)).await?;
    desk.became(cx, &want).await
}

#[crossbar::solution(exchanged)]
fn take_green(s: &mut Script, case: &Shopper) {
    let order = case.order(Story::PendingToo);
    let (blue, green) = (&order.lines[0].sku, in_green(&order.lines[0].sku));
    s.call("orders.get_stock", json!({"sku": green}))
        .call(
            "orders.exchange_item",
            json!({"order_id": order.id, "sku": blue, "new_sku": green}),
        )
        .say("You get it in green.");
}

#[crossbar::broken(exchanged)]
fn cancels_to_order_again(s: &mut Script, case: &Shopper) {
    let order = case.order(Story::PendingToo);
    s.call("orders.cancel_order", json!({"order_id": order.id}))
        .say("I've cancelled it, so that you can order the green one.");
}

fn in_green(sku: &str) -> String {
    sku.replace("blue", "green")
}
