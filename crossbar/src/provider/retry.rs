//! Patience with a provider: what may be sent again is, after a wait, and in line.
//!
//! | what came | again |
//! |---|---|
//! | too many requests (429) | up to 10 times; the line before the endpoint becomes shorter |
//! | no connection; an error at the other end (5xx, 408) | up to 4 times |
//! | an answer, or a part of one | never: it may have to be paid |
//! | any other refusal | never: it would be refused again |
//!
//! The wait is the one that the provider asks for, else it doubles from half a second up to half a
//! minute, with jitter. One that asks for more than a minute is not waited for: that ends the
//! rollout, and no other. Waiting is not the rollout's own time. Every try is paid for on its own;
//! where nobody knows what one has cost, neither does anybody know what the call has.

use super::line::{Heard, Line, Lines};
use super::{
    Bounds, ChatReply, ChatRequest, Provider, ProviderError, ProviderErrorKind, WorkClock,
};
use crate::domain::{Clock as _, LocalFuture, Model, ProviderKind};
use backon::{BackoffBuilder as _, ExponentialBackoff, ExponentialBuilder};
use std::sync::Arc;
use std::time::Duration;

/// The longest wait that a provider can ask for.
const LONGEST_WAIT: Duration = Duration::from_secs(60);

/// The first wait of one's own, and the longest.
const FIRST_DELAY: Duration = Duration::from_millis(500);
const LONGEST_DELAY: Duration = Duration::from_secs(30);

/// How often a request is sent again that was one too many, or that met trouble.
const AFTER_TOO_MANY: usize = 10;
const AFTER_TROUBLE: usize = 4;

/// What patience is made of.
pub struct Patience {
    /// The lines before all endpoints of the sweep.
    pub lines: Lines,
    /// The rollout's own time: it stands still while the rollout waits.
    pub clock: Arc<WorkClock>,
    /// The rollout's own seed; the jitter of its waits comes from it.
    pub seed: u64,
    /// Whether its waits take time.
    pub waits: Waits,
}

/// Whether waits take time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Waits {
    /// They do, since somebody asked for them.
    Real,
    /// They don't: a recording is played, and nobody is there to be spared.
    Skipped,
}

/// Has a provider wait its turn, and try again where that is worth it. A kind that is not live
/// comes back as it is.
#[must_use]
pub fn patient(
    inner: Box<dyn Provider>,
    model: &Model,
    kind: &ProviderKind,
    patience: Patience,
) -> Box<dyn Provider> {
    if !kind.live {
        return inner;
    }
    Box::new(Patient {
        inner,
        line: patience.lines.of(model),
        bounds: patience.lines.bounds(model),
        model: model.clone(),
        patience,
    })
}

struct Patient {
    inner: Box<dyn Provider>,
    line: Line,
    bounds: Bounds,
    model: Model,
    patience: Patience,
}

impl Provider for Patient {
    fn chat<'a>(
        &'a self,
        request: &'a ChatRequest,
    ) -> LocalFuture<'a, Result<ChatReply, ProviderError>> {
        Box::pin(async move {
            let mut course = Course::new(self.patience.seed);
            loop {
                let error = match self.once(request).await {
                    Ok(reply) => return Ok(course.completed(reply)),
                    Err(error) => error,
                };
                let now = self.patience.clock.since_epoch();
                let wait = course.wait_after(error, now)?;
                if self.patience.waits == Waits::Real {
                    let _pause = self.patience.clock.pause();
                    tokio::time::sleep(wait).await;
                }
            }
        })
    }

    fn wire_bytes(&self, request: &ChatRequest) -> u64 {
        self.inner.wire_bytes(request)
    }

    fn preflight(&self) -> LocalFuture<'_, Result<(), ProviderError>> {
        self.inner.preflight()
    }
}

