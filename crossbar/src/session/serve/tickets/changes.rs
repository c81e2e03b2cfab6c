//! What became of the tickets since the beginning: what a check asks when nothing else may have
//! changed.

use super::desk::{Desk, Ticket};
use serde_json::{Map, Value, json};

/// The changed tickets by id, each with the fields that differ and what they hold now. Replies are
/// counted; a ticket that is gone is `deleted`. `except` are ids that are left out.
pub(super) fn since_the_beginning(desk: &Desk, except: &[&str]) -> Value {
    let mut changes = Map::new();
    for before in &desk.beginning {
        if except.contains(&&*before.id) {
            continue;
        }
        let changed = match desk.ticket(&before.id) {
            Ok(now) => between(before, now),
            Err(_) => Map::from_iter([("deleted".to_owned(), Value::Bool(true))]),
        };
        if !changed.is_empty() {
            changes.insert(before.id.clone(), Value::Object(changed));
        }
    }
    json!({"changes": changes})
}

fn between(before: &Ticket, now: &Ticket) -> Map<String, Value> {
    let fields = |ticket: &Ticket| {
        [
            ("status", json!(ticket.status)),
            ("priority", json!(ticket.priority)),
            ("team", json!(ticket.team)),
            ("tags", json!(ticket.tags)),
            ("merged_into", json!(ticket.merged_into)),
            ("replies", json!(ticket.replies.len())),
        ]
    };
    let both = fields(before).into_iter().zip(fields(now));
    both.filter(|(before, now)| before != now)
        .map(|(_, (name, value))| (name.to_owned(), value))
        .collect()
}
