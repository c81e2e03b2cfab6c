//! The order of a sweep as two lines: one for free rollouts, one for live ones, which wait for
//! providers and not for this machine's processors.

use super::Job;
use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

/// Jobs of one kind, taken in the planned order.
pub(super) struct Queue(Mutex<VecDeque<Job>>);

impl Queue {
    /// The free jobs and the live jobs, each in the planned order. Controls come first: what they
    /// find is worth knowing before anything else has run.
    pub(super) fn split(mut jobs: Vec<Job>) -> (Self, Self) {
        jobs.sort_by_key(|job| (job.control.is_none(), job.planned.position));
        let (live, free): (Vec<_>, Vec<_>) = jobs.into_iter().partition(|job| job.cell.kind.live);
        (Self::of(free), Self::of(live))
    }

    fn of(jobs: Vec<Job>) -> Self {
        Self(Mutex::new(jobs.into()))
    }

    /// The next one.
    pub(super) fn take(&self) -> Option<Job> {
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .pop_front()
    }

    pub(super) fn len(&self) -> usize {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).len()
    }
}
