//! The tickets themselves, kept in one file of the workspace.

use super::beginning;
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
    /// What the customer wrote.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) message: Option<String>,
    /// What the desk wrote back, oldest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) replies: Vec<String>,
    /// The ticket that goes on in this one's place.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) merged_into: Option<String>,
}

/// The desk: its tickets, and the file that holds them between two servers of one workspace.
pub(super) struct Desk {
    pub(super) tickets: Vec<Ticket>,
    /// The tickets as they were before anybody touched them.
    pub(super) beginning: Vec<Ticket>,
    file: Option<PathBuf>,
    /// Whether something may differ from what the file holds.
    touched: bool,
}

impl Desk {
    /// Opens the desk of a workspace; without one the desk lives in memory alone. `table` are the
    /// tickets to begin with, one a line; six of its own without one.
    pub(super) fn open(workspace: Option<PathBuf>, table: Option<&str>) -> io::Result<Self> {
        let beginning = match table {
            Some(table) => beginning::read(table)
                .map_err(|why| io::Error::new(io::ErrorKind::InvalidInput, why))?,
            None => beginning::own(),
        };
        let file = workspace.map(|dir| dir.join("tickets.json"));
        let tickets = match &file {
            Some(path) if path.exists() => serde_json::from_slice(&std::fs::read(path)?)?,
            _ => beginning.clone(),
        };
        Ok(Self {
            tickets,
            beginning,
            file,
            touched: false,
        })
    }

    /// Writes the desk back, whole, under its final name; nothing when nobody touched it.
    pub(super) fn save(&mut self) -> io::Result<()> {
        let Some(path) = self.file.as_ref().filter(|_| self.touched) else {
            return Ok(());
        };
        let draft = path.with_extension("json.new");
        std::fs::write(&draft, serde_json::to_vec(&self.tickets)?)?;
        std::fs::rename(draft, path)?;
        self.touched = false;
        Ok(())
    }

    /// A ticket to look at.
    pub(super) fn ticket(&self, id: &str) -> Result<&Ticket, String> {
        let found = self.tickets.iter().find(|ticket| ticket.id == id);
        found.ok_or_else(|| format!("no ticket `{id}`"))
    }

    /// A ticket to change.
    pub(super) fn change(&mut self, id: &str) -> Result<&mut Ticket, String> {
        self.touched = true;
        let found = self.tickets.iter_mut().find(|ticket| ticket.id == id);
        found.ok_or_else(|| format!("no ticket `{id}`"))
    }

    /// Takes every ticket away; how many there were.
    pub(super) fn clear(&mut self) -> usize {
        self.touched = true;
        std::mem::take(&mut self.tickets).len()
    }
}
