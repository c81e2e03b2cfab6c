//! A run of Claude Code, understood line by line.

use super::ending::{self, Facts, Intended};
use super::event::{self, Ended, Event};
use crate::domain::{Additions, Exchange, OwnFigures, ProgramEnded, Skill};
use crate::harness::DriveError;
use crate::harness::program::event::Event as Told;
use crate::harness::program::{Judgement, Reader, Start};

/// What it has written so far.
pub(super) struct Stream {
    intended: Intended,
    version: Option<String>,
    skills: Option<Vec<String>>,
    has_begun: bool,
    ended: Option<Box<Ended>>,
}

impl Stream {
    pub(super) fn new(start: &Start<'_>, additions: &Additions) -> Self {
        let servers = start.servers.iter();
        let skills = additions.skills.as_ref();
        let names = |skills: &Vec<Skill>| skills.iter().map(|one| one.name.clone()).collect();
        Self {
            intended: Intended {
                tools: start.tools.clone(),
                servers: servers.map(|server| server.name.clone()).collect(),
                skills: skills.map(names),
            },
            version: None,
            skills: None,
            has_begun: false,
            ended: None,
        }
    }
}

impl Reader for Stream {
    fn read(&mut self, line: &str) -> Result<Vec<Told>, DriveError> {
        Ok(match event::read(line) {
            Some(Event::Began(began)) => {
                self.version.clone_from(&began.version);
                self.skills = Some(began.skills.clone());
                // Without its servers every further request is paid in vain.
                ending::as_intended(&began, &self.intended)?;
                self.has_begun = true;
                Vec::new()
            }
            Some(Event::Said(said)) => vec![Told::Said(said)],
            Some(Event::Heard(heard)) => {
                let heard = heard.into_iter();
                heard.map(|one| Told::Heard(one.told())).collect()
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

    fn skills(&self) -> Option<&[String]> {
        self.skills.as_deref()
    }

    fn figures(&self) -> Option<&OwnFigures> {
        self.ended.as_deref().map(|ended| &ended.figures)
    }

    fn judge(
        &self,
        process: &ProgramEnded,
        exchanges: &[Exchange],
    ) -> Result<Judgement, DriveError> {
        let ended = self.ended.as_deref();
        let ending = ending::judge(&Facts {
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
