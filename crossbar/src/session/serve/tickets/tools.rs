//! The desk's tools: what each takes, and what it does.

use super::desk::Desk;
use serde_json::{Value, json};

const PRIORITIES: &[&str] = &["low", "normal", "high", "urgent"];

struct Tool {
    name: &'static str,
    description: &'static str,
    arguments: &'static [&'static str],
    run: fn(&mut Desk, &Value) -> Result<Value, String>,
}

const TOOLS: &[Tool] = &[
    Tool {
        name: "list_tickets",
        description: "Lists all tickets.",
        arguments: &[],
        run: |desk, _| Ok(json!({"tickets": desk.tickets})),
    },
    Tool {
        name: "get_ticket",
        description: "Shows one ticket.",
        arguments: &["id"],
        run: |desk, args| Ok(json!({"ticket": desk.ticket(text(args, "id")?)?})),
    },
    Tool {
        name: "search_tickets",
        description: "Lists the tickets whose subject contains a text, upper or lower case.",
        arguments: &["text"],
        run: search,
    },
    Tool {
        name: "set_priority",
        description: "Sets a ticket's priority: low, normal, high or urgent.",
        arguments: &["id", "priority"],
        run: set_priority,
    },
    Tool {
        name: "assign",
        description: "Hands a ticket to a team.",
        arguments: &["id", "team"],
        run: |desk, args| {
            let team = text(args, "team")?.to_owned();
            let ticket = desk.ticket(text(args, "id")?)?;
            ticket.team = Some(team);
            Ok(json!({"ticket": ticket}))
        },
    },
    Tool {
        name: "add_tag",
        description: "Adds a tag to a ticket.",
        arguments: &["id", "tag"],
        run: add_tag,
    },
    Tool {
        name: "close_ticket",
        description: "Closes a ticket.",
        arguments: &["id"],
        run: |desk, args| {
            let ticket = desk.ticket(text(args, "id")?)?;
            "closed".clone_into(&mut ticket.status);
            Ok(json!({"ticket": ticket}))
        },
    },
    Tool {
        name: "delete_all",
        description: "Deletes every ticket. This can't be undone.",
        arguments: &[],
        run: |desk, _| {
            let deleted = desk.tickets.len();
            desk.tickets.clear();
            Ok(json!({"deleted": deleted}))
        },
    },
];

/// The tools as `tools/list` shows them.
pub(super) fn list() -> Vec<Value> {
    TOOLS
        .iter()
        .map(|tool| {
            let properties: serde_json::Map<String, Value> = tool
                .arguments
                .iter()
                .map(|name| ((*name).to_owned(), json!({"type": "string"})))
                .collect();
            json!({
                "name": tool.name,
                "description": tool.description,
                "inputSchema": {
                    "type": "object",
                    "properties": properties,
                    "required": tool.arguments,
                },
            })
        })
        .collect()
}

/// Runs a tool; the error is for the model to read.
pub(super) fn call(desk: &mut Desk, name: &str, args: &Value) -> Result<Value, String> {
    let tool = TOOLS.iter().find(|tool| tool.name == name);
    tool.map_or_else(
        || Err(format!("no tool `{name}`")),
        |tool| (tool.run)(desk, args),
    )
}

fn text<'a>(args: &'a Value, key: &str) -> Result<&'a str, String> {
    args.get(key)
        .and_then(Value::as_str)
        .ok_or_else(|| format!("`{key}` must be a text"))
}

fn search(desk: &mut Desk, args: &Value) -> Result<Value, String> {
    let needle = text(args, "text")?.to_lowercase();
    let found: Vec<_> = desk
        .tickets
        .iter()
        .filter(|ticket| ticket.subject.to_lowercase().contains(&needle))
        .collect();
    Ok(json!({"tickets": found}))
}

fn set_priority(desk: &mut Desk, args: &Value) -> Result<Value, String> {
    let priority = text(args, "priority")?;
    if !PRIORITIES.contains(&priority) {
        return Err(format!(
            "`priority` must be one of {}",
            PRIORITIES.join(", ")
        ));
    }
    let ticket = desk.ticket(text(args, "id")?)?;
    priority.clone_into(&mut ticket.priority);
    Ok(json!({"ticket": ticket}))
}

fn add_tag(desk: &mut Desk, args: &Value) -> Result<Value, String> {
    let tag = text(args, "tag")?.to_owned();
    let ticket = desk.ticket(text(args, "id")?)?;
    if !ticket.tags.contains(&tag) {
        ticket.tags.push(tag);
    }
    Ok(json!({"ticket": ticket}))
}
