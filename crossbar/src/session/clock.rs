//! The real clock, and how a moment is written.

use crate::domain::Clock;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// The machine's clock.
pub struct SystemClock {
    began: Instant,
}

impl SystemClock {
    /// A clock whose monotonic time begins now.
    #[must_use]
    pub fn running() -> Self {
        Self {
            began: Instant::now(),
        }
    }
}

impl Clock for SystemClock {
    fn monotonic(&self) -> Duration {
        self.began.elapsed()
    }

    fn since_epoch(&self) -> Duration {
        SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .unwrap_or_default()
    }
}
