//! How many are inside at a time.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// How long one waits inside for another that must not come: what is held back comes never, so this
/// decides how long a good run takes, and never how it ends.
const PATIENCE: Duration = Duration::from_millis(250);

/// Counts who is inside.
#[derive(Debug, Clone, Default)]
pub struct Crowd(Arc<(Mutex<Counts>, Condvar)>);

#[derive(Debug, Default)]
struct Counts {
    inside: usize,
    most: usize,
}

/// One that is inside until it is dropped.
#[derive(Debug)]
pub struct Inside(Crowd);

impl Crowd {
    /// Goes in, and stays a while for others to come: until one more than `expected` was inside at
    /// a time, or nobody came for a moment.
    #[must_use]
    pub fn enter(&self, expected: usize) -> Inside {
        let mut counts = self.counts();
        counts.inside += 1;
        counts.most = counts.most.max(counts.inside);
        self.0.1.notify_all();
        let few = |counts: &mut Counts| counts.most <= expected;
        drop(self.0.1.wait_timeout_while(counts, PATIENCE, few));
        Inside(self.clone())
    }

    /// The most that were inside at a time.
    #[must_use]
    pub fn most(&self) -> usize {
        self.counts().most
    }

    fn counts(&self) -> MutexGuard<'_, Counts> {
        self.0.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Inside {
    fn drop(&mut self) {
        self.0.counts().inside -= 1;
    }
}
