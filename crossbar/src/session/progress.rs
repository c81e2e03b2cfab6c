//! One line per finished rollout, for a person who waits; and once for each reason why a rollout
//! could not be measured, that reason.

use super::is_control;
use crate::domain::{Outcome, RunEvent, Sink, SinkError};
use crate::report::{budget_line, progress_line, reason_line};
use std::collections::BTreeSet;
use std::io::Write;
use std::sync::{Mutex, PoisonError};

/// So many reasons are said; a sweep that breaks in more ways is read with `crossbar show`.
const REASONS: usize = 5;

/// Writes progress lines to a writer.
pub struct Progress {
    state: Mutex<State>,
}

struct State {
    done: u32,
    total: u32,
    /// The reasons that were said, without what differs between two rollouts.
    said: BTreeSet<String>,
    out: Box<dyn Write + Send>,
}

impl State {
    /// Why a rollout could not be measured, unless that was said before.
    fn reason(&mut self, outcome: &Outcome) -> Option<String> {
        let (Outcome::InfrastructureFailure { message, .. } | Outcome::InvalidFixture { message }) =
            outcome
        else {
            return None;
        };
        let kind = without_paths(message);
        let is_new = self.said.len() < REASONS && self.said.insert(kind);
        is_new.then(|| reason_line(message))
    }
}

/// A message without the folder of its rollout, which no two share.
fn without_paths(message: &str) -> String {
    let words = message.split_whitespace();
    let words = words.filter(|word| !word.contains(std::path::MAIN_SEPARATOR));
    words.collect::<Vec<_>>().join(" ")
}

impl Progress {
    /// Lines go to `out`.
    #[must_use]
    pub fn new(out: Box<dyn Write + Send>) -> Self {
        Self {
            state: Mutex::new(State {
                done: 0,
                total: 0,
                said: BTreeSet::new(),
                out,
            }),
        }
    }
}

impl Sink for Progress {
    fn on(&self, event: &RunEvent) -> Result<(), SinkError> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let line = match event {
            RunEvent::RunStarted {
                planned, finished, ..
            } => {
                state.done = *finished;
                state.total = *planned;
                if *finished == 0 {
                    return Ok(());
                }
                format!("  {finished} of {planned} rollouts are finished already")
            }
            RunEvent::RolloutFinished { rollout } if !is_control(&rollout.key) => {
                state.done += 1;
                let line = progress_line(state.done, state.total, rollout);
                match state.reason(&rollout.outcome) {
                    Some(reason) => format!("{line}\n{reason}"),
                    None => line,
                }
            }
            RunEvent::BudgetExhausted { status } => budget_line(status),
            _ => return Ok(()),
        };
        writeln!(state.out, "{line}").map_err(|error| SinkError(error.to_string()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::InfrastructureEvidence;

    #[test]
    fn a_reason_is_said_once_whatever_folder_it_names() {
        let mut state = State {
            done: 0,
            total: 9,
            said: BTreeSet::new(),
            out: Box::new(std::io::sink()),
        };
        let mut said = |message: &str| {
            state.reason(&Outcome::InfrastructureFailure {
                evidence: InfrastructureEvidence::ServerStart,
                message: message.to_owned(),
            })
        };
        let first = said("no `npx` in /tmp/cb-1/work");
        assert_eq!(first.unwrap(), "        why: no `npx` in /tmp/cb-1/work");
        assert_eq!(said("no `npx` in /tmp/cb-2/work"), None);
        assert!(said("the model answered 503").is_some());
    }
}
