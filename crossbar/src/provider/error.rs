//! Why a provider gave no reply.

use crate::domain::BudgetError;
use std::time::Duration;

/// Why a provider gave no reply. The message names the model and the cure where there is one; a
/// key never stands in it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct ProviderError {
    /// What kind of failure it is.
    pub kind: ProviderErrorKind,
    /// What happened, for a person.
    pub message: String,
    /// The setting that the provider names, where it names one.
    pub param: Option<String>,
    /// When it wants to be asked again, where it says so.
    pub after: Option<RetryAfter>,
}

/// When a provider wants to be asked again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RetryAfter {
    /// After this time.
    In(Duration),
    /// At this moment, counted from 1970-01-01T00:00:00Z.
    At(Duration),
}

impl RetryAfter {
    /// The wait from `now` (since 1970-01-01T00:00:00Z); nothing for a moment that is past.
    #[must_use]
    pub fn wait(self, now: Duration) -> Duration {
        match self {
            Self::In(wait) => wait,
            Self::At(moment) => moment.saturating_sub(now),
        }
    }
}

/// The kinds of failure of a provider.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum ProviderErrorKind {
    /// No connection was made, so nothing was sent.
    Unreachable,
    /// The provider refused the request, with this HTTP status or with an error body that carries
    /// it: no model was at work, and nothing is billed.
    Refused(u16),
    /// The provider refuses what the roster asks for: the key, the model's name or a setting. No
    /// other request of the model does better, and nothing is billed.
    Settings(u16),
    /// The provider refused too many requests (429) until there was no use in waiting; nothing is
    /// billed.
    RateLimited,
    /// Something answered with this HTTP status, and nobody knows what the request has cost.
    Status(u16),
    /// Something came back, or the connection broke, and no reply can be made of it.
    BadReply,
    /// A scripted provider was asked more often than it has replies.
    OffTheEnd,
    /// The roster asks for something that can't be; nothing was sent.
    Configuration,
    /// The money for the call could not be held, so nothing was sent.
    Budget(BudgetError),
}

impl ProviderErrorKind {
    /// Whether the request may cost something.
    #[must_use]
    pub fn may_cost(&self) -> bool {
        match self {
            Self::Status(_) | Self::BadReply => true,
            // The ledger is written before and after a call.
            Self::Budget(BudgetError::Ledger(_)) => true,
            Self::Unreachable
            | Self::Refused(_)
            | Self::Settings(_)
            | Self::RateLimited
            | Self::OffTheEnd
            | Self::Configuration
            | Self::Budget(_) => false,
        }
    }
}

impl ProviderError {
    /// An error of a kind, with its message.
    #[must_use]
    pub fn new(kind: ProviderErrorKind, message: impl Into<String>) -> Self {
        Self {
            kind,
            message: message.into(),
            param: None,
            after: None,
        }
    }

    /// Something in the roster that can't be.
    pub(crate) fn configuration(message: impl Into<String>) -> Self {
        Self::new(ProviderErrorKind::Configuration, message)
    }
}

impl From<BudgetError> for ProviderError {
    fn from(error: BudgetError) -> Self {
        let message = error.to_string();
        Self::new(ProviderErrorKind::Budget(error), message)
    }
}
