//! A run of Codex, understood line by line.

use super::ending::{self, Facts};
use super::event::{self, Call, Event};
use crate::domain::{Exchange, OwnFigures, ProgramEnded};
use crate::harness::DriveError;
use crate::harness::program::event::{Asked, Event as Told, Heard, Said};
use crate::harness::program::tools::Tools;
use crate::harness::program::{Judgement, Reader};
use std::collections::BTreeSet;

/// What it has written so far.
pub(super) struct Stream {
    tools: Tools,
    /// Ids of calls that it has told of.
    called: BTreeSet<String>,
    /// The last message.
    text: Option<String>,
    has_begun: bool,
    has_completed: bool,
    figures: Option<OwnFigures>,
    failed: Option<String>,
}

impl Stream {
    pub(super) fn new(tools: &Tools) -> Self {
        Self {
            tools: tools.clone(),
            called: BTreeSet::new(),
            text: None,
            has_begun: false,
            has_completed: false,
            figures: None,
            failed: None,
        }
    }

    /// A call, the first time that it is told of.
    fn asked(&mut self, call: Call) -> Option<Told> {
        self.called.insert(call.id.clone()).then(|| {
            let name = self.tools.told_as(&call.server, &call.tool).to_owned();
            let asked = Asked {
                id: call.id,
                name,
                input: call.input,
            };
            Told::Said(Said {
                calls: vec![asked],
                ..Said::default()
            })
        })
    }
}

impl Reader for Stream {
    fn read(&mut self, line: &str) -> Result<Vec<Told>, DriveError> {
        Ok(match event::read(line) {
            Some(Event::Began) => {
                self.has_begun = true;
                Vec::new()
            }
            Some(Event::Said(text)) => {
                self.text = Some(text.clone());
                let said = Said {
                    text,
                    ..Said::default()
                };
                vec![Told::Said(said)]
            }
            Some(Event::Called(call)) => self.asked(call).into_iter().collect(),
            Some(Event::Over(call, outcome)) => {
                let id = call.id.clone();
                let over = match outcome {
                    Some(outcome) => Told::Heard(Heard { id, outcome }),
                    None => Told::Denied(id),
                };
                self.asked(call).into_iter().chain([over]).collect()
            }
            Some(Event::Completed(figures)) => {
                self.figures = Some(figures);
                self.has_completed = true;
                Vec::new()
            }
            Some(Event::Failed(why)) => {
                self.failed = Some(why);
                Vec::new()
            }
            None => Vec::new(),
        })
    }

    fn asked(&self, offered: &[String]) -> Result<(), DriveError> {
        ending::as_intended(offered, &self.tools)
    }

    fn figures(&self) -> Option<&OwnFigures> {
        self.figures.as_ref()
    }

    fn judge(
        &self,
        process: &ProgramEnded,
        exchanges: &[Exchange],
    ) -> Result<Judgement, DriveError> {
        let ending = ending::judge(&Facts {
            has_begun: self.has_begun,
            has_completed: self.has_completed,
            failed: self.failed.as_deref(),
            process,
            exchanges,
        })?;
        Ok(Judgement {
            ending,
            text: self.text.clone(),
            cost: None,
        })
    }
}
