//! The line before an endpoint: who may send now, over all rollouts of a sweep.

use super::pace::Pace;
use super::{Bounds, ProviderError, ProviderErrorKind};
use crate::domain::Model;
use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::oneshot;

/// The lines of a sweep: one for each endpoint and key, since those share a limit; and what
/// endpoints have refused for good.
#[derive(Clone, Default)]
pub struct Lines(Arc<Mutex<Known>>);

type Place = (String, Option<String>, Option<String>);

#[derive(Default)]
struct Known {
    lines: BTreeMap<Place, Line>,
    /// By model.
    bounds: BTreeMap<String, Bounds>,
    /// By model.
    refusals: BTreeMap<String, ProviderError>,
}

impl Lines {
    /// The line before a model's endpoint.
    pub(super) fn of(&self, model: &Model) -> Line {
        let place = (
            model.provider.clone(),
            model.base_url.clone(),
            model.api_key_env.clone(),
        );
        self.known().lines.entry(place).or_default().clone()
    }

    /// What the roster bounds a model's requests by.
    #[must_use]
    pub fn bounds(&self, model: &Model) -> Bounds {
        let bounds = &mut self.known().bounds;
        let id = model.id.clone();
        bounds
            .entry(id)
            .or_insert_with(|| Bounds::new(&model.limits))
            .clone()
    }

    /// Why no request of a model is worth sending, where one of its rollouts has found that out.
    pub(super) fn refusal(&self, model: &Model) -> Option<ProviderError> {
        self.known().refusals.get(&model.id).cloned()
    }

