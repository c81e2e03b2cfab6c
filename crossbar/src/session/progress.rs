//! One line per finished rollout, for a person who waits.

use super::is_control;
use crate::domain::{RunEvent, Sink, SinkError};
use crate::report::{budget_line, progress_line};
use std::io::Write;
use std::sync::{Mutex, PoisonError};

/// Writes progress lines to a writer.
pub struct Progress {
    state: Mutex<State>,
}

struct State {
    done: u32,
    total: u32,
    out: Box<dyn Write + Send>,
}

impl Progress {
    /// Lines go to `out`.
    #[must_use]
    pub fn new(out: Box<dyn Write + Send>) -> Self {
        Self {
            state: Mutex::new(State {
                done: 0,
                total: 0,
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
                progress_line(state.done, state.total, rollout)
            }
            RunEvent::BudgetExhausted { status } => budget_line(status),
            _ => return Ok(()),
        };
        writeln!(state.out, "{line}").map_err(|error| SinkError(error.to_string()))
    }
}