impl Patient {
    /// Sends a request once, when it is its turn.
    async fn once(&self, request: &ChatRequest) -> Result<ChatReply, ProviderError> {
        let Patience { lines, clock, .. } = &self.patience;
        if let Some(mut refused) = lines.refusal(&self.model) {
            refused.message += " (known from an earlier request, so this one was not sent)";
            return Err(refused);
        }
        let _under_way = self.bounds.enter(clock).await;
        let _slot = {
            let _pause = clock.pause();
            self.line.enter().await
        };
        // The line hears from all rollouts, so it goes by the time that they share.
        let sent_at = clock.since_epoch();
        let outcome = self.inner.chat(request).await;
        let heard = outcome
            .as_ref()
            .map_or_else(|error| heard(&error.kind), |_| Heard::Answer);
        self.line.heard(heard, sent_at, clock.since_epoch());
        outcome.inspect_err(|error| lines.keep_refusal(&self.model, error))
    }
}

fn heard(kind: &ProviderErrorKind) -> Heard {
    match kind {
        ProviderErrorKind::Refused(429) => Heard::TooMany,
        ProviderErrorKind::Refused(500..) | ProviderErrorKind::Status(408 | 500..) => {
            Heard::Trouble
        }
        ProviderErrorKind::Unreachable => Heard::Trouble,
        _ => Heard::Answer,
    }
}

/// The tries of one call.
struct Course {
    after_too_many: ExponentialBackoff,
    after_trouble: ExponentialBackoff,
    retries: u32,
    /// Nobody knows what one of the tries has cost.
    is_cost_unknown: bool,
}

impl Course {
    fn new(seed: u64) -> Self {
        let backoff = |times| {
            ExponentialBuilder::new()
                .with_min_delay(FIRST_DELAY)
                .with_max_delay(LONGEST_DELAY)
                .with_max_times(times)
                .with_jitter()
                .with_jitter_seed(seed)
                .build()
        };
        Self {
            after_too_many: backoff(AFTER_TOO_MANY),
            after_trouble: backoff(AFTER_TROUBLE),
            retries: 0,
            is_cost_unknown: false,
        }
    }

    /// How long to wait before the next try; the error when there is none.
    fn wait_after(
        &mut self,
        error: ProviderError,
        now: Duration,
    ) -> Result<Duration, ProviderError> {
        let own = match heard(&error.kind) {
            Heard::TooMany => self.after_too_many.next(),
            Heard::Trouble => self.after_trouble.next(),
            Heard::Answer => None,
        };
        let asked = error.after.map(|after| after.wait(now));
        match (own, asked) {
            (Some(_), Some(asked)) if asked > LONGEST_WAIT => {
                let (asked, most) = (asked.as_secs(), LONGEST_WAIT.as_secs());
                let what = format!("it asks to wait {asked} s, and {most} s is the most");
                Err(self.given_up(error, Some(what)))
            }
            (Some(own), asked) => {
                self.retries += 1;
                self.is_cost_unknown |= error.kind.may_cost();
                Ok(asked.unwrap_or(own))
            }
            (None, _) => Err(self.given_up(error, None)),
        }
    }

    fn given_up(&self, mut error: ProviderError, what: Option<String>) -> ProviderError {
        let tries = match self.retries {
            0 => None,
            1 => Some("tried twice".to_owned()),
            more => Some(format!("tried {} times", more + 1)),
        };
        let why: Vec<String> = what.into_iter().chain(tries).collect();
        if !why.is_empty() {
            error.message = format!("{} ({})", error.message, why.join("; "));
        }
        error.kind = match error.kind {
            _ if self.is_cost_unknown && !error.kind.may_cost() => ProviderErrorKind::BadReply,
            ProviderErrorKind::Refused(429) => ProviderErrorKind::RateLimited,
            kind => kind,
        };
        error
    }

    fn completed(self, mut reply: ChatReply) -> ChatReply {
        reply.retries += self.retries;
        if self.is_cost_unknown {
            reply.usage = None;
        }
        reply
    }
}

#[cfg(test)]
mod tests;
