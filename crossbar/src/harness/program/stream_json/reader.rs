//! A run, understood line by line.

use super::event::{self, Ended, Event};
use super::intended::{Intended, as_intended};
use super::{Dialect, Facts};
use crate::domain::{Exchange, OwnFigures, ProgramEnded, Skill};
use crate::harness::DriveError;
use crate::harness::program::event::Event as Told;
use crate::harness::program::{Judgement, Reader, Start};

/// What it has written so far.
pub(in crate::harness) struct Stream {
    dialect: &'static Dialect,
    intended: Intended,
    version: Option<String>,
    skills: Option<Vec<String>>,
    has_begun: bool,
    ended: Option<Box<Ended>>,
}

impl Stream {
    /// `skills` are those that it was given; `None` where it is to use none at all.
    pub(in crate::harness) fn new(
        dialect: &'static Dialect,
        start: &Start<'_>,
        skills: Option<&[Skill]>,
    ) -> Self {
        Self {
            dialect,
            intended: Intended::of(start, skills),
            version: None,
            skills: None,
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
                self.skills = dialect.skill_tool.map(|_| began.skills.clone());
                // Without its servers every further request is paid in vain.
                as_intended(&began, &self.intended, dialect)?;
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
