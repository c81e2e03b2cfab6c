//! Where a case waits for its rollouts, while the sweep runs them in its own order.

use crate::domain::{CaseId, Outcome, Rollout, RunEvent, Sink, SinkError, SkipReason};
use crate::session::{Floor, floor_trouble, is_control, trouble_of_control};
use std::collections::BTreeMap;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// The rollouts that have ended, case by case.
pub(super) struct Waiting {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    cases: BTreeMap<CaseId, Case>,
    /// Nothing more will come; with the reason, where the sweep did not end well.
    over: Option<Option<String>>,
}

#[derive(Default)]
struct Case {
    expected: usize,
    ended: usize,
    accepted: u32,
    /// The rate that it must not conclusively miss.
    floor: Option<Floor>,
    /// Why a rollout could not be measured.
    unmeasured: Vec<String>,
    /// Why its control is red.
    control: Option<String>,
}

impl Waiting {
    /// Each case with the number of rollouts that it waits for, and with its floor.
    pub(super) fn new(expected: BTreeMap<CaseId, (usize, Option<Floor>)>) -> Self {
        let cases = expected.into_iter().map(|(id, (expected, floor))| {
            let case = Case {
                expected,
                floor,
                ..Case::default()
            };
            (id, case)
        });
        let cases = cases.collect();
        Self {
            state: Mutex::new(State { cases, over: None }),
            changed: Condvar::new(),
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes a rollout that has ended.
    pub(super) fn ended(&self, rollout: &Rollout) {
        let mut state = self.state();
        if let Some(case) = state.cases.get_mut(&rollout.key.case()) {
            case.ended += 1;
            case.accepted += u32::from(rollout.outcome.is_accepted());
            if is_control(&rollout.key) {
                let show = |why| format!("{why}\n{}", show(rollout));
                case.control = trouble_of_control(rollout).map(show);
            } else if let Some(why) = unmeasured(rollout) {
                case.unmeasured.push(why);
            }
        }
        drop(state);
        self.changed.notify_all();
    }

    /// Nothing more will come.
    pub(super) fn over(&self, error: Option<String>) {
        self.state().over.get_or_insert(error);
        self.changed.notify_all();
    }

    /// Waits for a case.
    ///
    /// # Errors
    /// Why the case was not measured, for a person.
    pub(super) fn wait(&self, id: &CaseId) -> Result<(), String> {
        let mut state = self.state();
        loop {
            let State { cases, over } = &*state;
            let Some(case) = cases.get(id) else {
                return Err("the case is not part of this sweep".to_owned());
            };
            if case.ended >= case.expected {
                return verdict(case);
            }
            if let Some(error) = over {
                let missing = case.expected - case.ended;
                let why = error
                    .clone()
                    .unwrap_or_else(|| "the sweep was stopped".to_owned());
                return Err(format!(
                    "{missing} of {} rollouts did not run: {why}",
                    case.expected
                ));
            }
            state = self
                .changed
                .wait(state)
                .unwrap_or_else(PoisonError::into_inner);
        }
    }
}

impl Sink for Waiting {
    fn on(&self, event: &RunEvent) -> Result<(), SinkError> {
        if let RunEvent::RolloutFinished { rollout } | RunEvent::RolloutKept { rollout } = event {
            self.ended(rollout);
        }
        Ok(())
    }
}

/// The command that prints what happened.
fn show(rollout: &Rollout) -> String {
    let key = &rollout.key;
    format!("see: crossbar show {} {}", key.cell, key.task)
}

fn verdict(case: &Case) -> Result<(), String> {
    if let Some(why) = &case.control {
        return Err(why.clone());
    }
    match case.unmeasured.as_slice() {
        [] => {
            let ended = u32::try_from(case.ended).unwrap_or(u32::MAX);
            let floor = case.floor.as_ref();
            let missed = floor.and_then(|floor| floor_trouble(floor, case.accepted, ended));
            missed.map_or(Ok(()), Err)
        }
        [first, rest @ ..] => {
            let more = match rest.len() {
                0 => String::new(),
                n => format!(" (and {n} more)"),
            };
            let count = case.unmeasured.len();
            let total = case.expected;
            Err(format!(
                "{count} of {total} rollouts could not be measured: {first}{more}"
            ))
        }
    }
}

fn unmeasured(rollout: &Rollout) -> Option<String> {
    let repeat = rollout.key.repeat;
    match &rollout.outcome {
        Outcome::InfrastructureFailure { message, .. } => {
            Some(format!("r{repeat}: infrastructure: {message}"))
        }
        Outcome::InvalidFixture { message } => Some(format!("r{repeat}: fixture: {message}")),
        Outcome::Skipped {
            why: SkipReason::Budget,
        } => Some(format!("r{repeat}: skipped: the budget was used up")),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{CellId, TaskId};
    use std::sync::Arc;

    fn case() -> CaseId {
        CaseId {
            task: TaskId::parse("p::t").unwrap(),
            cell: CellId::parse("m+h").unwrap(),
        }
    }

    #[test]
    fn a_case_that_never_ran_is_red_and_says_why() {
        let waiting = Waiting::new([(case(), (3, None))].into());
        waiting.over(Some("the disk is full".to_owned()));
        let why = waiting.wait(&case()).unwrap_err();
        assert!(
            why.contains("3 of 3") && why.contains("the disk is full"),
            "{why}"
        );
    }

    #[test]
    fn a_waiter_is_woken_by_the_end_of_the_sweep() {
        let waiting = Arc::new(Waiting::new([(case(), (1, None))].into()));
        let other = Arc::clone(&waiting);
        let waiter = std::thread::spawn(move || other.wait(&case()));
        waiting.over(None);
        assert!(waiter.join().unwrap().is_err());
    }
}
