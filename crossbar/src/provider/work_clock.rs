//! A clock that stands still while a rollout waits for something that is not its own: what it
//! tells is the rollout's own time, so a limit in seconds does not run out in a queue.

use crate::domain::Clock;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// The clock of one rollout.
pub struct WorkClock {
    inner: Arc<dyn Clock>,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    waited: Duration,
    /// Since when it waits.
    since: Option<Duration>,
}

impl WorkClock {
    /// Runs with `inner`, until it is paused.
    #[must_use]
    pub fn new(inner: Arc<dyn Clock>) -> Self {
        Self {
            inner,
            state: Mutex::default(),
        }
    }

    /// Stands still as long as the value lives.
    #[must_use]
    pub fn pause(&self) -> Pause<'_> {
        let now = self.inner.monotonic();
        self.state().since.get_or_insert(now);
        Pause(self)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Clock for WorkClock {
    fn monotonic(&self) -> Duration {
        let state = self.state();
        let now = state.since.unwrap_or_else(|| self.inner.monotonic());
        now.saturating_sub(state.waited)
    }

    fn since_epoch(&self) -> Duration {
        self.inner.since_epoch()
    }
}

/// A wait of a [`WorkClock`]; dropping it ends the wait.
pub struct Pause<'a>(&'a WorkClock);

impl Drop for Pause<'_> {
    fn drop(&mut self) {
        let now = self.0.inner.monotonic();
        let mut state = self.0.state();
        if let Some(since) = state.since.take() {
            state.waited += now.saturating_sub(since);
        }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use std::sync::atomic::{AtomicU64, Ordering};

    /// A clock that only tests move.
    #[derive(Default)]
    pub(in crate::provider) struct Hands(AtomicU64);

    impl Hands {
        pub(in crate::provider) fn pass(&self, seconds: u64) {
            self.0.fetch_add(seconds, Ordering::Relaxed);
        }
    }

    impl Clock for Hands {
        fn monotonic(&self) -> Duration {
            Duration::from_secs(self.0.load(Ordering::Relaxed))
        }

        fn since_epoch(&self) -> Duration {
            self.monotonic()
        }
    }

    #[test]
    fn it_stands_still_while_it_waits_and_goes_on_where_it_stood() {
        let hands = Arc::new(Hands::default());
        let clock = WorkClock::new(Arc::clone(&hands) as Arc<dyn Clock>);
        let told = |clock: &WorkClock| clock.monotonic().as_secs();
        hands.pass(3);
        for (waited, worked) in [(10, 2), (100, 5)] {
            let before = told(&clock);
            let pause = clock.pause();
            hands.pass(waited);
            assert_eq!(told(&clock), before);
            drop(pause);
            assert_eq!(told(&clock), before);
            hands.pass(worked);
            assert_eq!(told(&clock), before + worked);
        }
        assert_eq!(clock.since_epoch().as_secs(), 120);
    }
}
