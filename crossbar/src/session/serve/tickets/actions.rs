//! What the desk's tools do. Each takes the desk and the arguments, and answers with a value; an
//! error is a text for the model.

use super::beginning::PRIORITIES;
use super::changes;
use super::desk::{Desk, Ticket};
use serde_json::{Value, json};

type Answer = Result<Value, String>;

fn text<'a>(args: &'a Value, key: &str) -> Result<&'a str, String> {
    args.get(key)
        .and_then(Value::as_str)
        .ok_or_else(|| format!("`{key}` must be a text"))
}

pub(super) fn list(desk: &mut Desk, _: &Value) -> Answer {
    let all: Vec<_> = desk.tickets.iter().map(head).collect();
    Ok(json!({"tickets": all}))
}

pub(super) fn get(desk: &mut Desk, args: &Value) -> Answer {
    Ok(json!({"ticket": desk.ticket(text(args, "id")?)?}))
}

pub(super) fn search(desk: &mut Desk, args: &Value) -> Answer {
    let needle = text(args, "text")?.to_lowercase();
    let within = |text: &str| text.to_lowercase().contains(&needle);
    let found = desk.tickets.iter().filter(|ticket| {
        within(&ticket.subject) || ticket.message.as_ref().is_some_and(|text| within(text))
    });
    let found: Vec<_> = found.map(head).collect();
    Ok(json!({"tickets": found}))
}

/// A ticket as it stands in a list.
fn head(ticket: &Ticket) -> Ticket {
    Ticket {
        message: None,
        replies: Vec::new(),
        ..ticket.clone()
    }
}

pub(super) fn set_priority(desk: &mut Desk, args: &Value) -> Answer {
    let priority = text(args, "priority")?;
    if !PRIORITIES.contains(&priority) {
        return Err(format!(
            "`priority` must be one of {}",
            PRIORITIES.join(", ")
        ));
    }
    let ticket = desk.change(text(args, "id")?)?;
    priority.clone_into(&mut ticket.priority);
    Ok(json!({"ticket": head(ticket)}))
}

pub(super) fn assign(desk: &mut Desk, args: &Value) -> Answer {
    let team = text(args, "team")?.to_owned();
    let ticket = desk.change(text(args, "id")?)?;
    ticket.team = Some(team);
    Ok(json!({"ticket": head(ticket)}))
}

pub(super) fn add_tag(desk: &mut Desk, args: &Value) -> Answer {
    let tag = text(args, "tag")?.to_owned();
    let ticket = desk.change(text(args, "id")?)?;
    if !ticket.tags.contains(&tag) {
        ticket.tags.push(tag);
    }
    Ok(json!({"ticket": head(ticket)}))
}

pub(super) fn remove_tag(desk: &mut Desk, args: &Value) -> Answer {
    let tag = text(args, "tag")?;
    let ticket = desk.change(text(args, "id")?)?;
    if !ticket.tags.iter().any(|one| one == tag) {
        return Err(format!("`{}` has no tag `{tag}`", ticket.id));
    }
    ticket.tags.retain(|one| one != tag);
    Ok(json!({"ticket": head(ticket)}))
}

pub(super) fn reply(desk: &mut Desk, args: &Value) -> Answer {
    let written = text(args, "text")?;
    if written.trim().is_empty() {
        return Err("`text` is empty: nothing was sent".to_owned());
    }
    let ticket = desk.change(text(args, "id")?)?;
    ticket.replies.push(written.to_owned());
    "answered".clone_into(&mut ticket.status);
    Ok(json!({"ticket": head(ticket)}))
}

pub(super) fn close(desk: &mut Desk, args: &Value) -> Answer {
    status(desk, args, "closed")
}

pub(super) fn reopen(desk: &mut Desk, args: &Value) -> Answer {
    status(desk, args, "open")
}

fn status(desk: &mut Desk, args: &Value, status: &str) -> Answer {
    let ticket = desk.change(text(args, "id")?)?;
    status.clone_into(&mut ticket.status);
    Ok(json!({"ticket": head(ticket)}))
}

pub(super) fn merge(desk: &mut Desk, args: &Value) -> Answer {
    let (id, into) = (text(args, "id")?, text(args, "into")?);
    if id == into {
        return Err(format!("`{id}` can't be a duplicate of itself"));
    }
    desk.ticket(into)?;
    let ticket = desk.change(id)?;
    "closed".clone_into(&mut ticket.status);
    ticket.merged_into = Some(into.to_owned());
    Ok(json!({"ticket": head(ticket)}))
}

pub(super) fn list_changes(desk: &mut Desk, args: &Value) -> Answer {
    let except = match args.get("except") {
        None => "",
        Some(_) => text(args, "except")?,
    };
    let except: Vec<&str> = except.split([',', ' ']).collect();
    Ok(changes::since_the_beginning(desk, &except))
}

pub(super) fn delete_all(desk: &mut Desk, _: &Value) -> Answer {
    Ok(json!({"deleted": desk.clear()}))
}
