//! A run of opencode, understood line by line.

use super::ending::{self, Facts};
use super::event::{self, Call, Event, Outcome};
use crate::domain::{CallOutcome, Exchange, ProgramEnded};
use crate::harness::DriveError;
use crate::harness::program::event::{Asked, Event as Told, Heard, Said};
use crate::harness::program::tools::Tools;
use crate::harness::program::{Judgement, Reader};

/// What stands in the place of a result when it was to ask before a call, and nobody was there.
const DENIED: &str = "The user rejected permission to use this specific tool call.";

/// What it has written so far.
pub(super) struct Stream {
    tools: Tools,
    /// The last answer's id, and its text.
    answer: (String, String),
    finished: Option<String>,
    failed: Option<String>,
}

impl Stream {
    pub(super) fn new(tools: &Tools) -> Self {
        Self {
            tools: tools.clone(),
            answer: Default::default(),
            finished: None,
            failed: None,
        }
    }

    fn said(&mut self, id: String, text: &str) -> Told {
        if self.answer.0 != id {
            self.answer = (id.clone(), String::new());
        }
        self.answer.1.push_str(text);
        Told::Said(Said {
            id: Some(id),
            text: text.to_owned(),
            ..Said::default()
        })
    }

    fn called(&self, answer: String, call: Call) -> Vec<Told> {
        let over = self.over(&call);
        let asked = Asked {
            id: call.id,
            name: call.name,
            input: call.input,
        };
        let said = Said {
            id: Some(answer),
            calls: vec![asked],
            ..Said::default()
        };
        vec![Told::Said(said), over]
    }

    fn over(&self, call: &Call) -> Told {
        let outcome = match &call.outcome {
            Outcome::Error(text) if text == DENIED && !self.is_allowed(&call.name) => {
                return Told::Denied(call.id.clone());
            }
            Outcome::Result(text) => CallOutcome::Result {
                text: text.clone(),
                structured: None,
            },
            Outcome::Error(text) => CallOutcome::Error {
                text: text.clone(),
                protocol: false,
            },
            Outcome::Invalid(text) if self.tools.has(&call.name) => CallOutcome::Error {
                text: text.clone(),
                protocol: true,
            },
            Outcome::Invalid(_) => CallOutcome::Unknown,
        };
        Told::Heard(Heard {
            id: call.id.clone(),
            outcome,
        })
    }

    fn is_allowed(&self, name: &str) -> bool {
        self.tools.allowed().contains(&name)
    }
}

impl Reader for Stream {
    fn read(&mut self, line: &str) -> Result<Vec<Told>, DriveError> {
        Ok(match event::read(line) {
            // By it the answers are told apart, also those of which nothing else is said.
            Some(Event::Began(id)) => vec![self.said(id, "")],
            Some(Event::Said { id, text }) => vec![self.said(id, &text)],
            Some(Event::Called { id, call }) => self.called(id, *call),
            Some(Event::Finished(reason)) => {
                self.finished = Some(reason);
                Vec::new()
            }
            Some(Event::Failed(why)) => {
                self.failed = Some(why);
                Vec::new()
            }
            None => Vec::new(),
        })
    }

    fn judge(
        &self,
        process: &ProgramEnded,
        exchanges: &[Exchange],
    ) -> Result<Judgement, DriveError> {
        let ending = ending::judge(&Facts {
            finished: self.finished.as_deref(),
            failed: self.failed.as_deref(),
            process,
            exchanges,
        })?;
        Ok(Judgement {
            ending,
            text: Some(self.answer.1.clone()),
            cost: None,
        })
    }
}
