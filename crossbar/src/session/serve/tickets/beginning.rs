//! The tickets that a desk begins with: those that the task gives in the variable TICKETS, or six.
//!
//! A line is a ticket: `ID | CUSTOMER, PLAN | STATE | SUBJECT | MESSAGE`. The message may be left
//! out. STATE are words in any order: a status, a priority, a team and tags, as in
//! `open, high, billing, #money`; unsaid, a ticket is open, normal, with nobody and without a tag.

use super::desk::Ticket;

pub(super) const PRIORITIES: &[&str] = &["low", "normal", "high", "urgent"];
const STATUSES: &[&str] = &["open", "answered", "closed"];

/// The desk of a server that is given no tickets.
const OWN: &str = "\
T-1001 | Alder Bank, enterprise | open, high | Outage: nobody can log in
T-1002 | Birch Foods, team | open, normal | Invoice shows the wrong VAT number
T-1003 | Cedar Labs, free | open, low | How do I export my data?
T-1004 | Dogwood Inc, team | open, normal | Outage in the reports page since noon
T-1005 | Elm Travel, enterprise | open, normal | Charged twice this month
T-1006 | Fir Media, free | answered, low | Thanks, the crash is solved";

pub(super) fn own() -> Vec<Ticket> {
    read(OWN).unwrap_or_default()
}

/// The tickets of a table; the error names the line and the cure.
pub(super) fn read(table: &str) -> Result<Vec<Ticket>, String> {
    let mut tickets: Vec<Ticket> = Vec::new();
    for (at, line) in table.lines().enumerate() {
        if line.trim().is_empty() {
            continue;
        }
        let ticket = ticket(line).map_err(|why| told(at, &why))?;
        if tickets.iter().any(|one| one.id == ticket.id) {
            return Err(told(at, &format!("`{}` is there twice", ticket.id)));
        }
        tickets.push(ticket);
    }
    if tickets.is_empty() {
        return Err(told(0, "there is no ticket"));
    }
    Ok(tickets)
}

fn told(at: usize, why: &str) -> String {
    format!(
        "TICKETS, line {}: {why}\nhelp: a line is `ID | CUSTOMER, PLAN | STATE | SUBJECT | MESSAGE`",
        at + 1
    )
}

fn ticket(line: &str) -> Result<Ticket, String> {
    let columns: Vec<&str> = line.split('|').map(str::trim).collect();
    let (id, from, state, subject, message) = match columns[..] {
        [id, from, state, subject] => (id, from, state, subject, None),
        [id, from, state, subject, message] => (id, from, state, subject, Some(message.to_owned())),
        _ => return Err(format!("4 or 5 columns are wanted, not {}", columns.len())),
    };
    let (customer, plan) = from
        .rsplit_once(", ")
        .ok_or_else(|| format!("`{from}` names no plan"))?;
    if [id, customer, plan, subject].contains(&"") {
        return Err("a column is empty".to_owned());
    }
    let mut ticket = Ticket {
        id: id.to_owned(),
        subject: subject.to_owned(),
        customer: customer.to_owned(),
        plan: plan.to_owned(),
        status: "open".to_owned(),
        priority: "normal".to_owned(),
        team: None,
        tags: Vec::new(),
        message,
        replies: Vec::new(),
        merged_into: None,
    };
    for word in state.split(',').map(str::trim) {
        put(&mut ticket, word)?;
    }
    Ok(ticket)
}

fn put(ticket: &mut Ticket, word: &str) -> Result<(), String> {
    if STATUSES.contains(&word) {
        word.clone_into(&mut ticket.status);
    } else if PRIORITIES.contains(&word) {
        word.clone_into(&mut ticket.priority);
    } else if let Some(tag) = word.strip_prefix('#') {
        ticket.tags.push(tag.to_owned());
    } else if word.is_empty() {
        return Err("the state has an empty word".to_owned());
    } else if let Some(team) = &ticket.team {
        return Err(format!("`{team}` and `{word}` can't both be the team"));
    } else {
        ticket.team = Some(word.to_owned());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_says_who_wrote_what_and_where_it_stands() {
        let tickets =
            read("\nT-1 | Oak, Ash, team | answered, billing, #vat, low | Invoice | Wrong: 19%.\n")
                .unwrap();
        let [ticket] = &tickets[..] else {
            panic!("{tickets:?}")
        };
        assert_eq!((&*ticket.customer, &*ticket.plan), ("Oak, Ash", "team"));
        assert_eq!((&*ticket.status, &*ticket.priority), ("answered", "low"));
        assert_eq!(ticket.team.as_deref(), Some("billing"));
        assert_eq!(ticket.tags, ["vat"]);
        assert_eq!(ticket.message.as_deref(), Some("Wrong: 19%."));
        assert_eq!(own().len(), 6);
    }

    #[test]
    fn a_wrong_line_is_named_with_its_cure() {
        for (line, why) in [
            ("T-2 | Oak, team | open", "not 3"),
            ("T-2 | Oak | open | Hello", "names no plan"),
            (" | Oak, team | open | Hello", "a column is empty"),
            ("T-2 | Oak, team | open, | Hello", "an empty word"),
            ("T-2 | Oak, team | a, b | Hello", "`a` and `b`"),
            ("T-1 | Oak, team | open | Hello", "`T-1` is there twice"),
        ] {
            let told = read(&format!("T-1 | Ash, free | open | Hi\n{line}")).unwrap_err();
            let named = told.starts_with("TICKETS, line 2: ") && told.contains(why);
            assert!(named && told.contains("\nhelp: a line is `ID |"), "{told}");
        }
        assert!(read(" \n").unwrap_err().contains("there is no ticket"));
    }
}
