//! A run of Gemini CLI, understood line by line.

use super::ending::{self, Facts};
use super::event::{self, Ended, Event};
use crate::domain::{Exchange, ProgramEnded, ServerLaunch};
use crate::harness::DriveError;
use crate::harness::program::event::{Event as Told, Heard, Said};
use crate::harness::program::tools::Tools;
use crate::harness::program::{Judgement, Reader};

/// What it has written so far.
pub(super) struct Stream {
    tools: Tools,
    servers: Vec<String>,
    /// The message of the model since its last call.
    text: String,
    has_begun: bool,
    complaint: Option<String>,
    ended: Option<Ended>,
}

impl Stream {
    pub(super) fn new(tools: &Tools, servers: &[ServerLaunch]) -> Self {
        let servers = servers.iter();
        Self {
            tools: tools.clone(),
            servers: servers.map(|server| server.name.clone()).collect(),
            text: String::new(),
            has_begun: false,
            complaint: None,
            ended: None,
        }
    }
}

impl Reader for Stream {
    fn read(&mut self, line: &str) -> Result<Vec<Told>, DriveError> {
        Ok(match event::read(line) {
            Some(Event::Said(text)) => {
                self.text.push_str(&text);
                let said = Said {
                    text,
                    ..Said::default()
                };
                vec![Told::Said(said)]
            }
            Some(Event::Called(call)) => {
                self.text.clear();
                let said = Said {
                    calls: vec![call],
                    ..Said::default()
                };
                vec![Told::Said(said)]
            }
            Some(Event::Over(id, Some(outcome))) => vec![Told::Heard(Heard { id, outcome })],
            Some(Event::Over(id, None)) => vec![Told::Denied(id)],
            Some(Event::Began) => {
                self.has_begun = true;
                Vec::new()
            }
            Some(Event::Complained(what)) => {
                self.complaint = Some(what);
                Vec::new()
            }
            Some(Event::Ended(ended)) => {
                self.ended = Some(ended);
                Vec::new()
            }
            None => Vec::new(),
        })
    }

    fn asked(&self, offered: &[String]) -> Result<(), DriveError> {
        ending::as_intended(offered, &self.servers, &self.tools)
    }

    fn judge(
        &self,
        process: &ProgramEnded,
        exchanges: &[Exchange],
    ) -> Result<Judgement, DriveError> {
        let ending = ending::judge(&Facts {
            has_begun: self.has_begun,
            ended: self.ended.as_ref(),
            complaint: self.complaint.as_deref(),
            process,
            exchanges,
        })?;
        Ok(Judgement {
            ending,
            text: Some(self.text.clone()),
            cost: None,
        })
    }
}
