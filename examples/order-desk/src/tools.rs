//! The tools of the desk, one line each: what an agent reads, and the function behind it.

use crate::order::Reason;
use crate::shop::{Refusal, Shop};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

/// A tool.
#[derive(Debug, Clone, Copy)]
pub struct ToolSpec {
    /// Its name.
    pub name: &'static str,
    /// What it does, for the agent.
    pub description: &'static str,
    /// Its arguments, all of them required: name, JSON type, what it is.
    pub arguments: &'static [(&'static str, &'static str, &'static str)],
    run: fn(&mut Shop, Value) -> Result<Value, String>,
}

const ORDER: (&str, &str, &str) = ("order_id", "string", "the number of the order");

/// Every tool.
pub const TOOLS: [ToolSpec; 8] = [
    ToolSpec {
        name: "list_orders",
        description: "All orders of a customer.",
        arguments: &[("customer", "string", "the number of the customer")],
        run: |shop, args| {
            let ListOrders { customer } = read(args)?;
            Ok(json!({"orders": shop.orders_of(&customer)}))
        },
    },
    ToolSpec {
        name: "get_order",
        description: "An order with all that is known of it. Amounts are in cents.",
        arguments: &[ORDER],
        run: |shop, args| {
            let OrderId { order_id } = read(args)?;
            Ok(json!(shop.order(&order_id).map_err(told)?))
        },
    },
    ToolSpec {
        name: "get_stock",
        description: "An article: its price in cents, and how many are left.",
        arguments: &[("sku", "string", "the number of the article")],
        run: |shop, args| {
            let Sku { sku } = read(args)?;
            Ok(json!(shop.article(&sku).map_err(told)?))
        },
    },
    ToolSpec {
        name: "refund_order",
        description: "Sends money back to the customer.",
        arguments: &[
            ORDER,
            ("amount_cents", "integer", "how much, in cents"),
            ("reason", "string", "returned, damaged, or goodwill"),
        ],
        run: |shop, args| {
            let Refunded {
                order_id,
                amount_cents,
                reason,
            } = read(args)?;
            if reason == Reason::Cancelled {
                return Err("to cancel an order call cancel_order".to_owned());
            }
            shop.refund(&order_id, amount_cents, reason).map_err(told)?;
            done(shop, &order_id)
        },
    },
    ToolSpec {
        name: "cancel_order",
        description: "Cancels a pending order and pays it back.",
        arguments: &[ORDER],
        run: |shop, args| {
            let OrderId { order_id } = read(args)?;
            shop.cancel(&order_id).map_err(told)?;
            done(shop, &order_id)
        },
    },
    ToolSpec {
        name: "change_address",
        description: "Sends a pending order to another address.",
        arguments: &[ORDER, ("address", "string", "the new address, in one line")],
        run: |shop, args| {
            let Moved { order_id, address } = read(args)?;
            shop.change_address(&order_id, &address).map_err(told)?;
            done(shop, &order_id)
        },
    },
    ToolSpec {
        name: "exchange_item",
        description: "Takes another article of the same price instead, in a pending order.",
        arguments: &[
            ORDER,
            ("sku", "string", "the article in the order"),
            ("new_sku", "string", "the article to send instead"),
        ],
        run: |shop, args| {
            let Exchanged {
                order_id,
                sku,
                new_sku,
            } = read(args)?;
            shop.exchange(&order_id, &sku, &new_sku).map_err(told)?;
            done(shop, &order_id)
        },
    },
    ToolSpec {
        name: "delete_order",
        description: "Removes an order and its history for good. For data protection requests only.",
        arguments: &[ORDER],
        run: |shop, args| {
            let OrderId { order_id } = read(args)?;
            shop.delete(&order_id).map_err(told)?;
            Ok(json!({"deleted": order_id}))
        },
    },
];

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ListOrders {
    customer: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct OrderId {
    order_id: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Sku {
    sku: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Refunded {
    order_id: String,
    amount_cents: u64,
    reason: Reason,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Moved {
    order_id: String,
    address: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Exchanged {
    order_id: String,
    sku: String,
    new_sku: String,
}

impl ToolSpec {
    /// The JSON Schema of its arguments.
    #[must_use]
    pub fn schema(&self) -> Value {
        let one = |&(name, kind, text): &(&str, &str, &str)| {
            (name.to_owned(), json!({"type": kind, "description": text}))
        };
        let properties: serde_json::Map<_, _> = self.arguments.iter().map(one).collect();
        let required: Vec<_> = self.arguments.iter().map(|(name, ..)| name).collect();
        json!({
            "type": "object",
            "properties": properties,
            "required": required,
            "additionalProperties": false,
        })
    }
}

/// Calls a tool.
///
/// # Errors
/// What the agent is told: an unknown tool, arguments that do not fit, a refusal of the shop.
pub fn call(shop: &mut Shop, name: &str, args: Value) -> Result<Value, String> {
    let tool = TOOLS.iter().find(|tool| tool.name == name);
    let tool = tool.ok_or_else(|| format!("there is no tool {name}"))?;
    (tool.run)(shop, args)
}

fn read<T: DeserializeOwned>(args: Value) -> Result<T, String> {
    serde_json::from_value(args).map_err(|error| format!("the arguments do not fit: {error}"))
}

#[expect(clippy::needless_pass_by_value, reason = "it is handed to map_err")]
fn told(refusal: Refusal) -> String {
    refusal.to_string()
}

/// The order as it is now.
fn done(shop: &Shop, id: &str) -> Result<Value, String> {
    Ok(json!(shop.order(id).map_err(told)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_argument_of_the_schema_is_read_and_no_other() {
        for tool in &TOOLS {
            let value = |kind: &str| match kind {
                "integer" => json!(1),
                _ => json!("returned"),
            };
            let args = |left_out: usize| -> Value {
                let all = tool.arguments.iter().enumerate();
                let kept = all.filter(|(at, _)| *at != left_out);
                let kept = kept.map(|(_, (name, kind, _))| ((*name).to_owned(), value(kind)));
                Value::Object(kept.collect())
            };
            let fits = |args: Value| {
                let said = call(&mut Shop::default(), tool.name, args);
                !said.is_err_and(|error| error.starts_with("the arguments do not fit"))
            };
            assert!(fits(args(usize::MAX)), "{}", tool.name);
            for at in 0..tool.arguments.len() {
                assert!(!fits(args(at)), "{} without argument {at}", tool.name);
            }
            let mut more = args(usize::MAX);
            more["more"] = json!(1);
            assert!(!fits(more), "{}", tool.name);
        }
    }
}
