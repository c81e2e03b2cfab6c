//! A run, understood line by line.

use super::event::{self, Began, Ended, Event};
use super::{Dialect, Facts};
use crate::domain::{Exchange, InfrastructureEvidence, ProgramEnded};
use crate::harness::DriveError;
use crate::harness::program::ending::{did_not_start_as_told, infrastructure};
use crate::harness::program::event::Event as Told;
use crate::harness::program::tools::Tools;
use crate::harness::program::{Judgement, Reader, Start};

/// What it has written so far.
pub(in crate::harness) struct Stream {
    dialect: &'static Dialect,
    tools: Tools,
    servers: Vec<String>,
    version: Option<String>,
    has_begun: bool,
    ended: Option<Box<Ended>>,
}

impl Stream {
    pub(in crate::harness) fn new(dialect: &'static Dialect, start: &Start<'_>) -> Self {
        let servers = start.servers.iter();
        Self {
            dialect,
            tools: start.tools.clone(),
            servers: servers.map(|server| server.name.clone()).collect(),
            version: None,
            has_begun: false,
            ended: None,
        }
    }
}

impl Reader for Stream {
    fn read(&mut self, line: &str) -> Result<Vec<Told>, DriveError> {
        let dialect = self.dialect;
        Ok(match event::read(line, dialect) {
            Some(Event::Began(began)) => {
                self.version.clone_from(&began.version);
                let servers: Vec<&str> = self.servers.iter().map(String::as_str).collect();
                // Without its servers every further request is paid in vain.
                as_intended(&began, &servers, (dialect, &self.tools))?;
                self.has_begun = true;
                Vec::new()
            }
            Some(Event::Said(said)) => vec![Told::Said(said)],
            Some(Event::Heard(heard)) => {
                let heard = heard.into_iter();
                heard.map(|one| Told::Heard(one.told(dialect))).collect()
            }
            Some(Event::Denied(id)) => vec![Told::Denied(id)],
            Some(Event::Ended(ended)) => {
                let denied = ended.denied.iter().cloned().map(Told::Denied).collect();
                self.ended = Some(ended);
                denied
            }
            None => Vec::new(),
        })
    }

    fn version(&self) -> Option<&str> {
        self.version.as_deref()
    }

    fn judge(
        &self,
        process: &ProgramEnded,
        exchanges: &[Exchange],
    ) -> Result<Judgement, DriveError> {
        let ended = self.ended.as_deref();
        let ending = (self.dialect.judge)(&Facts {
            has_begun: self.has_begun,
            ended,
            process,
            exchanges,
        })?;
        Ok(Judgement {
            ending,
            text: ended.and_then(|ended| ended.text.clone()),
            cost: ended.and_then(|ended| ended.cost),
        })
    }
}

/// Whether it runs as it was meant to: every server connected, the task's tools offered, no others.
///
/// # Errors
/// `DriveError::Infrastructure` names what differs.
pub(in crate::harness) fn as_intended(
    began: &Began,
    servers: &[&str],
    (dialect, tools): (&Dialect, &Tools),
) -> Result<(), DriveError> {
    let row = dialect.row;
    for server in servers {
        let found = began.servers.iter().find(|(name, _)| name == server);
        let status = found.map_or("missing", |(_, status)| status.as_str());
        if status != "connected" {
            let name = row.name;
            return Err(infrastructure(
                InfrastructureEvidence::ServerStart,
                format!("server `{server}` is {status} for {name}, which would go on without it"),
            ));
        }
    }
    let missing = tools.names().find(|name| !offers(began, name));
    let other = began
        .tools
        .iter()
        .find(|offered| !tools.names().any(|name| name == *offered));
    let otherwise = |what: &str| did_not_start_as_told(row, what);
    match (missing, other) {
        (Some(name), _) => Err(otherwise(&format!("it does not offer the tool `{name}`"))),
        (None, Some(name)) => Err(otherwise(&format!(
            "it offers the tool `{name}`, which the task has not"
        ))),
        (None, None) => Ok(()),
    }
}

fn offers(began: &Began, name: &str) -> bool {
    began.tools.iter().any(|offered| offered == name)
}
