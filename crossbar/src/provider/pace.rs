//! How many requests at a time an endpoint is sent: a number that follows what it can take.
//!
//! Additive increase, multiplicative decrease (Chiu and Jain, 1989): a refusal for too many requests
//! (429) halves the number, and as many answers as it allows add one. Refusals of requests that were
//! under way at the last cut belong to that cut. Trouble at the other end (5xx) says nothing about
//! the number: it cuts nothing, and growth pauses. Time is a parameter.

use std::time::Duration;

/// How long the number does not grow after trouble at the other end.
const CALM: Duration = Duration::from_secs(10);

/// The number of requests at a time, and how it moves.
#[derive(Debug)]
pub(super) struct Pace {
    limit: u32,
    /// Answers since the number last moved.
    answered: u32,
    /// When it was last cut.
    cut_at: Option<Duration>,
    /// It does not grow before this.
    calm_at: Duration,
}

/// More than ever run at a time: the machine's own limit binds first.
const MOST: u32 = 1024;

impl Default for Pace {
    fn default() -> Self {
        Self {
            limit: MOST,
            answered: 0,
            cut_at: None,
            calm_at: Duration::ZERO,
        }
    }
}

impl Pace {
    /// A number to begin with.
    pub(super) fn of(limit: u32) -> Self {
        Self {
            limit: limit.max(1),
            ..Self::default()
        }
    }

    /// How many requests may be under way, at least 1.
    pub(super) fn limit(&self) -> u32 {
        self.limit
    }

    /// A request was answered.
    pub(super) fn answered(&mut self, now: Duration) {
        if now < self.calm_at || self.limit >= MOST {
            return;
        }
        self.answered += 1;
        if self.answered >= self.limit {
            self.limit += 1;
            self.answered = 0;
        }
    }

    /// A request that was sent at `sent_at` was one too many, while `under_way` were under way (it
    /// among them).
    pub(super) fn refused(&mut self, sent_at: Duration, under_way: u32, now: Duration) {
        if self.cut_at.is_some_and(|cut_at| sent_at <= cut_at) {
            return;
        }
        self.limit = (self.limit.min(under_way) / 2).max(1);
        self.answered = 0;
        self.cut_at = Some(now);
    }

    /// The other end is in trouble.
    pub(super) fn troubled(&mut self, now: Duration) {
        self.calm_at = now + CALM;
        self.answered = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    #[test]
    fn a_refusal_halves_what_was_under_way_and_answers_let_it_grow_again() {
        let mut pace = Pace::default();
        pace.refused(at(1), 8, at(2));
        assert_eq!(pace.limit(), 4);
        let mut limits = Vec::new();
        for _ in 0..15 {
            pace.answered(at(3));
            limits.push(pace.limit());
        }
        // Four answers for the fifth place, five for the sixth, six for the seventh.
        assert_eq!(limits, [4, 4, 4, 5, 5, 5, 5, 5, 6, 6, 6, 6, 6, 6, 7]);
        for seconds in [10, 20, 30, 40] {
            pace.refused(at(seconds), 100, at(seconds + 1));
        }
        assert_eq!(pace.limit(), 1, "one request is always allowed");
    }

    #[test]
    fn a_burst_of_refusals_is_one_cut() {
        let mut pace = Pace::default();
        for under_way in [8, 7, 6, 5] {
            pace.refused(at(1), under_way, at(2));
        }
        assert_eq!(pace.limit(), 4);
        pace.refused(at(2), 4, at(3));
        assert_eq!(pace.limit(), 4, "it was sent before the cut was known");
        pace.refused(at(4), 4, at(5));
        assert_eq!(pace.limit(), 2);
    }

    #[test]
    fn trouble_at_the_other_end_cuts_nothing_and_pauses_growth() {
        let mut pace = Pace::default();
        pace.refused(at(1), 2, at(1));
        pace.troubled(at(2));
        assert_eq!(pace.limit(), 1);
        for _ in 0..9 {
            pace.answered(at(11));
        }
        assert_eq!(pace.limit(), 1);
        pace.answered(at(12));
        assert_eq!(pace.limit(), 2);
    }

    #[test]
    fn what_was_never_cut_does_not_grow() {
        let mut pace = Pace::default();
        pace.answered(at(1));
        assert_eq!(pace.limit(), MOST);
    }
}
