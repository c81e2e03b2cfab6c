//! What the roster bounds requests of a model by: so many at a time, so many a minute.
//!
//! Requests a minute are spread evenly: at 60 a minute one begins each second, so that a window of
//! any length at the other end sees no burst. Waiting is not the rollout's own time.

use super::WorkClock;
use super::line::{Line, Slot};
use crate::domain::{Clock as _, ModelLimits};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// The bounds of one model, over all rollouts of a sweep.
#[derive(Clone)]
pub struct Bounds {
    at_a_time: Option<Line>,
    spread: Option<Arc<Spread>>,
}

impl Bounds {
    pub(super) fn new(limits: &ModelLimits) -> Self {
        Self {
            at_a_time: limits.concurrency.map(Line::of),
            spread: limits.requests_per_minute.map(Spread::new).map(Arc::new),
        }
    }

    /// Waits until a request may begin. It is under way until what comes back is dropped.
    pub async fn enter(&self, clock: &WorkClock) -> UnderWay {
        let _pause = clock.pause();
        let slot = match &self.at_a_time {
            Some(line) => Some(line.enter().await),
            None => None,
        };
        if let Some(spread) = &self.spread {
            let wait = spread.wait(clock.since_epoch());
            if !wait.is_zero() {
                tokio::time::sleep(wait).await;
            }
        }
        UnderWay(slot)
    }
}

/// A request under way.
#[must_use]
pub struct UnderWay(#[expect(dead_code, reason = "it counts as long as it lives")] Option<Slot>);

/// Requests a minute, evenly.
struct Spread {
    gap: Duration,
    /// When the next one may begin.
    next: Mutex<Duration>,
}

impl Spread {
    fn new(per_minute: u32) -> Self {
        Self {
            gap: Duration::from_secs(60) / per_minute.max(1),
            next: Mutex::default(),
        }
    }

    /// Takes the next turn: how long from `now` on until it comes.
    fn wait(&self, now: Duration) -> Duration {
        let mut next = self.next.lock().unwrap_or_else(PoisonError::into_inner);
        let at = now.max(*next);
        *next = at + self.gap;
        at - now
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::provider::mock::tests::block_on;
    use crate::provider::work_clock::tests::Hands;

    #[test]
    fn requests_of_a_minute_are_spread_evenly_and_a_pause_saves_none_up() {
        let spread = Spread::new(30);
        let seconds = |now| spread.wait(Duration::from_secs(now)).as_secs();
        assert_eq!([seconds(100), seconds(100), seconds(100)], [0, 2, 4]);
        assert_eq!([seconds(105), seconds(200), seconds(201)], [1, 0, 1]);
    }

    #[test]
    fn no_more_are_under_way_than_the_roster_allows() {
        let limits = ModelLimits {
            concurrency: Some(2),
            requests_per_minute: None,
        };
        let clock = WorkClock::new(Arc::new(Hands::default()));
        let bounds = Bounds::new(&limits);
        let (first, second) = (
            block_on(bounds.enter(&clock)),
            block_on(bounds.enter(&clock)),
        );
        let waits = std::pin::pin!(bounds.enter(&clock));
        let mut waits = waits;
        let mut poll = || {
            let waker = std::task::Waker::noop();
            let mut context = std::task::Context::from_waker(waker);
            waits.as_mut().poll(&mut context).is_ready()
        };
        assert!(!poll());
        drop(first);
        assert!(poll());
        drop(second);
        let free = Bounds::new(&ModelLimits::default());
        let _all: Vec<_> = (0..100).map(|_| block_on(free.enter(&clock))).collect();
    }
}
