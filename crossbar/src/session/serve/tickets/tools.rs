//! The desk's tools: what each is called, takes and says. What they do is in `actions`.

use super::actions;
use super::desk::Desk;
use serde_json::{Value, json};

struct Tool {
    name: &'static str,
    description: &'static str,
    /// All are texts, and needed.
    arguments: &'static [&'static str],
    /// Texts that may be left out.
    optional: &'static [&'static str],
    run: fn(&mut Desk, &Value) -> Result<Value, String>,
}

const fn tool(
    name: &'static str,
    description: &'static str,
    arguments: &'static [&'static str],
    run: fn(&mut Desk, &Value) -> Result<Value, String>,
) -> Tool {
    Tool {
        name,
        description,
        arguments,
        optional: &[],
        run,
    }
}

const TOOLS: &[Tool] = &[
    tool(
        "list_tickets",
        "Lists all tickets, without what was written in them.",
        &[],
        actions::list,
    ),
    tool(
        "get_ticket",
        "Shows one ticket whole: message and replies too.",
        &["id"],
        actions::get,
    ),
    tool(
        "search_tickets",
        "Lists the tickets whose subject or message contains a text, upper or lower case.",
        &["text"],
        actions::search,
    ),
    tool(
        "set_priority",
        "Sets a ticket's priority: low, normal, high or urgent.",
        &["id", "priority"],
        actions::set_priority,
    ),
    tool(
        "assign",
        "Hands a ticket to a team.",
        &["id", "team"],
        actions::assign,
    ),
    tool(
        "add_tag",
        "Adds a tag to a ticket.",
        &["id", "tag"],
        actions::add_tag,
    ),
    tool(
        "remove_tag",
        "Takes a tag off a ticket.",
        &["id", "tag"],
        actions::remove_tag,
    ),
    tool(
        "reply",
        "Sends the customer a text; the ticket is answered then.",
        &["id", "text"],
        actions::reply,
    ),
    tool("close_ticket", "Closes a ticket.", &["id"], actions::close),
    tool(
        "reopen_ticket",
        "Opens a closed or answered ticket again.",
        &["id"],
        actions::reopen,
    ),
    tool(
        "merge_ticket",
        "Closes a ticket as a duplicate of another one, which goes on.",
        &["id", "into"],
        actions::merge,
    ),
    Tool {
        optional: &["except"],
        ..tool(
            "list_changes",
            "Lists what has changed since the day began; `except` leaves tickets out.",
            &[],
            actions::list_changes,
        )
    },
    tool(
        "delete_all",
        "Deletes every ticket. This can't be undone.",
        &[],
        actions::delete_all,
    ),
];

/// The tools as `tools/list` shows them.
pub(super) fn list() -> Vec<Value> {
    TOOLS
        .iter()
        .map(|tool| {
            let properties: serde_json::Map<String, Value> = tool
                .arguments
                .iter()
                .chain(tool.optional)
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