    /// Keeps what an endpoint has against a model's settings.
    pub(super) fn keep_refusal(&self, model: &Model, error: &ProviderError) {
        if matches!(error.kind, ProviderErrorKind::Settings(_)) {
            let refusals = &mut self.known().refusals;
            refusals
                .entry(model.id.clone())
                .or_insert_with(|| error.clone());
        }
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// First come, first served, a few at a time. Rollouts run on threads and runtimes of their own;
/// nothing here belongs to one of them.
#[derive(Clone, Default)]
pub(super) struct Line(Arc<Mutex<State>>);

#[derive(Default)]
struct State {
    pace: Pace,
    under_way: u32,
    waiting: VecDeque<oneshot::Sender<Slot>>,
}

impl Line {
    /// One that lets this many in at a time, whatever is heard.
    pub(super) fn of(many: u32) -> Self {
        Self(Arc::new(Mutex::new(State {
            pace: Pace::of(many),
            ..State::default()
        })))
    }

    /// Waits for its turn; the slot is given back when it is dropped.
    pub(super) async fn enter(&self) -> Slot {
        loop {
            let turn = {
                let mut state = self.state();
                if state.waiting.is_empty() && state.under_way < state.pace.limit() {
                    return self.slot(&mut state);
                }
                let (sender, turn) = oneshot::channel();
                state.waiting.push_back(sender);
                turn
            };
            // The line lives as long as the wait, so a sender is never lost; were it, one queues
            // again.
            if let Ok(slot) = turn.await {
                return slot;
            }
        }
    }

    fn slot(&self, state: &mut State) -> Slot {
        state.under_way += 1;
        Slot(self.clone())
    }

    /// Tells what became of a request that was sent at `sent_at`.
    pub(super) fn heard(&self, outcome: Heard, sent_at: Duration, now: Duration) {
        let mut state = self.state();
        let under_way = state.under_way;
        match outcome {
            Heard::Answer => state.pace.answered(now),
            Heard::TooMany => state.pace.refused(sent_at, under_way, now),
            Heard::Trouble => state.pace.troubled(now),
        }
    }

    /// Lets in whoever fits. Slots are handed out with the state let go: one that comes back at once
    /// looks at it again.
    fn admit(&self) {
        loop {
            let (sender, slot) = {
                let mut state = self.state();
                if state.under_way >= state.pace.limit() {
                    return;
                }
                let Some(sender) = state.waiting.pop_front() else {
                    return;
                };
                (sender, self.slot(&mut state))
            };
            // Whoever has gone gives the slot back on the spot, and so lets the next one in.
            drop(sender.send(slot));
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What was heard of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Heard {
    /// An answer, or a refusal that has nothing to do with how many there are.
    Answer,
    /// There were too many.
    TooMany,
    /// The other end is in trouble.
    Trouble,
}

/// The right to have one request under way.
pub(super) struct Slot(Line);

impl Drop for Slot {
    fn drop(&mut self) {
        self.0.state().under_way -= 1;
        self.0.admit();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::provider::mock::tests::{block_on, model};
    use std::task::{Context, Poll, Waker};

    const NOW: Duration = Duration::from_secs(1);

    /// A line in which `under_way` are under way and only half of them may be.
    fn halved(under_way: u32) -> (Line, Vec<Slot>) {
        let line = Line::default();
        let slots = (0..under_way).map(|_| block_on(line.enter())).collect();
        line.heard(Heard::TooMany, NOW, NOW);
        (line, slots)
    }

    /// Whether a wait is over, as far as it has got.
    fn poll<F: Future>(wait: &mut std::pin::Pin<Box<F>>) -> Option<F::Output> {
        match wait.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(slot) => Some(slot),
            Poll::Pending => None,
        }
    }

    #[test]
    fn who_comes_first_is_let_in_first_and_no_more_than_fit() {
        let (line, mut slots) = halved(4);
        let (mut first, mut second) = (Box::pin(line.enter()), Box::pin(line.enter()));
        assert!(poll(&mut first).is_none() && poll(&mut second).is_none());
        slots.truncate(2);
        assert!(poll(&mut first).is_none(), "two of two are under way");
        slots.truncate(1);
        assert!(poll(&mut second).is_none(), "it is not its turn");
        let slot = poll(&mut first).unwrap();
        drop((slot, slots));
        assert!(poll(&mut second).is_some());
        assert_eq!(line.state().under_way, 0);
    }

    #[test]
    fn who_goes_away_holds_nobody_up() {
        let (line, slots) = halved(2);
        let mut waits: Vec<_> = (0..3).map(|_| Box::pin(line.enter())).collect();
        assert!(waits.iter_mut().all(|wait| poll(wait).is_none()));
        // The first leaves while it waits, the second with a slot that it has not taken yet.
        drop(waits.remove(0));
        drop(slots);
        drop(waits.remove(0));
        assert!(poll(&mut waits[0]).is_some());
        assert_eq!(line.state().under_way, 0);
    }

    #[test]
    fn models_of_one_endpoint_and_key_share_a_line() {
        let lines = Lines::default();
        let (mut one, mut two) = (model(1.0, 1.0), model(1.0, 1.0));
        two.id = "other".to_owned();
        let same = |one: &Line, two: &Line| Arc::ptr_eq(&one.0, &two.0);
        assert!(same(&lines.of(&one), &lines.of(&two)));
        one.api_key_env = Some("KEY".to_owned());
        assert!(!same(&lines.of(&one), &lines.of(&two)));
    }

    #[test]
    fn what_is_refused_for_good_is_known_to_the_models_other_rollouts_alone() {
        let lines = Lines::default();
        let (one, mut two) = (model(1.0, 1.0), model(1.0, 1.0));
        two.id = "other".to_owned();
        let error = |kind| ProviderError::new(kind, "no");
        lines.keep_refusal(&one, &error(ProviderErrorKind::Refused(400)));
        assert_eq!(lines.refusal(&one), None);
        lines.keep_refusal(&one, &error(ProviderErrorKind::Settings(400)));
        assert_eq!(lines.refusal(&one).unwrap().message, "no");
        assert_eq!(lines.refusal(&two), None);
    }
}
