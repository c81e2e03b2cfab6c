//! Whether a program runs as it was meant to, by its first event.

use super::Dialect;
use super::event::Began;
use crate::domain::{InfrastructureEvidence, Skill};
use crate::harness::DriveError;
use crate::harness::program::Start;
use crate::harness::program::ending::{did_not_start_as_told, infrastructure};
use crate::harness::program::tools::Tools;

/// What it was started with.
pub(in crate::harness) struct Intended {
    pub(in crate::harness) servers: Vec<String>,
    pub(in crate::harness) tools: Tools,
    /// The names of the skills that it was given; `None` where it is to use none at all.
    pub(in crate::harness) skills: Option<Vec<String>>,
}

impl Intended {
    pub(super) fn of(start: &Start<'_>, skills: Option<&[Skill]>) -> Self {
        let servers = start.servers.iter();
        let names = |skills: &[Skill]| skills.iter().map(|one| one.name.clone()).collect();
        Self {
            tools: start.tools.clone(),
            servers: servers.map(|server| server.name.clone()).collect(),
            skills: skills.map(names),
        }
    }
}

/// Whether it runs as it was meant to: every server connected, every skill there, the task's tools
/// offered, no others.
///
/// # Errors
/// `DriveError::Infrastructure` names what differs.
pub(in crate::harness) fn as_intended(
    began: &Began,
    intended: &Intended,
    dialect: &Dialect,
) -> Result<(), DriveError> {
    connected(began, &intended.servers, dialect)?;
    skilled(began, intended.skills.as_deref(), dialect)?;
    let tools = &intended.tools;
    let otherwise = |what: &str| did_not_start_as_told(dialect.row, what);
    let is_own = |name: &str| intended.skills.is_some() && dialect.skill_tool == Some(name);
    let missing = tools.names().find(|name| !offers(began, name));
    let mut offered = began.tools.iter();
    let other = offered.find(|name| !is_own(name) && !tools.has(name));
    match (missing, other) {
        (Some(name), _) => Err(otherwise(&format!("it does not offer the tool `{name}`"))),
        (None, Some(name)) => Err(otherwise(&format!(
            "it offers the tool `{name}`, which the task has not"
        ))),
        (None, None) => Ok(()),
    }
}

fn connected(began: &Began, servers: &[String], dialect: &Dialect) -> Result<(), DriveError> {
    for server in servers {
        let found = began.servers.iter().find(|(name, _)| name == server);
        let status = found.map_or("missing", |(_, status)| status.as_str());
        if status != "connected" {
            let name = dialect.row.name;
            return Err(infrastructure(
                InfrastructureEvidence::ServerStart,
                format!("server `{server}` is {status} for {name}, which would go on without it"),
            ));
        }
    }
    Ok(())
}

/// Whether it has each skill that it was given, and the tool without which its model has none.
fn skilled(began: &Began, skills: Option<&[String]>, dialect: &Dialect) -> Result<(), DriveError> {
    let (Some(skills), Some(tool)) = (skills, dialect.skill_tool) else {
        return Ok(());
    };
    let otherwise = |what: &str| Err(did_not_start_as_told(dialect.row, what));
    if let Some(skill) = skills.iter().find(|name| !began.skills.contains(name)) {
        return otherwise(&format!(
            "it does not have the skill `{skill}`, which it was given"
        ));
    }
    match offers(began, tool) {
        true => Ok(()),
        false => otherwise(&format!("it does not offer the tool `{tool}`")),
    }
}

fn offers(began: &Began, name: &str) -> bool {
    began.tools.iter().any(|offered| offered == name)
}
