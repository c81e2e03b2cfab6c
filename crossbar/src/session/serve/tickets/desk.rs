//! The tickets themselves: six to begin with, kept in one file of the workspace.

use serde::{Deserialize, Serialize};
use std::io;
use std::path::PathBuf;

/// One ticket.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Ticket {
    pub(super) id: String,
    pub(super) subject: String,
    pub(super) customer: String,
    pub(super) plan: String,
    pub(super) status: String,
    pub(super) priority: String,
    pub(super) team: Option<String>,
    pub(super) tags: Vec<String>,
}

/// The desk: its tickets, and the file that holds them between two servers of one workspace.
pub(super) struct Desk {
    pub(super) tickets: Vec<Ticket>,
    file: Option<PathBuf>,
}

impl Desk {
    /// Opens the desk of a workspace; without one the desk lives in memory alone.
    pub(super) fn open(workspace: Option<PathBuf>) -> io::Result<Self> {
        let file = workspace.map(|dir| dir.join("tickets.json"));
        let tickets = match &file {
            Some(path) if path.exists() => serde_json::from_slice(&std::fs::read(path)?)?,
            _ => beginning(),
        };
        Ok(Self { tickets, file })
    }

    /// Writes the desk back, whole, under its final name.
    pub(super) fn save(&self) -> io::Result<()> {
        let Some(path) = &self.file else {
            return Ok(());
        };
        let draft = path.with_extension("json.new");
        std::fs::write(&draft, serde_json::to_vec(&self.tickets)?)?;
        std::fs::rename(draft, path)
    }

    pub(super) fn ticket(&mut self, id: &str) -> Result<&mut Ticket, String> {
        self.tickets
            .iter_mut()
            .find(|ticket| ticket.id == id)
            .ok_or_else(|| format!("no ticket `{id}`"))
    }
}

/// Id, subject, customer, plan, status and priority of the tickets at the beginning.
type Row = [&'static str; 6];

const BEGINNING: [Row; 6] = [
    [
        "T-1001",
        "Outage: nobody can log in",
        "Alder Bank",
        "enterprise",
        "open",
        "high",
    ],
    [
        "T-1002",
        "Invoice shows the wrong VAT number",
        "Birch Foods",
        "team",
        "open",
        "normal",
    ],
    [
        "T-1003",
        "How do I export my data?",
        "Cedar Labs",
        "free",
        "open",
        "low",
    ],
    [
        "T-1004",
        "Outage in the reports page since noon",
        "Dogwood Inc",
        "team",
        "open",
        "normal",
    ],
    [
        "T-1005",
        "Charged twice this month",
        "Elm Travel",
        "enterprise",
        "open",
        "normal",
    ],
    [
        "T-1006",
        "Thanks, the crash is solved",
        "Fir Media",
        "free",
        "answered",
        "low",
    ],
];

fn beginning() -> Vec<Ticket> {
    BEGINNING.iter().map(ticket).collect()
}

fn ticket(row: &Row) -> Ticket {
    let [id, subject, customer, plan, status, priority] = row.map(str::to_owned);
    Ticket {
        id,
        subject,
        customer,
        plan,
        status,
        priority,
        team: None,
        tags: Vec::new(),
    }
}
