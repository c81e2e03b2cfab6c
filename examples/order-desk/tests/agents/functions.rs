//! The same tools as plain functions, without a server: the shop lives in the test itself.

use crate::desk::says_no;
use crate::shoppers::{Story, dana};
use crossbar::{Context, Script, Tool, Value, blocking, exact, json};
use order_desk::{Shop, TOOLS, call};
use std::cell::RefCell;
use std::rc::Rc;
use std::sync::{Arc, Mutex, PoisonError};

/// Every tool of the desk, over whatever runs `act` on a shop.
fn tools(act: impl Fn(&str, Value) -> Result<Value, String> + Clone + 'static) -> Vec<Tool> {
    let tool = |spec: &order_desk::ToolSpec| {
        let (name, act) = (spec.name, act.clone());
        Tool::new(name, spec.description, spec.schema(), move |args| {
            act(name, args)
        })
    };
    TOOLS.iter().map(tool).collect()
}

/// How many are left is a question: the answer has the number, and nothing changes.
#[crossbar::task(family = "stock-asked", forbid = ["orders.delete_order"], max_tool_calls = 12)]
async fn stock_asked(cx: &mut Context) -> crossbar::Result {
    let dana = dana();
    let shop = Rc::new(RefCell::new(dana.book()));
    let own = Rc::clone(&shop);
    let orders = cx.tools(
        "orders",
        tools(move |name, args| call(&mut own.borrow_mut(), name, args)),
    )?;
    let answer = cx
        .agent(&dana.writes("How many of clock-green are there?"))
        .await?;
    cx.check("it asked the shop", orders.calls("get_stock") > 0);
    cx.check(
        "it says how many",
        answer.contains('9') || answer.contains("nine"),
    );
    let now = cx
        .observe("shop", async { Ok::<_, String>(shop.borrow().clone()) })
        .await?;
    cx.expect(
        "nothing has changed",
        &json!(now),
        exact!(dana.book()).guard(),
    );
    Ok(())
}

#[crossbar::solution(stock_asked)]
fn nine_are_left(s: &mut Script) {
    s.call("orders.get_stock", json!({"sku": "clock-green"}))
        .say("9 are left.");
}

#[crossbar::broken(stock_asked)]
fn guesses(s: &mut Script) {
    s.say("There are 9, I think.");
}

/// A function that is not async; what it shares with its tools crosses threads.
#[crossbar::task(family = "exchanged-dearer", forbid = ["orders.delete_order"], max_tool_calls = 12)]
fn exchanged_for_a_dearer_one(cx: &mut blocking::Context) -> crossbar::Result {
    let dana = dana();
    let order = dana.order(Story::Pending);
    let shop = Arc::new(Mutex::new(dana.book()));
    let own = Arc::clone(&shop);
    let orders = cx.tools("orders", move || {
        tools(move |name, args| {
            call(
                &mut own.lock().unwrap_or_else(PoisonError::into_inner),
                name,
                args,
            )
        })
    })?;
    let request = format!(
        "In {}, take the green mirror instead. It's the same price.",
        order.id
    );
    let answer = cx.agent(&dana.writes(&request))?;
    let asked = orders.calls("get_stock") + orders.calls("exchange_item");
    cx.check("it asked the shop for the price", asked > 0);
    cx.check("it says that it can't be done", says_no(&answer));
    let now = cx.observe("shop", || {
        let shop: &Shop = &shop.lock().unwrap_or_else(PoisonError::into_inner);
        Ok::<_, String>(shop.clone())
    })?;
    cx.expect(
        "nothing has changed",
        &json!(now),
        exact!(dana.book()).guard(),
    );
    Ok(())
}

#[crossbar::solution(exchanged_for_a_dearer_one)]
fn it_is_dearer(s: &mut Script) {
    s.call("orders.get_stock", json!({"sku": "mirror-green"}))
        .say("The mirror is dearer than the blanket, so I can't exchange it.");
}

#[crossbar::broken(exchanged_for_a_dearer_one)]
fn takes_green_anyway(s: &mut Script) {
    let order = dana().order(Story::Pending);
    let sku = &order.lines[0].sku;
    let args = json!({"order_id": order.id, "sku": sku, "new_sku": sku.replace("blue", "green")});
    s.call("orders.exchange_item", args)
        .say("A mirror can't be had; I took the green one.");
}
