//! Why a provider gave no reply.

use crate::domain::BudgetError;

/// Why a provider gave no reply. The message names the model and the cure where there is one; a
/// key never stands in it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct ProviderError {
    /// What kind of failure it is.
    pub kind: ProviderErrorKind,
    /// What happened, for a person.
    pub message: String,
}

/// The kinds of failure of a provider.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum ProviderErrorKind {
    /// No connection was made, so nothing was sent.
    Unreachable,
    /// The provider answered with this HTTP status, or with an error body that carries it.
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
    /// Whether a request may have reached the provider, and so may cost something.
    #[must_use]
    pub fn was_sent(&self) -> bool {
        match self {
            Self::Status(_) | Self::BadReply => true,
            // The ledger is written before and after a call.
            Self::Budget(BudgetError::Ledger(_)) => true,
            Self::Unreachable | Self::OffTheEnd | Self::Configuration | Self::Budget(_) => false,
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
